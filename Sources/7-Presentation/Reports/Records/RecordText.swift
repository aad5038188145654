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
      explained.filter { $0.outcome != .known }.map { ($0.text, $0.profile) })
    return failures + locatedFindings(on: records) + notes(on: records)
  }

  /// Notes with the same text but for their first line, which ends with the profile, are reported
  /// once.
  private static func notes(on records: [RunRecord]) -> String {
    var reported: [(head: String, rest: Substring)] = []
    for record in records where !record.notes.isEmpty {
      let head = record.notes.prefix { $0 != "\n" }
      let rest = record.notes.dropFirst(head.count)
      if let index = reported.firstIndex(where: { $0.rest == rest }) {
        reported[index].head += ", " + record.profile
      } else {
        reported.append((String(head), rest))
      }
    }
    return reported.map { $0.head + $0.rest }.joined()
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
