internal import ClientInterface
internal import Conformance
internal import Document
internal import Hunting
internal import Mutants
internal import Scenario

/// What a document says about one mutant: by which runs it is noticed.
public struct Claim: Hashable, Sendable {
  /// The name of the mutant, as in the first column of the document.
  public var mutant: String
  /// The first run of the suite that is said to notice it; `nil` when none is.
  public var witness: MutantResult.FailingRun?
  /// The first seed of the hunt that is said to notice it; `nil` when none is.
  public var seed: UInt64?
}

extension Claim {
  /// Reads the claims of a document that `KillMatrix.markdown` wrote.
  public static func all(in document: String) -> [Claim] {
    document.split(separator: "\n").compactMap { Claim(row: String($0)) }
  }

  /// Reads a row of the table; `nil` for any other line.
  private init?(row: String) {
    let cells = row.split(separator: "|").map(\.trimmed)
    guard cells.count == KillMatrix.columns.count, cells[0].hasPrefix("`") else { return nil }
    mutant = String(cells[0].dropFirst().dropLast())
    func cell(_ column: String) -> String {
      KillMatrix.columns.firstIndex(of: column).map { cells[$0] } ?? ""
    }
    let words = cell("first").split(separator: " ").map(String.init)
    if words.count == 3, words[1] == "in" {
      witness = .init(scenario: words[0], profile: words[2])
    }
    seed = UInt64(cell("after"))
  }
}

extension Detector {
  /// What is not as a document says: a mutant that is missing in it or that passes the runs that
  /// are said to notice it, and a conforming variant that is flagged.
  ///
  /// Much quicker than finding out again: it runs the witnesses alone.
  public func objections(to claims: [Claim]) -> [String] {
    var objections: [String] = []
    for mutant in Mutant.all {
      guard let claim = claims.first(where: { $0.mutant == mutant.name }) else {
        objections.append("\(mutant.name) is missing")
        continue
      }
      if claim.witness == nil && claim.seed == nil {
        objections.append("\(mutant.name) has no witness")
      }
      objections += self.objections(to: claim, mutant)
    }
    for claim in claims where Mutant(named: claim.mutant) == nil {
      objections.append("there is no mutant \(claim.mutant)")
    }
    return objections + Mutant.benign.compactMap(objection)
  }

  private func objections(to claim: Claim, _ mutant: Mutant) -> [String] {
    var objections: [String] = []
    if let witness = claim.witness, !fails(witness, mutant) {
      objections.append("\(mutant.name) passes \(witness.scenario) in \(witness.profile)")
    }
    if let seed = claim.seed, result(of: mutant, seed: seed).signature == nil {
      objections.append("\(mutant.name) passes what the seed \(seed) draws")
    }
    return objections
  }

  private func fails(_ witness: MutantResult.FailingRun, _ mutant: Mutant) -> Bool {
    guard let scenario = scenarios.first(where: { $0.id == witness.scenario }),
      let profile = Profile(named: witness.profile)
    else { return false }
    return Self.runner(mutant).run(scenario, in: profile).verdict.count == .failed
  }

  /// How many drawn scenarios a conforming variant must pass each time the document is checked.
  private static let variantSeeds: ClosedRange<UInt64> = 1...12

  private func objection(to variant: Mutant) -> String? {
    let runner = Self.runner(variant)
    for scenario in scenarios {
      for profile in scenario.profiles
      where variant.profiles.contains(profile)
        && runner.run(scenario, in: profile).verdict.count == .failed
      {
        return "\(variant.name) is conforming and fails \(scenario.id) in \(profile.name)"
      }
    }
    for seed in Self.variantSeeds {
      if let signature = result(of: variant, seed: seed).signature {
        return "\(variant.name) is conforming and fails with the seed \(seed): \(signature)"
      }
    }
    return nil
  }
}
