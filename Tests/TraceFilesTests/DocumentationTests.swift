import ClientInterface
import Foundation
import Scenario
import TestKit
import Testing
import TraceFiles
import Wire

/// Whether the descriptions of the formats show what is written and read.
@Suite struct DocumentationTests {
  @Test func `the trace in the description of the format is the one that is written`() throws {
    let page = try SourceTree.text(of: "Specs/trace-format.md")
    let text = try #require(Self.block("yaml", of: page))
    let trace = try #require(Self.block("json", of: page))
    let scenario = try Kit.scenario(whole: text, file: "write.yaml")

    let file = Kit.trace(of: scenario, text: text, seed: 7)

    #expect(file.text == trace)
  }

  @Test func `every member of a trace is described`() throws {
    let page = try SourceTree.text(of: "Specs/trace-format.md")
    let trace = try #require(Self.block("json", of: page)).split(separator: "\n")
    let members = try [trace[0], trace[4]].flatMap { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]).keys
    }
    let verbs = [
      "begins", "in", "out", "serverIn", "serverOut", "lostToServer", "lostToClient",
      "serverOpened", "serverClosed", "fault", "armed", "futile", "serverWrite", "serverUpdate",
    ]
    let rest = ["events", "hash", "checkpoints", "verdict", "reason", "divergences"]

    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .compactMap { $0.split(separator: "|").first }.joined(separator: " ")
    for name in members + verbs + rest { #expect(rows.contains("`\(name)`"), "\(name)") }
  }

  @Test func `the choices in the description of scenarios can be stated`() throws {
    let page = try SourceTree.text(of: "Specs/scenario-format.md")
    let chapter = page[try #require(page.range(of: "\n## Choices\n")).upperBound...]
    let choices = try #require(Self.block("yaml", of: String(chapter)))

    let scenario = try Kit.scenario("clients: [alice, bob]\n\(choices)steps: [settle]")

    #expect(
      scenario.choices == [
        .message(2, .toClient, client: "bob", late: Interval(nanoseconds: 12_500_000)),
        .connection(1, client: "alice", late: .milliseconds(3)),
        .form(3, client: "bob", .whole), .order(.calls, [1]), .seed(7),
      ])
  }

  /// The first block of code in a language.
  private static func block(_ language: String, of page: String) -> String? {
    guard let start = page.range(of: "```\(language)\n"),
      let end = page.range(of: "```", range: start.upperBound..<page.endIndex)
    else { return nil }
    return String(page[start.upperBound..<end.lowerBound])
  }
}
