internal import Mutants
public import Scenario

/// Which defects the kit notices, and which check catches each: the measure of its power.
public struct KillMatrix: Sendable {
  /// One for each mutant, in the order of `Mutant.all`.
  public let rows: [MutantResult]
  /// One for each conforming variant.
  public let variants: [MutantResult]
  /// The scenarios that fail no mutant.
  public let idleScenarios: [String]

  /// Draws up the matrix.
  ///
  /// - Parameters:
  ///   - evidence: For mutants and variants, in any order.
  ///   - scenarios: The suite; what it does not kill with is reported only when all mutants are in it.
  public init(_ evidence: [MutantResult], scenarios: [Scenario]) {
    let byName = Dictionary(evidence.map { ($0.mutant.name, $0) }) { first, _ in first }
    rows = Mutant.all.compactMap { byName[$0.name] }
    variants = Mutant.benign.compactMap { byName[$0.name] }
    guard rows.count == Mutant.all.count else {
      idleScenarios = []
      return
    }
    let killing = Set(rows.flatMap { $0.suite.failing + $0.invariants.failing })
    var idle: [String] = []
    for family in scenarios.map(\.family) where !killing.contains(family) && idle.last != family {
      idle.append(family)
    }
    idleScenarios = idle
  }

  /// The mutants that nothing noticed, in the order of `rows`; takes linear time in their number.
  public var survivors: [MutantResult] { rows.filter { !$0.isKilled } }

  /// The conforming variants that were found fault with.
  public var flagged: [MutantResult] { variants.filter(\.isKilled) }

  /// Whether every defect was noticed and nothing else.
  public var isPerfect: Bool { survivors.isEmpty && flagged.isEmpty }

  /// In how many mutants a way of looking has found something.
  func count(_ finds: (MutantResult) -> Bool) -> Int { rows.filter(finds).count }
}

extension [Double] {
  /// The median and what few exceed, in words.
  var spread: String? {
    guard let median = percentile(50), let most = percentile(95) else { return nil }
    return "median \(Int(median.rounded())), 95 % within \(Int(most.rounded()))"
  }

  /// The value that so many percent of all do not exceed; `nil` of none.
  func percentile(_ percent: Int) -> Double? {
    let sorted = sorted()
    guard let last = sorted.indices.last else { return nil }
    return sorted[(last * percent + 50) / 100]
  }
}

extension [Int] {
  var spread: String? { map(Double.init).spread }
}
