internal import Conformance
internal import KnownFailures
internal import Text
internal import Wording

/// Runs that failed of one cause, so that it is explained once.
struct CauseGroup {
  /// What they have in common: `missing-event child_moved`, `inv-39`, `crash`, `stale`.
  let cause: String
  /// The runs by scenario, in the order in which they were run; what went the same way in several
  /// profiles is one group.
  private(set) var groups: [RecordGroup] = []

  /// The run whose report explains all of them.
  var first: RunRecord? { groups.first?.first }

  /// `227 runs of 76 scenarios`, or `1 run`.
  var extent: String {
    let runs = groups.reduce(0) { $0 + $1.profiles.count }
    let scenarios = Set(groups.map(\.first.scenario)).count
    return counted(runs, "run") + (runs > 1 ? " of \(counted(scenarios, "scenario"))" : "")
  }

  /// Groups runs by their causes, in the order in which these came up.
  static func groups(of records: [RunRecord]) -> [CauseGroup] {
    var causes: [CauseGroup] = []
    var indices: [String: Int] = [:]
    for group in RecordGroup.groups(of: records, where: { $0.failsLike($1) }) {
      let cause = group.first.cause
      if let index = indices[cause] {
        causes[index].groups.append(group)
      } else {
        indices[cause] = causes.count
        causes.append(CauseGroup(cause: cause, groups: [group]))
      }
    }
    return causes
  }
}

extension RunRecord {
  /// What it has in common with other failures that need no explanation of their own.
  var cause: String {
    switch knownStatus {
    case .stale: "stale"
    case .unlisted, .known, .different, .expired: failureCause
    }
  }
}

/// Which causes of failures have been explained, so that each is once.
public struct CauseLog {
  private var explained: Set<String> = []

  /// Begins where nothing is explained.
  public init() {}

  /// The runs that are still to be reported: those with a new cause, and of these only the ones that
  /// went the same way as the first. Runs that did not fail are all kept.
  public mutating func unexplained(_ records: [RunRecord]) -> [RunRecord] {
    var firsts: [String: RunRecord] = [:]
    let kept = records.filter { record in
      guard record.outcome == .failed || record.outcome == .advised else { return true }
      if let first = firsts[record.cause] { return first.failsLike(record) }
      if explained.contains(record.cause) { return false }
      firsts[record.cause] = record
      return true
    }
    explained.formUnion(firsts.keys)
    return kept
  }
}
