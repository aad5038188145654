internal import Conformance

/// What the runs of a search came to.
struct ExplorationLog {
  private(set) var orders = 0
  /// How many orders a reduced search began and left, as what would have followed had been tried.
  private(set) var blocked = 0
  /// Whether every order is kept, for what runs them again.
  var keepsOrders = false
  private(set) var kept: [Order] = []
  private(set) var failures = 0
  private(set) var findings: [ExplorationResult.Finding] = []
  private(set) var failure: ExplorationResult.Failure?
  private(set) var heldAlternatives: Set<Alternative> = []
  /// How the first run was judged.
  private(set) var first: ScenarioResult?
  /// Where in `findings` an outcome is.
  private var indices: [Key: Int] = [:]

  /// The same outcome can be within a pattern or not, as patterns may contain times.
  private struct Key: Hashable {
    var runOutcome: RunOutcome
    var hasFailed: Bool
  }

  mutating func addBlocked() { blocked += 1 }

  /// Takes a run that is over.
  mutating func add(_ run: SearchRun, _ order: Order) {
    let run = run.run
    orders += 1
    if keepsOrders { kept.append(order) }
    heldAlternatives.formUnion(run.heldAlternatives)
    if first == nil { first = run.result }
    if run.hasFailed {
      failures += 1
      if failure == nil { failure = ExplorationResult.Failure(run, witness: order) }
    }
    let key = Key(runOutcome: run.runOutcome, hasFailed: run.hasFailed)
    if let index = indices[key] {
      findings[index].count += 1
    } else {
      indices[key] = findings.count
      findings.append(
        ExplorationResult.Finding(
          runOutcome: key.runOutcome, hasFailed: key.hasFailed, witness: order))
    }
  }
}

/// When a search stops before it has tried everything.
struct SearchLimits {
  /// At how many orders, those of earlier searches into the same log included.
  var orders: Int
  var hasGivenUp: () -> Bool = { false }
  /// What a reduced search overlooks, for tests.
  var oversight: Oversight?

  func allow(_ log: ExplorationLog) -> Bool { log.orders < orders && !hasGivenUp() }
}
