internal import ClientInterface
internal import Conformance
internal import Document
public import Mutants
internal import ReferenceClient
public import Scenario
public import Search

/// How well failures are grouped by their causes, and how often the rule that is named is the one that
/// is broken: the defect of a mutant is a cause that is known.
///
/// Several mutants stand for one client with as many defects: what fails with any of them is grouped as if
/// one client had failed so.
public struct CauseMeasurement {
  /// How many defects a client has.
  public static let defects = 5

  /// What is known of one mutant.
  public struct Outcome: Sendable {
    /// The cause of all its failures.
    public let mutant: Mutant
    /// Its failures, in the order of the scenarios.
    public var failures: [Failure] = []
    /// The rules that each scenario cites that it passes.
    public var passed: [[String]] = []

    /// The rule that is named when nothing else is wrong with a client; `nil` where no rule is cited.
    public var rule: String? {
      BrokenRule(passed: passed).rule(of: failures.map { ($0.cited, $0.own, $0.causes) })
    }
  }

  /// A run that failed.
  public struct Failure: Sendable {
    /// The id of the scenario.
    public var scenario: String
    /// The causes that the failure can be put down to.
    public var causes: [String]
    /// The rules that the scenario cites.
    public var cited: [String]
    /// The rule that the difference is about.
    public var own: String?
  }

  /// What is wrong with the clients that fail, mutant by mutant.
  public private(set) var outcomes: [Outcome] = []

  /// Nothing is measured.
  public init() {}

  /// Whether failures of a mutant say something of clients: the defect is in a client, and a rule says
  /// that it is one.
  public static func concerns(_ mutant: Mutant) -> Bool {
    [.client, .persistence].contains(mutant.component) && !mutant.violated.isEmpty
  }

  /// Runs scenarios with a mutant, in the first of its profiles in which one fails.
  ///
  /// - Returns: What came of it; `nil` where none fails.
  public mutating func add(_ mutant: Mutant, _ scenarios: [Scenario]) -> Outcome? {
    let runner = Detector.runner(mutant)
    for profile in mutant.profiles {
      var outcome = Outcome(mutant: mutant)
      for scenario in scenarios where scenario.profiles.contains(profile) {
        let result = runner.run(scenario, in: profile)
        let cited = scenario.rules.map(\.id)
        if result.verdict == .pass { outcome.passed.append(cited) }
        guard result.verdict.count == .failed else { continue }
        outcome.failures.append(
          Failure(
            scenario: scenario.id,
            causes: result.possibleCauses { ReferenceClient(profile: profile) }, cited: cited,
            own: result.divergences.first?.rules.first))
      }
      guard !outcome.failures.isEmpty else { continue }
      outcomes.append(outcome)
      return outcome
    }
    return nil
  }
}

extension CauseMeasurement {
  /// The failures of clients with several defects each: the first, the second and so on of all mutants
  /// in turn. What several defects break counts for the first of them.
  private var clients: [[(failure: Failure, mutant: String)]] {
    let count = (outcomes.count + Self.defects - 1) / Self.defects
    return (0..<count).map { client in
      var known: Set<String> = []
      return stride(from: client, to: outcomes.count, by: count).flatMap { index in
        outcomes[index].failures.filter { known.insert($0.scenario).inserted }
          .map { ($0, outcomes[index].mutant.name) }
      }
    }
  }

  /// How well the failures of all clients are grouped.
  public var quality: GroupQuality {
    var quality = GroupQuality()
    for client in clients {
      let causes = FailureGroups.causes(of: client.map(\.failure.causes))
      quality.add(Array(zip(causes, client.map(\.mutant))))
    }
    return quality
  }

  /// For how many mutants the rule that is named is one that they break.
  public var named: Int { outcomes.count { $0.isNamed } }

  /// A line on a mutant: how many runs fail, in how many groups, and the rule that is named.
  public static func line(_ outcome: Outcome) -> String {
    let groups = Set(FailureGroups.causes(of: outcome.failures.map(\.causes))).count
    let rule = outcome.rule ?? "no rule"
    let end =
      outcome.isNamed ? rule : "\(rule), not \(outcome.mutant.violated.joined(separator: " "))"
    return
      "  \(padded(outcome.mutant.name, to: 40)) \(counted(outcome.failures.count, "failure")), "
      + "\(counted(groups, "group")), \(end)\n"
  }

  /// What it comes to, a line for each figure.
  public var text: String {
    let quality = quality
    return [
      "\(counted(outcomes.count, "mutant")), \(Self.defects) in each client; "
        + "\(counted(quality.failures, "failure")) in \(counted(quality.groups, "group")) of "
        + counted(quality.causes, "cause"),
      Self.line("purity", quality.purity, target: 0.9),
      Self.line("completeness", quality.completeness, target: 0.9),
      Self.line("rule", Double(named) / Double(max(1, outcomes.count)), target: 0.85),
    ].map { $0 + "\n" }.joined()
  }

  private static func line(_ name: String, _ share: Double, target: Double) -> String {
    let verdict = share >= target ? "reached" : "missed"
    return "\(padded(name, to: 14)) \(percent(share))   \(verdict): >= \(percent(target))"
  }

  private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}

extension CauseMeasurement.Outcome {
  /// Whether the rule that is named is one that the mutant breaks.
  var isNamed: Bool { rule.map(mutant.violated.contains) ?? false }
}
