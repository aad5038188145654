import ClientInterface
import Rules
import Scenario
import Testing

@Suite struct CitedRulesTests {
  @Test func `what holds in every run follows from rules that clients must obey`() throws {
    let book = ScenarioFiles.rules()
    let ids = Invariant.all.map(\.rule)

    for id in ids {
      #expect(book[try #require(RuleID(id))]?.level == .must, "\(id)")
    }
  }

  @Test func `a scenario cites only rules that hold in all its profiles`() throws {
    let book = ScenarioFiles.rules()
    var strays: [String] = []

    for scenario in ScenarioFiles.scenarios() {
      for citation in scenario.rules {
        guard let id = RuleID(citation.id), let rule = book[id] else { continue }
        for profile in scenario.profiles where !rule.holds(for: profile.name) {
          strays.append("\(scenario.id): \(id) does not hold in \(profile.name)")
        }
      }
    }

    #expect(strays == [])
  }
}
