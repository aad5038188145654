internal import ClientInterface

/// Chooses the next scenarios of a chunk by what the earlier ones have reached.
///
/// Everything follows from the corpus it begins with and from the first seed of the chunk: two
/// machines that run the same chunk choose the same scenarios. A recipe that reaches a state which
/// none had reached is kept. Recipes whose states few runs reach are changed more often than others,
/// by operators that have paid off more often than others; and one scenario of some is as blind hunts
/// draw it.
struct Guidance {
  private var random: RandomNumbers
  private(set) var table: StateTable
  private var kept: [Kept]
  private var arms = Array(repeating: Arm(), count: MutationOperator.allCases.count)
  private var newStates: [UInt32] = []
  /// What the first seeds of a campaign run, as it is.
  private var base: [Recipe] = []

  /// One seed of so many is drawn blindly.
  static let blindShare: UInt64 = 4

  /// A recipe that reached something new.
  struct Kept {
    let recipe: Recipe
    /// What it reached first.
    let states: [UInt32]
    var uses = 0
  }

  private struct Arm {
    var tries = 1
    var gains = 8
  }

  /// What is run for a seed.
  struct Choice {
    /// `nil` for what blind hunts draw.
    var recipe: Recipe?
    fileprivate var arm: MutationOperator?

    init(recipe: Recipe? = nil) { self.recipe = recipe }

    fileprivate init(recipe: Recipe, arm: MutationOperator) {
      self.recipe = recipe
      self.arm = arm
    }
  }

  /// - Parameters:
  ///   - seed: The first seed of the chunk.
  ///   - corpus: What is known before.
  init(seed: UInt64, _ corpus: Guidance? = nil) {
    random = RandomNumbers(seed: seed)
    table = corpus?.table ?? StateTable()
    kept = corpus?.kept ?? []
    base = kept.map(\.recipe)
  }

  /// What is run for a seed, which is larger than those before.
  mutating func choose(_ seed: UInt64) -> Choice {
    if seed > 0, seed <= base.count { return Choice(recipe: base[Int(seed - 1)]) }
    guard kept.count > 1, !seed.isMultiple(of: Self.blindShare) else { return Choice() }
    let parent = rarest()
    kept[parent].uses += 1
    let recipe = kept[parent].recipe
    let other = partner(of: recipe)
    let arm = bestArm()
    return Choice(recipe: recipe.changed(by: arm, with: other, &random), arm: arm)
  }

  /// The most promising of some recipes: the rarer its states and the less it was used, the better.
  private mutating func rarest() -> Int {
    var best = (index: 0, score: -1)
    for _ in 0..<4 {
      let index = random.number(upTo: kept.count - 1)
      let states = kept[index].states.prefix(16)
      let score = states.reduce(0) { $0 + 4096 / max(1, table.runs($1)) } / (4 + kept[index].uses)
      if score > best.score { best = (index, score) }
    }
    return best.index
  }

  private mutating func partner(of recipe: Recipe) -> Recipe {
    let count = UInt64(Profile.all.count)
    for _ in 0..<8 {
      let other = kept[random.number(upTo: kept.count - 1)].recipe
      if other.plan % count == recipe.plan % count { return other }
    }
    return recipe
  }

  /// An operator, each as likely as its gain on average so far.
  private mutating func bestArm() -> MutationOperator {
    let weights = arms.map { 1 + 256 * $0.gains / $0.tries }
    var left = random.number(upTo: weights.reduce(0, +) - 1)
    for (arm, weight) in zip(MutationOperator.allCases, weights) {
      if left < weight { return arm }
      left -= weight
    }
    return .several
  }

  /// Records a state that a run has reached.
  mutating func record(_ code: UInt32, run seed: UInt64) {
    if table.record(code, run: seed) == 1 { newStates.append(code) }
  }

  /// Learns what a run was good for, of which all states are recorded. `recipe` is what was run.
  ///
  /// - Returns: How many states it reached first.
  @discardableResult
  mutating func learn(_ choice: Choice, _ recipe: @autoclosure () -> Recipe) -> Int {
    let gain = newStates.count
    if gain > 0 { kept.append(Kept(recipe: recipe(), states: newStates)) }
    newStates.removeAll(keepingCapacity: true)
    guard let arm = choice.arm else { return gain }
    arms[arm.rawValue].tries += 1
    arms[arm.rawValue].gains += min(gain, 32)
    if arms[arm.rawValue].tries > 512 {
      arms[arm.rawValue].tries /= 2
      arms[arm.rawValue].gains /= 2
    }
    return gain
  }

  /// Keeps a recipe that reached nothing new.
  mutating func append(_ recipe: Recipe) { kept.append(Kept(recipe: recipe, states: [])) }

  /// What was kept, in the order in which it was found.
  var corpus: [Kept] { kept }
}
