import ClientInterface
import Conformance
import Document
import Scenario
import TestKit
import Testing

@Suite struct CitedRulesTests {
  @Test func `what holds in every run follows from rules that clients must obey`() throws {
    let book = try Kit.projectRules()
    let ids = Invariant.all.map(\.rule)

    for id in ids {
      #expect(book[try #require(RuleID(id))]?.level == .must, "\(id)")
    }
  }

  @Test func `a scenario cites only rules that hold in all its profiles`() throws {
    let book = try Kit.projectRules()
    var strays: [String] = []

    for scenario in try Kit.projectScenarios() {
      for citation in scenario.rules {
        guard let id = RuleID(citation.id), let rule = book[id] else { continue }
        for profile in scenario.profiles where !rule.holds(for: profile.name) {
          strays.append("\(scenario.id): \(id) does not hold in \(profile.name)")
        }
      }
    }

    #expect(strays == [])
  }

  @Test(
    arguments: [
      ("EVT-7, PRI-5", "{child_moved: a, value: 1}", "EVT-11"),
      ("EVT-7, PRI-11", "{child_moved: a, value: 1}", "PRI-11"),
      ("ACC-4, ACC-1", "{cancelled: permission_denied}", "ACC-1"),
      ("LIM-7, EVT-4", "{child_added: a, value: 1}", "LIM-7"),
    ])
  func `a report states the rule about what is missing`(
    cited: String, event: String, rule: String
  ) throws {
    var scenario = try Kit.scenario(
      """
      clients: [alice]
      steps:
        - alice.listen: {path: room, as: feed}
          expect: {alice.feed: [\(event)]}
      """)
    let position = Position(line: 1, column: 1)
    scenario.rules = cited.split(separator: ", ").map { .init(id: String($0), position: position) }
    var runner = ScenarioRunner { _, _ in ScriptedClient(script: [:]) }
    runner.invariants = .ignored

    let rules = runner.run(scenario, in: .wilddog2).divergences.first?.rules
    #expect(rules?.first == rule)
  }
}
