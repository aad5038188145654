import Document
import Scenario
import ScenarioFiles
import Testing

/// Scenarios that a live server begins with, and nobody runs.
@Suite struct SettingTests {
  private func read(_ text: String, for purpose: ScenarioReader.Purpose) -> ScenarioReader.Result {
    ScenarioReader.read(
      file: "s.yaml", bytes: Array(text.utf8), load: { _ in nil }, for: purpose)
  }

  @Test func `rules alone are enough`() {
    let text = "security:\n  rules:\n    a: {.read: true}\n"

    let setting = read(text, for: .setting)
    #expect(setting.problems.isEmpty, "\(setting.problems)")
    #expect(setting.scenarios.first?.databaseRules != nil)
    #expect(setting.scenarios.first?.steps.isEmpty == true)
    #expect(
      read(text, for: .run).problems.map(\.message) == [
        "a scenario has no clients; expected clients: ...",
        "a scenario has no kennel; expected kennel: 1",
        "a scenario has no rules; expected rules: ...",
        "a scenario has no steps; expected steps: ...",
        "a scenario has no title; expected title: ...",
      ])
  }

  @Test func `what is there is checked`() {
    #expect(
      read("rules: [EVT-1]\nsteps: [{alice.set: {path: a}}]\n", for: .setting).problems.isEmpty
        == false)
  }
}
