internal import ClientInterface

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
    return Gene(kind: position(of: kind), seed: random.next(), ordinal: 0)
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
