import ClientInterface
import Conformance
import Mutants
import ReferenceClient
import Reports
import Scenario
import Search
import TestKit
import Testing
import Wire

/// What did not happen is explained by what a conforming client does there.
@Suite struct AbsenceTests {
  struct Defect: CustomTestStringConvertible {
    var mutant: String
    var steps: String
    /// What `kennel why` says is missing, with its moment.
    var missing: String

    init(_ mutant: String, _ steps: String, _ missing: String) {
      (self.mutant, self.steps, self.missing) = (mutant, steps, missing)
    }

    var testDescription: String { mutant }
  }

  private static let offlineWrite = """
    steps:
      - network.cut: alice
      - alice.set: {path: doc, value: 2, as: w}
      - network.heal: alice
      - expect: {alice.w: {ok: true}}
    """

  static let defects = [
    Defect(
      "dropped-write", offlineWrite,
      #"ms, after "hello", a conforming client sends put /doc 2"#),
    Defect(
      "nothing-ends",
      """
      steps:
        - alice.set: {path: doc, value: 2, as: w}
        - expect: {alice.w: {ok: true}}
      """,
      #"at 60 ms, after "answer ok", a conforming client ends w with ok"#),
    Defect(
      "no-second-try",
      """
      steps:
        - network.cut: alice
        - network.heal: alice
        - settle
      """,
      #"ms, after "connection lost", a conforming client asks for a connection again"#),
    Defect(
      "listens-not-restored",
      """
      data: {doc: 1}
      steps:
        - alice.listen: {path: doc, event: value, as: feed}
        - expect: {alice.feed: [{value: 1}]}
        - network.cut: alice
        - server.set: {path: doc, value: 2}
        - network.heal: alice
        - expect: {alice.feed: [{value: 2}]}
      """,
      #"after "hello", a conforming client sends listen /doc again"#),
    Defect(
      "filtered-listens-not-restored",
      """
      data: {room: {a: 1, b: 2}}
      steps:
        - alice.listen: {path: room, event: value, query: {limitToFirst: 1}, as: feed}
        - expect: {alice.feed: [{value: {a: 1}}]}
        - network.cut: alice
        - server.set: {path: room/a, value: 3}
        - network.heal: alice
        - expect: {alice.feed: [{value: {a: 3}}]}
      """,
      #"after "hello", a conforming client sends listen /room limitToFirst(1)"#),
    Defect(
      "revocation-ignored",
      """
      data: {room: {a: 1}}
      steps:
        - alice.listen: {path: room, event: value, as: feed}
        - expect: {alice.feed: [{value: {a: 1}}]}
        - server.revoke: room
        - expect: {alice.feed: [{cancelled: permission_denied}]}
      """,
      "a conforming client cancels feed: permission_denied"),
    Defect(
      "single-reads-not-cancelled",
      """
      security: [{path: secret, deny: [read]}]
      steps:
        - alice.once: {path: secret, as: read}
        - expect: {alice.read: [{cancelled: permission_denied}]}
      """,
      #"a conforming client cancels read: permission_denied"#),
    Defect(
      "null-is-not-told",
      """
      steps:
        - alice.listen: {path: doc, event: value, as: feed}
        - expect: {alice.feed: [{value: null}]}
      """,
      #"a conforming client raises value = null on feed"#),
    Defect(
      "waiting-on-disconnects-lost",
      """
      steps:
        - network.cut: alice
        - alice.on-disconnect-set: {path: doc, value: 1, as: will}
        - network.heal: alice
        - expect: {alice.will: {ok: true}}
      """,
      #"after "hello", a conforming client sends on-disconnect-put /doc 1"#),
    Defect(
      "credential-not-restored",
      """
      security: [{path: club, deny: [read], unless: authenticated}]
      tokens: {t: {uid: ann}}
      data: {club: 1}
      steps:
        - alice.auth: {token: t}
        - alice.listen: {path: club, event: value, as: feed}
        - expect: {alice.feed: [{value: 1}]}
        - network.cut: alice
        - server.set: {path: club, value: 2}
        - network.heal: alice
        - expect: {alice.feed: [{value: 2}], frames: {alice: {auth: 1}}}
      """,
      #"after "hello", a conforming client sends auth again"#),
    Defect(
      "sign-out-is-not-told",
      """
      tokens: {t: {uid: ann}}
      steps:
        - alice.auth: {token: t}
        - alice.unauth: {}
        - expect: {frames: {alice: {unauth: 1}}}
      """,
      #"a conforming client sends unauth"#),
    Defect(
      "listens-not-taken-back",
      """
      steps:
        - alice.listen: {path: doc, event: value, as: feed}
        - expect: {alice.feed: [{value: null}]}
        - alice.unlisten: feed
        - expect: {frames: {alice: {unlisten: 1}}}
      """,
      #"a conforming client sends unlisten /doc"#),
    Defect(
      "write-in-a-completion-is-not-sent",
      """
      steps:
        - alice.on: {completion: w, do: [{set: {path: second, value: 2, as: later}}]}
        - alice.set: {path: first, value: 1, as: w}
        - expect: {alice.w: {ok: true}, alice.later: {ok: true}}
      """,
      #"a conforming client sends put /second 2"#),
  ]

  static func scenario(_ steps: String) throws -> Scenario {
    try Kit.found("rules: [WRT-10]\nclients: [alice]\n" + steps)
  }

  private func explain(_ defect: Defect) throws -> String? {
    let mutant = try #require(Mutant.all.first { $0.name == defect.mutant })
    let failingSetup = Kit.failingSetup(mutant)
    let scenario = try Self.scenario(defect.steps)
    let explorer = Explorer { mutant.makeClient($1) }
    return failingSetup.explain(scenario, with: explorer)
      .map { WhyReport(Kit.report).text(of: $0) }
  }

  @Test(arguments: defects)
  func `why names the action that is missing, and its moment`(defect: Defect) throws {
    let text = try #require(try explain(defect))
    let sentence = text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")

    #expect(sentence.contains("missing: at "), "\(text)")
    #expect(sentence.contains(defect.missing), "\(text)")
    #expect(sentence.contains("; alice never does"), "\(text)")
  }

  @Test func `the story ends at the moment of the missing action, without waits for another try`()
    throws
  {
    let text = try #require(try explain(Self.defects[0]))

    let lines = text.split(separator: "\n").map(String.init)
    let hello = try #require(lines.firstIndex { $0.contains("alice <- server  hello") })
    #expect(lines[hello + 1].hasSuffix("(missing) sends put /doc 2"), "\(text)")
    #expect(lines.contains { $0.hasSuffix("asks for a connection") }, "\(text)")
    #expect(!text.contains("timer") && !text.contains("%"), "\(text)")
  }

  @Test func `a connection that is not seen to be dead lacks a ping`() throws {
    let scenario = try Self.scenario(
      """
      steps:
        - settle
        - network.half-open: alice
        - settle
      """)
    // It never asks whether its connection is alive.
    let runner = ScenarioRunner {
      ChangedClient(
        $1, output: { if case .setTimer(_, _, .keepAlive) = $1 { nil } else { $1 } })
    }
    let result = runner.run(scenario, in: .wilddog2)

    let text = Kit.report.text(of: result)
    #expect(
      text.contains(#"a conforming client sends a ping"#),
      "\(text)")
  }

  @Test func `nothing is missing where the client did too much`() throws {
    let mutant = try #require(Mutant(named: "values-twice"))
    let scenario = try Self.scenario(
      """
      steps:
        - alice.listen: {path: doc, event: value, as: feed}
        - expect: {alice.feed: [{value: null}]}
      """)
    let result = Kit.failingSetup(mutant).runner.run(scenario, in: .wilddog2)
    let divergence = try #require(result.divergences.first)

    #expect(result.absence(behind: divergence) { ReferenceClient(profile: .wilddog2) } == nil)
  }

  @Test(arguments: Mutant.benign.filter { $0.name != "no-statistics" })
  func `a client that only takes its freedom lacks no request`(variant: Mutant) throws {
    let scenario = try Self.scenario(Self.offlineWrite)
    let result = ScenarioRunner { variant.makeClient($1) }.run(scenario, in: .wilddog2)

    let missing = result.missingActions { ReferenceClient(profile: .wilddog2) }
    #expect(missing.allSatisfy { $0.output == .send(.ping) })
  }
}
