internal import ClientInterface
internal import Conformance
internal import Document
public import Mutants
public import Scenario
internal import Tree

/// Which rules the scenarios really test: a rule is tested when a mutant that violates it makes a
/// scenario that cites it fail, and for that rule.
///
/// A scenario that cites a rule proves nothing about it as long as no client has failed there. A
/// mutant declares what it violates, so that a failure with another reason does not count. Where one
/// scenario alone shows all that is known of a rule, that is said: a change of that file would go unnoticed.
public struct Strength: Sendable {
  /// A mutant that violates a rule, and where scenarios of that rule notice it.
  public struct Tie: Sendable {
    /// The mutant that declares the rule.
    public let mutant: Mutant
    /// The first run that fails in each profile; empty when no scenario of the rule notices it.
    public let runs: [MutantResult.FailingRun]
  }

  /// A rule and what is known of its scenarios.
  public struct Row: Sendable {
    /// The rule that the scenarios cite.
    public let rule: Rule
    /// The mutants that violate it, in the order of the catalogue.
    public let ties: [Tie]
    /// Where no tie holds: a mutant that fails a scenario of the rule though it does not declare
    /// it. `nil` when nothing has failed any of its scenarios.
    public let undeclared: Tie?
    /// The scenarios that a mutant fails that violates the rule, as far as two are known.
    public let witnesses: [String]

    /// Whether a mutant that violates the rule fails one of its scenarios.
    public var isTested: Bool { ties.contains { !$0.runs.isEmpty } }

    /// The profiles in which one does, and in which the rule holds.
    public func isTested(in profile: String) -> Bool {
      ties.contains { tie in tie.runs.contains { $0.profile == profile } }
    }

    /// Whether it must be tested by a mutant: it binds every client, and scenarios can test it.
    public var isRequired: Bool {
      rule.level == .must && rule.binds == .client && rule.tested == .scenarios
    }

    /// Whether all that is known of the rule hangs on one scenario.
    public var hasOneWitness: Bool { isRequired && witnesses.count == 1 }
  }

  /// The rules that scenarios can test, in the order of the rule book.
  public let rows: [Row]
  /// The mutants that were tried.
  let mutants: [Mutant]

  /// Runs the scenarios of each rule with the mutants that violate it, up to the first that fails in
  /// each profile, and those of a rule without such a mutant with all others.
  ///
  /// - Parameters:
  ///   - rules: The rules that are asked about.
  ///   - scenarios: The suite, or a part of it.
  ///   - mutants: Those that may violate rules.
  ///   - onlyCited: Whether rules that none of the scenarios cites are passed over.
  public init(
    of rules: RuleBook, by scenarios: [Scenario], mutants: [Mutant] = Mutant.all,
    onlyCited: Bool = false
  ) {
    var citing: [String: [Scenario]] = [:]
    for scenario in scenarios {
      for rule in Set(scenario.rules.map(\.id)) { citing[rule, default: []].append(scenario) }
    }
    self.mutants = mutants
    rows = rules.rules.compactMap { rule in
      let search = RuleSearch(rule: rule, scenarios: citing[rule.id.description] ?? [])
      guard rule.binds == .client, !onlyCited || !search.scenarios.isEmpty else { return nil }
      return search.row(mutants)
    }
  }
}

/// Looks for mutants that fail the scenarios of one rule.
private struct RuleSearch {
  var rule: Rule
  var scenarios: [Scenario]

  func row(_ mutants: [Mutant]) -> Strength.Row {
    let id = rule.id.description
    let ties = mutants.filter { $0.violated.contains(id) }.map { mutant in
      Strength.Tie(mutant: mutant, runs: profiles(of: mutant).compactMap { run(mutant, $0) })
    }
    let row = Strength.Row(
      rule: rule, ties: ties, undeclared: nil, witnesses: witnesses(of: ties))
    guard !row.isTested, row.isRequired else { return row }
    return Strength.Row(
      rule: rule, ties: ties, undeclared: undeclared(mutants), witnesses: row.witnesses)
  }

  /// The scenarios in which mutants were noticed and, if that is one, another in which one of them is.
  private func witnesses(of ties: [Strength.Tie]) -> [String] {
    var found: [String] = []
    for run in ties.flatMap(\.runs) where !found.contains(run.scenario) {
      found.append(run.scenario)
    }
    guard found.count == 1 else { return found }
    for mutant in ties.filter({ !$0.runs.isEmpty }).map(\.mutant) {
      for profile in profiles(of: mutant) {
        if let run = run(mutant, profile, except: found[0]) { return found + [run.scenario] }
      }
    }
    return found
  }

  private func profiles(of mutant: Mutant) -> [Profile] {
    mutant.profiles.filter { rule.holds(for: $0.name) }
  }

  private func undeclared(_ mutants: [Mutant]) -> Strength.Tie? {
    for mutant in mutants {
      for profile in profiles(of: mutant) {
        if let run = run(mutant, profile) { return Strength.Tie(mutant: mutant, runs: [run]) }
      }
    }
    return nil
  }

  /// The first run in a profile that fails because of the rule.
  private func run(
    _ mutant: Mutant, _ profile: Profile, except family: String? = nil
  ) -> MutantResult.FailingRun? {
    let runner = Detector.runner(mutant)
    for scenario in scenarios
    where scenario.profiles.contains(profile) && scenario.family != family {
      if runner.run(scenario, in: profile).divergences.contains(where: isAboutRule) {
        return .init(scenario: scenario.family, profile: profile.name)
      }
    }
    return nil
  }

  /// An expectation is about all rules that it cites, one for which the run does not settle as
  /// well; an invariant and a breach of the protocol are only about their own.
  private func isAboutRule(_ divergence: Divergence) -> Bool {
    let id = rule.id.description
    switch divergence.kind {
    case let .broken(invariant, _): return invariant.rule == id
    case .unsettled: return true
    default: return divergence.weight == .failure && divergence.rules.contains(id)
    }
  }
}

extension Strength {
  /// The rules that must be tested and are not.
  public var untested: [Row] { rows.filter { $0.isRequired && !$0.isTested } }

  /// The untested rules whose scenarios no mutant has ever failed.
  public var idle: [Row] { untested.filter { $0.undeclared == nil } }

  /// The mutants that declare a rule of which no scenario notices them.
  public var unnoticed: [(rule: Rule, mutant: Mutant)] {
    rows.flatMap { row in
      row.ties.filter(\.runs.isEmpty).map { (row.rule, $0.mutant) }
    }
  }

  /// The rules that must be tested, hold in a profile, and are tested in other profiles only.
  public func untested(in profile: String) -> [Row] {
    rows.filter {
      $0.isRequired && $0.isTested && $0.rule.holds(for: profile)
        && $0.rule.level(in: profile) == .must && !$0.isTested(in: profile)
    }
  }

  /// Whether every rule that must be tested is, and every declaration is true.
  public var isComplete: Bool { untested.isEmpty && unnoticed.isEmpty }
}

extension Strength {
  /// The report for a terminal; ends with a line feed. The last line counts what must be tested.
  public var text: String {
    var lines = rows.filter { !$0.ties.isEmpty }.flatMap(\.lines) + [""]
    for section in sections where !section.rows.isEmpty {
      let table = TextTable(section.rows)
      lines += ["\(section.title): \(section.rows.count)"] + table.lines.map { "  " + $0 } + [""]
    }
    return (lines + [lastLine]).map { ascii($0) + "\n" }.joined()
  }

  private var lastLine: String {
    let required = rows.filter(\.isRequired)
    let tested = required.filter(\.isTested)
    return "\(tested.count) of \(required.count) MUST rules that bind clients violated by a mutant "
      + "that one of their scenarios notices"
  }

  private var sections: [(title: String, rows: [[String]])] {
    [
      (
        "rules that no mutant violates",
        untested.filter(\.ties.isEmpty).map { row in
          let witness = row.undeclared.map { "as yet \($0.mutant.name) fails \($0.witnessText)" }
          return ["\(row.rule.id)", row.rule.title, witness ?? row.location]
        }
      ),
      (
        "rules whose scenarios nothing has failed",
        idle.map { ["\($0.rule.id)", $0.rule.title, $0.location] }
      ),
      (
        "mutants that no scenario of the rule notices",
        unnoticed.map { ["\($0.rule.id)", $0.mutant.name] }
      ),
    ]
      + Rule.profileNames.map { profile in
        (
          "rules that nothing violates in \(profile)",
          untested(in: profile).map { ["\($0.rule.id)", $0.rule.title] }
        )
      } + [
        (
          "rules that one scenario alone tests",
          rows.filter(\.hasOneWitness).map { row in
            ["\(row.rule.id)", row.rule.title] + row.witnesses
          }
        ),
        (
          "rules tested otherwise",
          rows.filter { $0.rule.level == .must && $0.rule.tested != .scenarios && !$0.isTested }
            .map { ["\($0.rule.id)", $0.rule.tested.rawValue, $0.rule.title] }
        ),
      ]
  }
}

extension Strength.Row {
  fileprivate var lines: [String] {
    ["\(rule.id)  \(rule.level.rawValue)  \(rule.title)"]
      + ties.map { "    \($0.mutant.name)  \($0.witnessText)" }
  }

  fileprivate var location: String { "\(rule.file):\(rule.line)" }
}

extension Strength.Tie {
  /// `events/order in wilddog-1 wilddog-2, events/more in firebase`.
  fileprivate var witnessText: String {
    var groups: [(scenario: String, profiles: [String])] = []
    for run in runs {
      if let index = groups.firstIndex(where: { $0.scenario == run.scenario }) {
        groups[index].profiles.append(run.profile)
      } else {
        groups.append((run.scenario, [run.profile]))
      }
    }
    let parts = groups.map { "\($0.scenario) in \($0.profiles.joined(separator: " "))" }
    return parts.isEmpty ? "noticed by no scenario of the rule" : parts.joined(separator: ", ")
  }
}

extension Strength {
  /// The report as one JSON object on a line of its own.
  public var json: String {
    let object: JSON = [
      "rules": .array(rows.map(\.json)),
      "rulesWithoutMutant": .array(
        untested.filter(\.ties.isEmpty).map { .string($0.rule.id.description) }),
      "rulesWithOneWitness": .array(
        rows.filter(\.hasOneWitness).map { .string($0.rule.id.description) }),
      "rulesThatNothingFailed": .array(idle.map { .string($0.rule.id.description) }),
      "unnoticed": .array(
        unnoticed.map {
          ["rule": .string($0.rule.id.description), "mutant": .string($0.mutant.name)]
        }),
      "complete": .bool(isComplete),
    ]
    return object.text + "\n"
  }
}

extension Strength.Row {
  fileprivate var json: JSON {
    [
      "id": .string(rule.id.description), "level": .string(rule.level.rawValue),
      "title": .string(rule.title), "required": .bool(isRequired), "tested": .bool(isTested),
      "mutants": .array(ties.map(\.json)),
    ]
  }
}

extension Strength.Tie {
  fileprivate var json: JSON {
    [
      "mutant": .string(mutant.name),
      "runs": .array(
        runs.map { ["scenario": .string($0.scenario), "profile": .string($0.profile)] }),
    ]
  }
}
