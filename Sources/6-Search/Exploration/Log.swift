internal import Conformance

/// What the runs of a search came to.
struct Log {
  private(set) var orders = 0
  private(set) var failures = 0
  private(set) var findings: [Survey.Finding] = []
  private(set) var failure: Survey.Failure?
  private(set) var reached: Set<Alternative> = []
  /// How the first run was judged.
  private(set) var first: ScenarioResult?
  /// Where in `findings` an upshot is.
  private var places: [Key: Int] = [:]

  /// The same upshot can be within a pattern or not, as patterns may tell times.
  private struct Key: Hashable {
    var upshot: Upshot
    var hasFailed: Bool
  }

  /// Takes a run that is over.
  mutating func add(_ run: OpenRun, _ order: Order) {
    orders += 1
    reached.formUnion(run.reached)
    if first == nil { first = run.result }
    if run.hasFailed {
      failures += 1
      if failure == nil { failure = Survey.Failure(run, witness: order) }
    }
    let key = Key(upshot: run.upshot, hasFailed: run.hasFailed)
    if let place = places[key] {
      findings[place].count += 1
    } else {
      places[key] = findings.count
      findings.append(
        Survey.Finding(upshot: key.upshot, hasFailed: key.hasFailed, witness: order))
    }
  }
}
