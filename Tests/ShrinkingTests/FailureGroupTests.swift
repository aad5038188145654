import ClientInterface
import Conformance
import Mutants
import ReferenceClient
import Scenario
import Search
import TestKit
import Testing

/// Failures of one cause are one group, and the rule is named that they break.
@Suite struct FailureGroupTests {
  @Test func `as few causes as possible explain all failures`() {
    let failures = [
      ["missing-event value", "missing event on refusal"],
      ["missing-event child_removed", "missing event on refusal"], ["inv-39"],
    ]

    #expect(
      FailureGroups.causes(of: failures)
        == ["missing event on refusal", "missing event on refusal", "inv-39"])
    #expect(FailureGroups.causes(of: [["a", "b"], ["b", "a"], ["c"]]) == ["a", "a", "c"])
    // What a failure names twice is no more likely.
    #expect(FailureGroups.causes(of: [["a", "c", "a"], ["b", "c", "b"]]) == ["c", "c"])
    #expect(FailureGroups.causes(of: []) == [])
  }

  @Test func `the rule is named whose scenarios fail, rather than one that most pass`() {
    let broken = BrokenRule(passed: [["EVT-8", "WRT-8"]] + Array(repeating: ["EVT-8"], count: 7))
    let failures: [(cited: [String], own: String?, causes: [String])] = [
      (["EVT-8", "WRT-14"], nil, []), (["WRT-14"], nil, []),
    ]

    #expect(broken.rule(of: failures) == "WRT-14")
    #expect(broken.rule(of: [(["EVT-8"], "OFF-3", [])]) == "OFF-3")
    #expect(broken.rule(of: [([], nil, [])]) == nil)
  }

  @Test func `what the client did when it should not speaks for a rule that is about that`() {
    let broken = BrokenRule(passed: [])

    #expect(
      broken.rule(of: [(["TXN-3", "WRT-14"], nil, ["inv-1", "missing event on refusal"])])
        == "WRT-14")
    #expect(RuleHints.rules(for: ["extra event on ok", "extra event value"]).last == "EVT-13")
  }

  @Test func `every rule that a cause hints at is in the rule book`() throws {
    let book = try Kit.projectRules().rules.map(\.id.description)

    let hinted = RuleHints.rules(for: RuleHints.examples)
    #expect(hinted.count > 30)
    #expect(hinted.filter { !book.contains($0) } == [])
  }

  @Test func `groups that mix causes are not pure, and causes in several are not complete`() {
    var quality = GroupQuality()
    quality.add([("a", "1"), ("a", "1"), ("a", "2"), ("b", "2"), ("c", "2")])
    quality.add([("a", "3")])

    #expect((quality.failures, quality.groups, quality.causes) == (6, 4, 3))
    #expect(quality.purity == 5.0 / 6)
    #expect(quality.completeness == 4.0 / 6)
    #expect(
      quality.figures(of: "2 clients").map(\.text)
        == ["6 failures of 2 clients, in 4 groups of 3 causes", "5 of 6 (83 %)", "4 of 6 (66 %)"])
  }

  private static let write = """
    steps:
      - alice.set: {path: doc, value: 2, as: w}
      - expect: {alice.w: {ok: true}}
    """

  @Test(arguments: [
    ("nothing-ends", write, ["missing completed on ok", "missing completed"], "WRT-10"),
    (
      "listens-not-restored",
      """
      data: {doc: 1}
      steps:
        - alice.listen: {path: doc, event: value, as: feed}
        - expect: {alice.feed: [{value: 1}]}
        - network.drop: alice
        - server.set: {path: doc, value: 2}
        - expect: {alice.feed: [{value: 2}]}
      """, ["missing send listen on connection", "missing send listen"], "CON-10"
    ),
  ])
  func `a failure can be put down to where the client first differs, and cites the rule about that`(
    _ name: String, _ steps: String, _ causes: [String], _ broken: String
  ) throws {
    let scenario = try Kit.scenario(
      "clients: [alice]\n" + steps, rules: "EVT-3, WRT-10, CON-10, EVT-1")
    let result = Kit.runner(client: name).run(scenario, in: .firebase)

    let found = result.possibleCauses { ReferenceClient(profile: .firebase) }
    #expect(Array(found.dropFirst()) == causes, "\(found)")
    #expect(result.divergences[0].rules[0] == "EVT-3")
    let cited = result.citing(causes: found).divergences[0].rules
    #expect(cited[0] == broken && Set(cited) == ["EVT-3", "WRT-10", "CON-10", "EVT-1"])
    // The kind of event says less than the scenario, and a rule that it does not cite nothing.
    let others = ["missing-event value", "missing event on refusal"]
    #expect(result.citing(causes: others).divergences[0].rules[0] == "EVT-3")
  }
}
