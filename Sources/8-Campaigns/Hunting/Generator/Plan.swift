internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree

/// What is drawn once for a scenario.
struct Plan {
  let seed: UInt64
  let profile: Profile
  /// The clients that act.
  var clients: [String]
  /// What can happen.
  var marks: Marks
  /// The same, each as often as its weight says.
  var lots: [Ingredient]
  var vocabulary: Vocabulary
  /// How many things happen before everything is healed.
  var acts: Int
  var latency: ClosedRange<Interval>
  /// Whether processes keep what they store.
  var persistence: [String: ClientInput.Persistence] = [:]
  /// The client that is never connected again, by its place; `nil` where there is none.
  var isolated: Int?
  /// How often of a hundred time passes between two things.
  var pausing: Int

  static let names = ["alice", "bob", "carol", "dave"]
  /// Opened with the others, and listens to everything at the very end.
  static let witness = "witness"

  init(seed: UInt64, profile: Profile, size: Int) {
    self.seed = seed
    self.profile = profile
    var draws = Draws(seed: seed, .plan)
    let count = draws.one(of: [1, 2, 2, 2, 2, 3, 3, 4])
    clients = Array(Self.names.prefix(count))
    marks = Self.swarm(&draws)
    let lots = marks.ingredients.flatMap { Array(repeating: $0, count: $0.weight) }
    self.lots = lots
    vocabulary = Vocabulary(&draws, marks, profile)
    let rest = max(20, size - 18 - 17 * count)
    acts = max(2, rest * draws.number(in: 60...140) / 100 / 7)
    let slowest = draws.one(of: [5, 10, 30, 60, 200])
    latency = .milliseconds(draws.one(of: [1, 5]))...(.milliseconds(slowest))
    pausing = draws.one(of: [20, 50, 80])
    if count > 1, draws.chance(12) { isolated = draws.number(below: count) }
    if !marks.isDisjoint(with: [Marks(.fault(.kill)), Marks(.storageFails)]) || draws.chance(10) {
      for name in clients where draws.chance(70) {
        persistence[name] = .init(cacheBytes: draws.one(of: [100, 1_000, 10_485_760]))
      }
    }
  }

  /// What can happen: each kind with probability one half, and at least one of each necessary sort.
  private static func swarm(_ draws: inout Draws) -> Marks {
    var marks = Marks()
    for ingredient in Ingredient.allCases where draws.chance(50) {
      marks.insert(Marks(ingredient))
    }
    for necessary in [Ingredient.listening, Ingredient.writing] {
      if marks.isDisjoint(with: Marks(necessary.map { Marks($0) })) {
        marks.insert(Marks(draws.one(of: necessary)))
      }
    }
    return marks
  }

  func allows(_ ingredient: Ingredient) -> Bool { marks.contains(Marks(ingredient)) }
}
