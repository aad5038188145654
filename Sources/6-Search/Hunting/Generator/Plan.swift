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
  /// The kinds of steps that can be drawn.
  var marks: StepKindSet
  /// These kinds, each as often as its weight says.
  var weightedKinds: [StepKind]
  let vocabulary: KeyPool
  /// How many things happen before everything is healed.
  var acts: Int
  var latency: ClosedRange<Interval>
  /// Whether processes keep what they store.
  var persistence: [String: ClientInput.Persistence] = [:]
  /// The client that is never connected again, by its location; `nil` where there is none.
  var isolated: Int?
  /// What happens once among the other things; `nil` for nothing.
  let rare: RareSituation?
  /// How often of a hundred time passes between two things.
  var pausing: Int

  static let names = ["alice", "bob", "carol", "dave"]
  /// What each of them writes in the end.
  static let probes = names.map { Path("probe").appending(Key($0)) }
  /// Opened with the others, and listens to everything at the very end.
  static let witness = "witness"

  init(seed: UInt64, profile: Profile, size: Int) {
    self.seed = seed
    self.profile = profile
    var random = RandomSource(seed: seed, .plan)
    let count = random.one(of: [1, 2, 2, 2, 2, 3, 3, 4])
    clients = Array(Self.names.prefix(count))
    marks = Self.swarm(&random)
    // CON-18: no other client knows the message.
    if profile != .firebase { marks.subtract(StepKindSet(.fault(.shutdown))) }
    weightedKinds = marks.weightedKinds
    rare = RareSituation(seed: seed)
    vocabulary = KeyPool(&random, marks, profile, keys: rare?.keys(seed: seed))
    let rest = max(20, size - 18 - 17 * count - (rare?.events ?? 0))
    acts = max(2, rest * random.number(in: 60...140) / 1_050)
    let slowest = random.one(of: [5, 10, 30, 60, 200])
    latency = .milliseconds(random.one(of: [1, 5]))...(.milliseconds(slowest))
    pausing = random.one(of: [20, 50, 80])
    if count > 1, random.chance(12) { isolated = random.number(below: count) }
    if !marks.isDisjoint(with: [StepKindSet(.fault(.kill)), StepKindSet(.storageFails)])
      || random.chance(10)
    {
      for name in clients where random.chance(70) {
        persistence[name] = .init(cacheBytes: random.one(of: [10, 100, 1_000, 10_485_760]))
      }
    }
    if rare?.needsPersistence == true {
      for name in clients where persistence[name] == nil {
        persistence[name] = .init(cacheBytes: 10_485_760)
      }
    }
  }

  /// What can happen: each kind with probability one half, and at least one of each necessary sort.
  private static func swarm(_ random: inout RandomSource) -> StepKindSet {
    var marks = StepKindSet()
    for position in StepKind.allCases.indices where random.chance(50) {
      marks.insert(StepKindSet(at: position))
    }
    for necessary in [StepKind.listening, StepKind.writing] {
      if marks.isDisjoint(with: StepKindSet(necessary.map { StepKindSet($0) })) {
        marks.insert(StepKindSet(random.one(of: necessary)))
      }
    }
    return marks
  }

  func allows(_ stepKind: StepKind) -> Bool { marks.contains(StepKindSet(stepKind)) }
}
