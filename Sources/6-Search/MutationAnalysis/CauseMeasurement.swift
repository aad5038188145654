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
    public var mutant: Mutant
    /// Its failures, in the order of the scenarios.
    public var failures: [Failure]
    /// The rule that is named when nothing else is wrong with a client; `nil` where no rule is cited.
    public var rule: String?
  }

  /// A run that failed.
  public struct Failure: Sendable {
    /// The id of the scenario.
    public var scenario: String
    /// The causes that the failure can be put down to.
    public var causes: [String]
  }

  /// What is wrong with the clients that fail, mutant by mutant.
  public private(set) var outcomes: [Outcome]

  /// Takes what is known of mutants, nothing at first.
  public init(_ outcomes: [Outcome] = []) { self.outcomes = outcomes }

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
      var account = Account()
      for scenario in scenarios where scenario.profiles.contains(profile) {
        account.take(runner.run(scenario, in: profile))
      }
      guard let outcome = account.outcome(of: mutant) else { continue }
      outcomes.append(outcome)
      return outcome
    }
    return nil
  }
}

extension CauseMeasurement {
  /// What comes of the runs of one mutant in one profile.
  struct Account {
    private var failures: [Failure] = []
    /// The rules that each scenario cites that passes.
    private var passed: [[String]] = []
    /// The rules that each failing one cites, and the one that its difference is about.
    private var cited: [(cited: [String], own: String?, causes: [String])] = []

    /// Notes that a scenario does not fail.
    mutating func pass(_ scenario: Scenario) { passed.append(scenario.rules.map(\.id)) }

    /// Takes a run.
    mutating func take(_ result: ScenarioResult) {
      guard result.verdict.count == .failed else { return pass(result.scenario) }
      let causes = result.possibleCauses { ReferenceClient(profile: result.profile) }
      failures.append(Failure(scenario: result.scenario.id, causes: causes))
      cited.append(
        (result.scenario.rules.map(\.id), result.divergences.first?.rules.first, causes))
    }

    /// What is known of the mutant; `nil` where nothing has failed.
    func outcome(of mutant: Mutant) -> Outcome? {
      if failures.isEmpty { return nil }
      return Outcome(
        mutant: mutant, failures: failures, rule: BrokenRule(passed: passed).rule(of: cited))
    }
  }

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
    figures.map { "\($0.what): \($0.text)\n" }.joined()
  }

  /// What it comes to.
  var figures: [(what: String, text: String)] {
    quality.figures(of: "\(counted(outcomes.count, "mutant")), \(Self.defects) in each client")
      + [("broken rule is named", share(named, of: outcomes.count))]
  }
}

extension CauseMeasurement.Outcome {
  /// Whether the rule that is named is one that the mutant breaks.
  var isNamed: Bool { rule.map(mutant.violated.contains) ?? false }
}
