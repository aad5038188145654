internal import ClientInterface
public import Conformance
internal import Scenario
internal import Text
internal import Trace

extension TextReport {
  /// What is worth a word about runs that need not have failed: choices that their scenarios state
  /// and that came to nothing. What is the same in several profiles is reported once.
  public func notes(on results: [ScenarioResult]) -> String {
    var reported: [(id: String, lines: [String], profiles: [String])] = []
    for result in results {
      let lines =
        Self.lines(of: result.unusedChoices, "nothing asked for")
        + Self.lines(of: result.loweredChoices, "more than can be chosen; the most that can was")
      if lines.isEmpty { continue }
      if let index = reported.firstIndex(where: { $0.lines == lines }) {
        reported[index].profiles.append(result.profile.name)
      } else {
        reported.append((result.scenario.id, lines, [result.profile.name]))
      }
    }
    var text = ""
    for (id, lines, profiles) in reported {
      text += "note  \(ascii(id))  \(profiles.joined(separator: ", "))\n"
      text += lines.map { "      " + $0 + "\n" }.joined() + "\n"
    }
    return text
  }

  /// How many choices are reported.
  private static let reportedChoices = 10

  /// Choices below a line that says what is wrong with them; nothing when there are none.
  static func lines(of choices: [Scenario.Choice], _ heading: String) -> [String] {
    if choices.isEmpty { return [] }
    let reported = choices.prefix(reportedChoices).map { choice in
      Truncation.middle(of: "  " + ascii(choice.description), to: width - 6)
    }
    let rest = choices.count - reported.count
    return [heading] + reported + (rest > 0 ? ["  ... and \(rest) more"] : [])
  }

  /// Both sides of the first event that another run did not share.
  func differenceLines(_ result: ScenarioResult) -> [String] {
    guard let difference = result.firstDifference else { return [] }
    let firstDifference = TraceFirstDifference(
      number: difference.number, before: Array(result.trace.events.prefix(difference.number)),
      first: difference.first, second: difference.second, dialect: result.profile.dialect)
    return DifferenceTable(firstDifference, clients: result.scenario.clients).lines(
      "(- this run, + the other one)")
  }
}
