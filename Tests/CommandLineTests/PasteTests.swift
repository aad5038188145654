import Foundation
import TestKit
import Testing

/// Whether what reports print to see a failure again can be pasted as it stands in the project's
/// directory, wherever they were printed.
@Suite struct PasteTests {
  private static let simple = """
    kennel: 1
    title: A value comes last
    rules: [EVT-1]
    profiles: [firebase]
    clients: [alice, bob]
    matrix: {what: [1, it's]}
    data: {room: {k: 1}}
    steps:
      - alice.listen: {path: room, as: feed}
      - bob.set: {path: other, value: $(what)}
      - expect: {alice.feed: [{child_added: k, value: 1, prev: null}, {value: {k: 1}}]}

    """

  private static let project = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The commands that a report prints, run in the project's directory by a shell.
  private func pasted(from output: String) throws -> [Outcome] {
    let commands = output.split(separator: "\n").filter { $0.hasPrefix("  replay  ") }
    return try commands.map { line in
      let command = line.dropFirst(10)
      #expect(command.hasPrefix("tools/kennel "))
      var shell = Program(path: "/bin/sh")
      shell.directory = Self.project
      shell.environment["KENNEL_HOME"] = nil
      return try shell.run(["-c", Program.kennel.path + command.dropFirst("tools/kennel".count)])
    }
  }

  @Test(arguments: [
    ["run"], ["run", "--seeds", "1..3"], ["run", "--seed", "4"], ["explore"],
    ["explore", "--deliveries"], ["explore", "--seed", "2"], ["run", "--trace", "."],
  ])
  func `a failure of a file anywhere`(words: [String]) throws {
    let folder = try Folder()
    let file = "a file.yaml"
    try folder.write(Self.simple, to: file)

    let outcome = try folder.kennel(words + [file, "--client", "value-first"])
    let again = try pasted(from: outcome.output)

    #expect(outcome.status == 1, "\(outcome.output)")
    #expect(!again.isEmpty)
    for outcome in again where !outcome.output.hasPrefix("replayed exactly") {
      #expect(outcome.status == 1, "\(outcome.messages)")
      #expect(outcome.output.contains("FAIL  A value comes last"), "\(outcome.output)")
      #expect(outcome.output.hasSuffix("\n0 passed, 1 failed, 0 skipped\n"))
    }
  }

  @Test func `a trace of an adapter is replayed, and explained, with its command`() throws {
    let folder = try Folder()
    let command = ["--", Program.kennel.path, "adapter", "--client", "no-refill"]
    let words = ["limits/refill-after-foreign-removal", "--profile", "firebase", "--trace", "."]

    let outcome = try folder.kennel(["run"] + words + command)
    let again = try pasted(from: outcome.output)
    let trace = "limits_refill-after-foreign-removal.firebase.trace.jsonl"
    let unnamed = try folder.kennel(["why", trace])
    let named = try folder.kennel(["why", trace] + command)

    #expect(outcome.output.contains(".trace.jsonl -- /"))
    #expect(again.count == 2)
    #expect(again.last?.status == 0, "\(again)")
    #expect(again.last?.output.hasPrefix("replayed exactly") == true)
    #expect(unnamed.status == 2)
    #expect(unnamed.messages.contains("name it again: tools/kennel why \(trace) -- /"))
    #expect(
      named.output.contains("expected child_added /room/c, but the client raised value /room"))
  }

  @Test func `why explains the run of a trace, with its client`() throws {
    let folder = try Folder()
    let words = ["limits/refill-after-foreign-removal", "--profile", "firebase", "--trace", "."]
    _ = try folder.kennel(["run", "--client", "no-refill"] + words)

    let why = try folder.kennel([
      "why", "limits_refill-after-foreign-removal.firebase.trace.jsonl",
    ])

    #expect(why.status == 1)
    #expect(why.output.contains("expected child_added /room/c, but the client raised value /room"))
  }

  @Test(arguments: [
    ["run", "limits/refill-after-foreign-removal", "--client", "no-refill"],
    ["run", "--metamorphic", "limits/refill-after-foreign-removal", "--client", "no-refill"],
    ["explore", "--faults", "writes/local-echo", "--client", "data-over-pending-writes"],
  ])
  func `a failure of a scenario of the project`(words: [String]) throws {
    let folder = try Folder()

    let outcome = try folder.kennel(words + ["--profile", "firebase"])
    let again = try pasted(from: outcome.output)

    #expect(outcome.status == 1, "\(outcome.output)")
    #expect(!again.isEmpty, "\(outcome.output)")
    for outcome in again {
      #expect(outcome.status == 1, "\(outcome.output)\(outcome.messages)")
    }
  }
}
