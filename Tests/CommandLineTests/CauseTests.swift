import Foundation
import TestKit
import Testing

/// What follows from one defect is explained once, counted and listed, in every output.
@Suite struct CauseTests {
  /// A client that never raises events of one type.
  struct Silence: Sendable, CustomTestStringConvertible {
    var type: String
    /// What runs it.
    var client: [String]
    /// Scenarios in which the event is due: in expectations, before a call in its callback, and
    /// where only an invariant misses it.
    var ids: [String]

    var testDescription: String { type }
    var cause: String { "missing-event \(type)" }
  }

  static let silences = [
    Silence(
      type: "child_changed", client: ["--client", "changes-kept-quiet"],
      ids: ["events", "limits", "callbacks", "regressions"]),
    Silence(
      type: "child_moved", client: adapter("child_moved"),
      ids: ["queries", "priorities", "events", "callbacks"]),
    Silence(
      type: "value", client: adapter("value"),
      ids: ["values", "queries", "callbacks", "observers"]),
  ]

  private static func adapter(_ type: String) -> [String] {
    ["--", "python3", "-S", "Tests/CommandLineTests/Adapters/silent.py", type]
  }

  private let folder: Folder
  private let kennel: Program

  init() throws {
    folder = try Folder()
    kennel = Program.project
  }

  private func path(_ name: String) -> String { folder.url.appending(path: name).path }

  @Test(arguments: silences)
  func `an event that is never raised is one cause in every report`(silence: Silence) throws {
    let files = ["markdown", "html", "junit", "jsonl"]
    let outcome = try kennel.run(
      ["run"] + silence.ids + ["--github"] + files.flatMap { ["--\($0)", path($0)] }
        + silence.client)

    let text = outcome.output
    let cause = silence.cause
    let extent = try #require(
      text.firstMatch(of: #/(?m)^\S.*   (\d+ runs of \d+ scenarios)$/#).map { String($0.1) },
      "\(text)")
    #expect(outcome.status == 1)
    #expect(text.matches(of: #/(?m)^FAIL  /#).count == 1, "\(text)")
    #expect(text.matches(of: #/(?m)^\S.*   \d+ runs? of \d+ scenarios?$/#).count == 1, "\(text)")
    #expect(text.contains("\n\(cause)   \(extent)\n  FAIL  "))
    let annotations = text.matches(of: #/(?m)^::error .*/#)
    #expect(annotations.count == 1)
    #expect(annotations.first?.0.contains("%0A\(cause): \(extent), also%0A") == true)
    let markdown = try folder.text("markdown")
    #expect(markdown.matches(of: #/(?m)^### /#).count == 1)
    let name = cause.replacing("_", with: "\\_")
    #expect(markdown.contains("### <code>\(name)</code>: \(extent)\n"))
    let xml = try folder.text("junit")
    let failures = xml.matches(of: #/<failure /#).count
    #expect(extent.hasPrefix("\(failures) runs "))
    #expect(xml.matches(of: #/ \S+, explained at /#).count == failures - 1)
    #expect(Set(try causes(in: "html")) == [cause])
    #expect(try folder.text("html").utf8.count < 1_000_000)
    #expect(Set(try causes(in: "jsonl")).isSubset(of: [cause]))
  }

  private func causes(in file: String) throws -> [String] {
    try folder.text(file).matches(of: #/"cause":"([^"]*)"/#).map { String($0.1) }
  }

  @Test(arguments: silences.prefix(2))
  func `a hunt explains it once, too`(silence: Silence) throws {
    let hunt = try kennel.run(
      ["hunt", "--seeds", "1..60", "--no-shrink", "--jobs", "1", "--output", path("hunt")]
        + silence.client)

    #expect(hunt.output.matches(of: #/(?m)^FAIL  /#).count == 1, "\(hunt.output)")
    #expect(hunt.output.contains(" kinds of failure of 1 cause "), "\(hunt.output)")
  }
}
