public import ClientInterface
internal import Faults
internal import Tree

/// What a drawn scenario is made from: seeds, from which every machine makes the same scenario.
///
/// The plan (clients, latencies, keys, data) comes from one seed, the numbers of the run from
/// another, and each act from a stream of its own. So acts can be taken out, put in, repeated, and
/// combined with those of other recipes, and the result is always a scenario that the generator
/// could have drawn.
public struct Recipe: Hashable, Sendable {
  /// The seed of everything but the acts.
  public var plan: UInt64
  /// The seed of the run: of its latencies, and of the forms of its messages.
  public var run: UInt64
  /// The acts, in their order.
  var genes: [Gene]

  /// An act, with the pause before it.
  struct Gene: Hashable, Sendable {
    /// The position of its kind in `StepKind.allCases`; `nil` for what the plan draws.
    var kind: Int?
    /// The seed and the position of an act of a drawn scenario, which had this stream of draws.
    var seed: UInt64
    var ordinal: Int
  }

  /// How many acts a recipe of short ones has at most.
  static let maxGenes = 16

  /// The recipe of what a seed draws.
  public init(seed: UInt64, profile: Profile, size: Int) {
    plan = seed
    run = seed
    let drawn = Plan(seed: seed, profile: profile, size: size)
    genes = (0..<drawn.acts).map { ordinal in
      var random = RandomSource(seed: seed, .act, ordinal: ordinal)
      let kind = random.one(of: drawn.weightedKinds)
      return Gene(kind: kind.position, seed: seed, ordinal: ordinal)
    }
  }

  /// A name that no other recipe is likely to have.
  var name: String { Fingerprint(of: text).description }
}

extension Recipe.Gene {
  /// What it does in a profile; `nil` for what the plan draws. CON-18: only clients of the Firebase
  /// profile can be sent away.
  func kind(in profile: Profile) -> StepKind? {
    guard let kind else { return nil }
    let found = StepKind.allCases[kind]
    return found == .fault(.shutdown) && profile != .firebase ? nil : found
  }
}

// MARK: - Text

extension Recipe {
  /// The recipe in one word: plan, run, and the acts, all in base 36.
  public var text: String {
    let acts = genes.map { gene in
      "\(gene.kind.map { String($0, radix: 36) } ?? "").\(String(gene.seed, radix: 36))"
        + ".\(String(gene.ordinal, radix: 36))"
    }
    return "\(String(plan, radix: 36))-\(String(run, radix: 36))-" + acts.joined(separator: "_")
  }

  /// Reads what `text` wrote; `nil` for anything else.
  public init?(text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let plan = UInt64(parts[0], radix: 36),
      let run = UInt64(parts[1], radix: 36)
    else { return nil }
    self.plan = plan
    self.run = run
    genes = []
    for act in parts[2].split(separator: "_") {
      let numbers = act.split(separator: ".", omittingEmptySubsequences: false)
      guard numbers.count == 3, let seed = UInt64(numbers[1], radix: 36),
        let ordinal = Int(numbers[2], radix: 36), ordinal >= 0
      else { return nil }
      let kind = Int(numbers[0], radix: 36)
      guard numbers[0].isEmpty || kind.map(StepKind.allCases.indices.contains) ?? false else {
        return nil
      }
      genes.append(Gene(kind: kind, seed: seed, ordinal: ordinal))
    }
  }
}

/// A way to make a recipe from others.
enum MutationOperator: Int, CaseIterable {
  /// The same acts with other latencies.
  case rerun
  /// The same acts with other clients, keys and data.
  case replan
  /// One act of the same kind, drawn again.
  case redraw
  /// One act of another kind.
  case change
  case insert
  case remove
  case duplicate
  case exchange
  /// The beginning of one recipe, and the end of another.
  case splice
  /// Some acts of another recipe in between.
  case graft
  /// Several of the others.
  case several
}

extension Recipe {
  /// What an operator makes of a recipe; `other` is one of the same profile.
  func changed(
    by change: MutationOperator, with other: Recipe, _ random: inout RandomNumbers
  ) -> Recipe {
    var recipe = self
    switch change {
    case .rerun: recipe.run = random.next()
    case .replan: recipe.plan = Self.seed(like: plan, &random)
    case .redraw, .change, .insert, .remove, .duplicate, .exchange:
      recipe.changeGene(by: change, &random)
    case .splice:
      recipe.genes = Array(genes.prefix(random.number(upTo: genes.count)))
      recipe.genes += other.genes.dropFirst(random.number(upTo: other.genes.count))
    case .graft:
      let start = random.number(upTo: other.genes.count)
      let block = other.genes.dropFirst(start).prefix(1 + random.number(upTo: 3))
      recipe.genes.insert(contentsOf: block, at: random.number(upTo: genes.count))
    case .several:
      for _ in 0..<(2 + random.number(upTo: 3)) {
        let next = MutationOperator.allCases[
          random.number(upTo: MutationOperator.several.rawValue - 1)]
        recipe = recipe.changed(by: next, with: other, &random)
      }
    }
    let most = max(Self.maxGenes, genes.count, other.genes.count)
    if recipe.genes.count > most { recipe.genes.removeLast(recipe.genes.count - most) }
    return recipe
  }

  private mutating func changeGene(by change: MutationOperator, _ random: inout RandomNumbers) {
    guard !genes.isEmpty, change != .insert else {
      return genes.insert(Self.gene(&random), at: random.number(upTo: genes.count))
    }
    let index = random.number(upTo: genes.count - 1)
    switch change {
    case .redraw: genes[index].seed = random.next()
    case .change: genes[index] = Self.gene(&random)
    case .remove: genes.remove(at: index)
    case .duplicate: genes.insert(genes[index], at: random.number(upTo: genes.count))
    default: genes.swapAt(index, random.number(upTo: genes.count - 1))
    }
  }

  private static func gene(_ random: inout RandomNumbers) -> Gene {
    let kind = weightedKinds[random.number(upTo: weightedKinds.count - 1)]
    return Gene(kind: kind.position, seed: random.next(), ordinal: 0)
  }

  private static let weightedKinds = StepKindSet.all.weightedKinds

  /// Another seed, with which a campaign of all profiles runs the same profile.
  private static func seed(like seed: UInt64, _ random: inout RandomNumbers) -> UInt64 {
    let count = UInt64(Profile.all.count)
    let drawn = random.next() >> 8
    return drawn / count * count + seed % count
  }
}

extension RandomNumbers {
  /// A number from 0 to `bound`.
  mutating func number(upTo bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound + 1)).high)
  }
}
