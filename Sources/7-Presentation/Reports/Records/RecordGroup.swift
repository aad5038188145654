internal import Conformance
internal import Document

/// Runs of one scenario that went the same way in several profiles, so that they are reported once.
struct RecordGroup {
  /// The first of them, which stands for all.
  let first: RunRecord
  private(set) var profiles: [String]
  /// How many runs that are.
  private(set) var runs: Int

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
        groups[group].runs += record.runs
      } else {
        groups.append(RecordGroup(first: record, profiles: [record.profile], runs: record.runs))
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

/// Runs that failed of one cause, so that it is explained once.
struct CauseGroup {
  /// What they have in common: `missing-event child_moved`, `inv-39`, `crash`, `stale`.
  let cause: String
  /// The runs by scenario, in the order in which they were run; what went the same way in several
  /// profiles is one group.
  let groups: [RecordGroup]

  /// `227 runs of 76 scenarios`, or `1 run`.
  var extent: String {
    let runs = groups.reduce(0) { $0 + $1.runs }
    let scenarios = Set(groups.map(\.first.scenario)).count
    return counted(runs, "run") + (runs > 1 ? " of \(counted(scenarios, "scenario"))" : "")
  }

  /// Groups runs by their causes, in the order in which these came up; the simplest scenario of each
  /// is the first of its group.
  static func groups(of records: [RunRecord]) -> [CauseGroup] {
    RecordGroup.groups(of: records) { $0.failsLike($1) }.grouped { $0.first.cause }
      .map { CauseGroup(cause: $0[0].first.cause, groups: $0.simplestFirst(by: \.first.steps)) }
  }
}

extension RunRecord {
  /// What it has in common with other failures that need no explanation of their own.
  var cause: String {
    switch knownStatus {
    case .stale: "stale"
    case .unlisted, .known, .different, .expired, .renamed: failureCause
    }
  }
}

extension RunRecord {
  /// The run by which each cause is explained: one that failed, or was advised where none has failed of it.
  static func simplest(of records: [RunRecord]) -> [String: RunRecord] {
    let simplest = [Outcome.failed, .advised].flatMap { outcome in
      CauseGroup.groups(of: records.filter { $0.outcome == outcome })
        .map { ($0.cause, $0.groups[0].first) }
    }
    return Dictionary(simplest) { first, _ in first }
  }
}

extension Array {
  /// Those with the fewest steps first; of equals the order stays.
  func simplestFirst(by steps: (Element) -> Int) -> [Element] {
    enumerated().sorted { (steps($0.element), $0.offset) < (steps($1.element), $1.offset) }
      .map(\.element)
  }
}
