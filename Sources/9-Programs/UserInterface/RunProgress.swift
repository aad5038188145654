import Reports

/// What waits to be run, and what each run has come to.
///
/// All pages share it: one that is opened later, or again, gets the same results and starts nothing.
struct RunProgress {
  /// A scenario in one profile, with the seed and the order that are usual.
  struct Place: Hashable {
    var scenario: String
    var profile: String
  }

  /// What a run has come to.
  struct Result {
    /// Results are numbered from 1 as they come, so that a page can ask for what is new to it; 0 for a run
    /// that does not count for its scenario.
    let number: Int
    let record: RunRecord
    /// Whether something has changed since on which it may depend.
    var isOld = false
  }

  /// The next one last.
  private(set) var waiting: [Place] = []
  private var results: [Place: Result] = [:]
  /// How many runs were to be made when the present ones were started.
  private(set) var total = 0
  /// The number of the newest result.
  private(set) var newest = 0

  /// What is run next.
  var next: Place? { waiting.last }
  /// How many runs wait.
  var left: Int { waiting.count }

  /// Has these run in place of what waits: first what has changed, then what has failed before.
  mutating func start(_ places: [Place], first changed: Set<Place> = []) {
    let ranks = places.map { place in
      changed.contains(place) ? 0 : results[place]?.record.outcome == .failed ? 1 : 2
    }
    waiting = (0...2).flatMap { rank in
      zip(places, ranks).filter { $0.1 == rank }.map(\.0)
    }.reversed()
    total = waiting.count
  }

  /// Takes away what is run next.
  mutating func takeNext() -> Place? { waiting.popLast() }

  /// Takes what a run has come to.
  @discardableResult
  mutating func take(_ record: RunRecord) -> Result {
    newest += 1
    let result = Result(number: newest, record: record)
    results[Place(scenario: record.scenario, profile: record.profile)] = result
    return result
  }

  /// Forgets what is not listed any more, and marks what may have become wrong.
  mutating func revise(_ places: Set<Place>, isOld: (Place) -> Bool) {
    results = results.filter { places.contains($0.key) }
    waiting.removeAll { !places.contains($0) }
    for place in places where isOld(place) { results[place]?.isOld = true }
  }

  /// The last result of a scenario in a profile.
  subscript(place: Place) -> Result? { results[place] }

  /// The results with greater numbers, in the order in which they came.
  func results(after number: Int) -> [Result] {
    results.values.filter { $0.number > number }.sorted { $0.number < $1.number }
  }
}
