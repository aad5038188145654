internal import Conformance
public import Metamorphic
internal import Reports
internal import Scenario
internal import Text

extension SearchReport {
  /// The trials of one scenario in several profiles: a failure of the scenario itself as in any
  /// run, and for each change that made a difference what it was and how the changed scenario
  /// failed.
  public func text(of trials: [Trial]) -> String {
    var variants = report
    variants.isMetamorphic = true
    return report.text(of: trials.map(\.original))
      + ScenarioChange.allCases.map { change in
        let failed = trials.flatMap(\.differing).filter { $0.change == change }.map(\.result)
        guard let first = failed.first else { return "" }
        return heading(of: change, first.scenario) + variants.text(of: failed)
      }.joined()
  }

  private func heading(of change: ScenarioChange, _ scenario: Scenario) -> String {
    let sentence = "passes unchanged, but not with \(change.phrase)"
    let lines = ["differs   \(ascii(scenario.id))  \(change.name)"] + Self.wrapped(sentence) + [""]
    return lines.map { $0 + "\n" }.joined()
  }
}
