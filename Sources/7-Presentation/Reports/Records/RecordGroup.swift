internal import KnownFailures

/// Runs of one scenario that went the same way in several profiles, so that they are reported once.
struct RecordGroup {
  /// The first of them, which stands for all.
  let first: RunRecord
  private(set) var profiles: [String]

  /// `wilddog-2, firebase`.
  var names: String { profiles.joined(separator: ", ") }

  /// Groups runs, in the order of the first of each group.
  ///
  /// - Parameters:
  ///   - records: In the order in which they were run.
  ///   - isSame: Whether two runs of one scenario, in different profiles, are reported as one.
  /// - Returns: the groups.
  static func groups(
    of records: [RunRecord], where isSame: (RunRecord, RunRecord) -> Bool
  ) -> [RecordGroup] {
    var groups: [RecordGroup] = []
    for record in records {
      let open = groups.indices.reversed().prefix {
        groups[$0].first.scenario == record.scenario && groups[$0].first.file == record.file
      }
      let group = open.reversed().first {
        !groups[$0].profiles.contains(record.profile) && isSame(groups[$0].first, record)
      }
      if let group {
        groups[group].profiles.append(record.profile)
      } else {
        groups.append(RecordGroup(first: record, profiles: [record.profile]))
      }
    }
    return groups
  }
}

extension RunRecord {
  /// Whether another run of the same scenario failed alike in all that reports contain.
  func failsLike(_ other: RunRecord) -> Bool {
    verdict == other.verdict && knownStatus.word == other.knownStatus.word
      && message == other.message
      && rule == other.rule && signature == other.signature
      && report.findings == other.report.findings
  }
}
