internal import ClientInterface
public import Conformance
internal import KnownFailures
internal import Scenario
public import Trace
internal import Tree

/// What a run as a whole has shown.
public struct Summary {
  /// What counts of one run.
  struct Row {
    var scenario: String
    var profile: String
    var verdict: Verdict
    var reason: String?
    var outcome: RunRecord.Outcome
    var knownStatus: KnownFailureStatus
    var signature: String?
    /// What it has in common with other failures that need no explanation of their own.
    var cause: String
    var rule: String?
  }

  let rows: [Row]
  let seed: UInt64
  let milliseconds: Double?
  /// How many runs were selected and not made.
  let left: Int
  /// Why they were not made, in a sentence without a full stop; `nil` when enough had failed.
  let stop: String?
  /// Whether runs were compared with a list of known failures.
  let hasList: Bool
  /// Whether all failures of a cause are listed, however many there are.
  var listsAll = false

  /// - Parameters:
  ///   - results: In the order in which they were run.
  ///   - seed: The seed of the run.
  ///   - milliseconds: How long it took by the clock on the wall; `nil` leaves it out.
  public init(of results: [ScenarioResult], seed: UInt64, milliseconds: Double? = nil) {
    self.init(
      results.map { result in
        Row(
          scenario: result.scenario.id, profile: result.profile.name, verdict: result.verdict,
          reason: result.reason, outcome: RunRecord.Outcome(result.verdict), knownStatus: .unlisted,
          signature: result.signature?.text,
          cause: result.cause?.text ?? result.verdict.rawValue,
          rule: result.divergences.first?.rules.first)
      }, seed, milliseconds)
  }

  /// - Parameters:
  ///   - records: In the order in which they were run.
  ///   - left: How many runs were selected and not made.
  ///   - stop: Why they were not made, in a sentence; `nil` when enough had failed.
  ///   - hasList: Whether they were compared with a list of known failures.
  ///   - listsAll: Whether all failures of a cause are listed, however many there are.
  ///   - seed: The seed of the run.
  ///   - milliseconds: How long it took by the clock on the wall; `nil` leaves it out.
  public init(
    of records: [RunRecord], left: Int = 0, stop: String? = nil, hasList: Bool = false,
    listsAll: Bool = false, seed: UInt64, milliseconds: Double? = nil
  ) {
    self.init(
      records.map { record in
        Row(
          scenario: record.scenario, profile: record.profile, verdict: record.verdict,
          reason: record.reason, outcome: record.outcome, knownStatus: record.knownStatus,
          signature: record.signature, cause: record.cause, rule: record.rule)
      }, seed, milliseconds, left: left, stop: stop, hasList: hasList)
    self.listsAll = listsAll
  }

  private init(
    _ rows: [Row], _ seed: UInt64, _ milliseconds: Double?, left: Int = 0, stop: String? = nil,
    hasList: Bool = false
  ) {
    self.rows = rows
    self.seed = seed
    self.milliseconds = milliseconds
    self.left = left
    self.stop = stop
    self.hasList = hasList
  }

  /// How the runs count in the last line, where known failures are skipped.
  public var tally: Tally {
    Tally(
      passed: runs(.passed) + runs(.advised), failed: runs(.failed),
      skipped: runs(.skipped) + runs(.known))
  }

  /// How many runs came out so.
  func runs(_ outcome: RunRecord.Outcome) -> Int { rows.count { $0.outcome == outcome } }

  /// Whether no run passed or failed, so that nothing is known of the client.
  public var isEmpty: Bool { rows.allSatisfy { $0.verdict.count == .skipped } }

  /// How many runs were not judged because the client lacks something, or is of another profile.
  var unsupported: Int { rows.count { $0.verdict == .unsupported } }

  /// `selected 412 = ran 398 + unsupported 14`.
  public var selection: String {
    let selected = rows.count + left
    var parts = ["ran \(rows.count - unsupported)"]
    if unsupported > 0 { parts.append("unsupported \(unsupported)") }
    if left > 0 { parts.append("not run \(left)") }
    return "selected \(selected) = " + parts.joined(separator: " + ")
  }
}

extension RunRecord.Outcome {
  /// How a run counts that is compared with no list.
  init(_ verdict: Verdict) {
    switch verdict.count {
    case _ where verdict == .advice: self = .advised
    case .passed: self = .passed
    case .failed: self = .failed
    case .skipped: self = .skipped
    }
  }
}

/// A seed as a number, or as text when it is too large for a number of JSON.
func seedJSON(_ seed: UInt64) -> JSON {
  seed < 1 << 53 ? .number(Double(seed)) : .string(String(seed))
}
