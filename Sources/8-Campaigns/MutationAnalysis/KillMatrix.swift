internal import Mutants
public import Rules
public import Scenario

/// Which defects the kit notices, and which check catches each: the measure of its power.
public struct KillMatrix: Sendable {
  /// One for each mutant, in the order of `Mutant.all`.
  public let rows: [MutantResult]
  /// One for each conforming variant.
  public let variants: [MutantResult]
  /// The rules that must be obeyed of which no scenario fails any mutant.
  public let idleRules: [RuleID]
  /// The scenarios that fail no mutant.
  public let idleScenarios: [String]

  /// Draws up the matrix.
  ///
  /// - Parameters:
  ///   - evidence: For mutants and variants, in any order.
  ///   - scenarios: The suite; what it does not kill with is reported only when all mutants are in it.
  ///   - rules: The rules that scenarios can cite.
  public init(_ evidence: [MutantResult], scenarios: [Scenario], rules: RuleBook) {
    let byName = Dictionary(evidence.map { ($0.mutant.name, $0) }) { first, _ in first }
    rows = Mutant.all.compactMap { byName[$0.name] }
    variants = Mutant.benign.compactMap { byName[$0.name] }
    guard rows.count == Mutant.all.count else {
      idleRules = []
      idleScenarios = []
      return
    }
    let killing = Set(rows.flatMap { $0.suite.failing + $0.invariants.failing })
    var citing: Set<RuleID> = []
    var idle: [String] = []
    for scenario in scenarios {
      if killing.contains(scenario.family) {
        citing.formUnion(scenario.rules.compactMap { RuleID($0.id) })
      } else if idle.last != scenario.family {
        idle.append(scenario.family)
      }
    }
    idleScenarios = idle
    idleRules = rules.rules.filter {
      $0.level == .must && $0.tested == .scenarios && !citing.contains($0.id)
    }.map(\.id)
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
