import ClientInterface
import Conformance
import TestKit
import Testing

/// A run in which a client threw an exception of its own never passes.
@Suite struct UncaughtTests {
  private static let exception = UncaughtException(
    "cache of /room/a7 is not full for \"w\", before 12 merges", type: "TypeError",
    stack: "at merge (cache.js:7)\nat apply (tree.js:40)")

  private let script: [String: [ClientOutput]] = [
    "w": [.uncaught(Self.exception), .completed("w", .ok)]
  ]

  private let passes = """
    clients: [alice]
    steps:
      - alice.set: {path: a, value: 1, as: w}
      - expect: {alice.w: {ok: true}}
    """

  @Test func `it is told with its words and where it was thrown`() throws {
    let report = try Kit.report(passes, script: script)

    #expect(
      report.hasPrefix(
        """
        FAIL  An example   step 2 of 2   rule ERR-14
              Scenarios/test/example.yaml:7

          the client threw an exception that was not caught: TypeError: cache
        """), "\(report)")
    #expect(report.contains("    at merge (cache.js:7)\n    at apply (tree.js:40)\n"), "\(report)")
  }

  @Test func `its signature has no names, numbers and paths of the run`() throws {
    let result = try Kit.run(passes) { [script] _, _ in ScriptedClient(script: script) }

    #expect(result.verdict == .fail)
    #expect(result.signature == Signature("uncaught typeerror cache of is not full for"))
    #expect(result.divergences.map(\.kind.name) == ["uncaught"])
    #expect(result.divergences.map(\.rules) == [["ERR-14"]])
  }

  @Test func `nothing that a scenario expects or excuses lets it pass`() throws {
    let texts = [
      passes.replacing("{alice.w: {ok: true}}", with: "{one-of: [{alice.w: {ok: true}}, {}]}"),
      "judge: invariants\nclients: [alice]\nsteps:\n  - alice.set: {path: a, value: 1, as: w}\n"
        + "  - settle",
      passes + "\n  - expect: {}",
    ]

    for text in texts {
      let result = try Kit.run(text) { [script] _, _ in ScriptedClient(script: script) }
      #expect(result.verdict == .fail, "\(text)")
      #expect(result.divergences.first?.kind.name == "uncaught", "\(text)")
    }
  }
}
