internal import ClientInterface
public import Conformance
internal import Scenario
internal import Trace

extension TextReport {
  /// What is worth a word about runs that need not have failed: choices that their scenarios state
  /// and that they never came to. What is the same in several profiles is told once.
  public func notes(on results: [ScenarioResult]) -> String {
    var told: [(id: String, choices: [Scenario.Choice], profiles: [String])] = []
    for result in results where !result.unusedChoices.isEmpty {
      let choices = result.unusedChoices
      if let index = told.firstIndex(where: { $0.choices == choices }) {
        told[index].profiles.append(result.profile.name)
      } else {
        told.append((result.scenario.id, choices, [result.profile.name]))
      }
    }
    return told.flatMap { id, choices, profiles in
      ["note  \(ascii(id))  \(profiles.joined(separator: ", "))", "      nothing asked for"]
        + choices.map { Shortening.cut("        \(ascii($0.description))", to: Self.width) } + [""]
    }.map { $0 + "\n" }.joined()
  }

  /// Both sides of the first event that another run did not share.
  func partingLines(_ result: ScenarioResult) -> [String] {
    guard let difference = result.parting else { return [] }
    let parting = TraceParting(
      number: difference.number, before: Array(result.trace.events.prefix(difference.number)),
      first: difference.first, second: difference.second, dialect: result.profile.dialect)
    return PartingTable(parting, clients: result.scenario.clients).lines(
      "(- this run, + the other one)")
  }
}
