internal import KnownFailures
internal import Text

extension RunRecord {
  /// What is reported about one scenario in several profiles; what went the same way in several is
  /// reported once. Known failures are not reported: that they are known is enough.
  public static func text(of records: [RunRecord]) -> String { text(of: records, records) }

  /// The text of records in which a cause that has been explained before is not explained again.
  public static func text(of records: [RunRecord], after causes: inout CauseLog) -> String {
    text(of: records, causes.unexplained(records))
  }

  private static func text(of records: [RunRecord], _ explained: [RunRecord]) -> String {
    let failures = TextReport.merged(
      explained.filter { $0.outcome != .known }.map { ($0.report, $0.profile) })
    return failures + locatedFindings(on: records)
      + TextReport.text(ofNotes: records.map { ($0.scenario, $0.notes, $0.profile) })
  }

  /// How runs compare with the list of known failures, where that makes them fail.
  private static func locatedFindings(on records: [RunRecord]) -> String {
    let found = records.filter { $0.outcome == .failed && $0.knownStatus.word != nil }
    let groups = RecordGroup.groups(of: found) { $0.knownStatus == $1.knownStatus }
    return groups.map { group in
      guard let word = group.first.knownStatus.word, let sentence = group.first.knownStatus.sentence
      else { return "" }
      let lines = ascii(sentence).wrapped(to: TextReport.width - 2)
      let head = "\(word.uppercased())  \(ascii(group.first.scenario))  \(group.names)"
      return ([head] + lines.map { "  " + $0 } + [""]).map { $0 + "\n" }.joined()
    }.joined()
  }
}
