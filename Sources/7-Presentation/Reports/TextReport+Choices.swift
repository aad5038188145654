internal import ClientInterface
public import Conformance
internal import Scenario
internal import Text
internal import Trace

extension TextReport {
  /// What is worth a word about a run that need not have failed: choices that its scenario states
  /// and that came to nothing.
  static func notes(on result: ScenarioResult) -> [String] {
    lines(of: result.unusedChoices, "nothing asked for")
      + lines(of: result.loweredChoices, "more than can be chosen; the most that can was")
  }

  /// The notes on runs of one scenario as text.
  public static func text(ofNotesOn results: [ScenarioResult]) -> String {
    text(ofNotes: results.map { ($0.scenario.id, notes(on: $0), $0.profile.name) })
  }

  /// The notes on runs as text. What is the same for one scenario in several profiles is reported
  /// once.
  static func text(
    ofNotes runs: [(id: String, notes: [String], profile: String)]
  ) -> String {
    var reported: [(id: String, notes: [String], profiles: [String])] = []
    for (id, notes, profile) in runs where !notes.isEmpty {
      if let index = reported.firstIndex(where: { $0.id == id && $0.notes == notes }) {
        reported[index].profiles.append(profile)
      } else {
        reported.append((id, notes, [profile]))
      }
    }
    return reported.map { id, notes, profiles in
      "note  \(ascii(id))  \(profiles.joined(separator: ", "))\n"
        + notes.map { "      " + $0 + "\n" }.joined() + "\n"
    }.joined()
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
