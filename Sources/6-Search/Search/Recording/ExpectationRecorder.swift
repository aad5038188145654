public import ClientInterface
public import Conformance
public import Document
public import Scenario
import ScenarioFiles

/// Fills in what a scenario expects, wherever it is not what a client that is right shows.
///
/// What is recorded holds in every order that the scenario leaves open, in all its profiles, and for
/// every client that conforms: what only some of them show would be an accident.
public struct ExpectationRecorder {
  private let reference: ScenarioRunner
  private let others: (Profile) -> [ScenarioRunner]

  /// How many orders are looked at.
  private static let limit = 2000

  /// What a step is to expect.
  public struct Change {
    /// The expectation as it should be, at the position of the old one.
    public var expectation: Expectation
    /// Whether there was none: the step comes behind all others.
    public var isNew: Bool
  }

  /// Which expectations are filled in.
  public enum Extent: CaseIterable, Sendable {
    /// Those that do not hold, and those of the server's tree that are left to any value.
    case wrong
    /// All of them, where one does not hold: names that one gives are used by others.
    case all
  }

  /// - Parameters:
  ///   - reference: Runs the client whose behaviour is recorded.
  ///   - others: Run the clients of a profile that conform as well and may show something else.
  public init(reference: ScenarioRunner, others: @escaping (Profile) -> [ScenarioRunner]) {
    (self.reference, self.others) = (reference, others)
  }

  /// What has to be changed.
  ///
  /// - Parameters:
  ///   - scenario: As it is read for recording.
  ///   - extent: Which expectations are filled in.
  /// - Returns: A change for each of them; empty where everything holds.
  /// - Throws: Why nothing can be recorded.
  public func changes(
    of scenario: Scenario, _ extent: Extent = .wrong
  ) throws(SourceError) -> [Change] {
    if scenario.judging == .invariants {
      throw SourceError(
        FileLocation(file: scenario.file),
        "it is judged by invariants alone, which expects nothing; leave judge out to record")
    }
    let prepared = scenario.closed
    var shown: [(profile: Profile, all: [Shown])] = []
    for profile in scenario.profiles {
      shown.append((profile, try self.shown(by: reference, prepared, in: profile)))
    }
    var wrong = Set(shown.flatMap(\.all).flatMap(\.failed))
    if wrong.isEmpty { return [] }
    try requireNames(scenario, shown.flatMap(\.all))
    if extent == .all {
      wrong = Set(prepared.steps.indices.filter { prepared.steps[$0].expectation != nil })
    }
    var changes: [Change] = []
    for step in wrong.sorted() {
      try requireAgreement(on: step, of: prepared, shown)
      changes.append(
        Change(
          expectation: merged(step, shown.first?.all ?? [], beside: prepared.steps[step]),
          isNew: step >= scenario.steps.count))
    }
    for (profile, all) in shown {
      try requireDecision(in: profile, of: prepared, wrong, all)
    }
    return changes
  }
}

// What clients show.

extension ExpectationRecorder {
  /// What a client shows in one order.
  private struct Shown {
    /// The scenario with what it shows as its expectations.
    var recorded: Scenario
    /// The steps whose expectations do not hold, from 0.
    var failed: [Int]

    func lines(_ step: Int) -> [String] {
      recorded.steps[step].expectation?.lines.map { "\($0.key): \($0.value)" } ?? []
    }
  }

  private func shown(
    by runner: ScenarioRunner, _ scenario: Scenario, in profile: Profile
  ) throws(SourceError) -> [Shown] {
    var explorer = Explorer(runner)
    explorer.limit = Self.limit
    let survey = explorer.explore(scenario, in: profile)
    guard survey.isComplete else {
      throw refusal(
        scenario,
        survey.reason ?? "it leaves open more than \(Self.limit) orders, and what is "
          + "recorded would hold in those that were tried; expected fewer steps in together, or a "
          + "fixed latency")
    }
    let placeholders = scenario.steps.indices.filter {
      scenario.steps[$0].expectation?.leavesServerOpen == true
    }
    var all: [Shown] = []
    for finding in survey.findings {
      guard let run = explorer.run(scenario, in: profile, order: finding.witness) else { continue }
      var chosen = scenario
      chosen.choices = run.choices
      for index in chosen.steps.indices {
        chosen.steps[index].expectation = chosen.steps[index].expectation?.bare
      }
      // What is expected at the end of a new scenario is what the server has, too.
      if scenario.isClosedHere { chosen.steps[chosen.steps.count - 1].expectation?.server = .any }
      guard let recorded = runner.expecting(chosen, in: profile) else {
        throw refusal(
          scenario,
          run.result.divergences.first.map { _ in run.result.sentence }
            ?? "it does not settle in \(profile.name)")
      }
      let failed = run.result.divergences.map { $0.step - 1 } + placeholders
      all.append(Shown(recorded: recorded, failed: failed.filter(scenario.steps.indices.contains)))
    }
    return all
  }

  private func refusal(_ scenario: Scenario, _ reason: String) -> SourceError {
    SourceError(FileLocation(file: scenario.file), reason)
  }

  private func refusal(_ step: Step, _ reason: String) -> SourceError {
    SourceError(
      file: step.file, position: step.expectation?.position ?? step.position, message: reason)
  }
}

// Why nothing is recorded.

extension ExpectationRecorder {
  /// A call that ends with an error needs a name to be listed by.
  private func requireNames(_ scenario: Scenario, _ all: [Shown]) throws(SourceError) {
    for shown in all {
      for (step, filled) in zip(scenario.steps, shown.recorded.steps) {
        for (call, named) in zip(step.calls, filled.calls) where named.isNamed && !call.isNamed {
          throw SourceError(
            file: step.file, position: step.position,
            message: "the call ends with an error, and has no name to expect that of; "
              + "expected a name for it, such as as: w")
        }
      }
    }
  }

  /// The profiles of a scenario share its expectations.
  private func requireAgreement(
    on step: Int, of scenario: Scenario, _ shown: [(profile: Profile, all: [Shown])]
  ) throws(SourceError) {
    guard let first = shown.first else { return }
    let expected = Set(first.all.map { $0.lines(step) })
    for other in shown.dropFirst() {
      guard Set(other.all.map { $0.lines(step) }) != expected else { continue }
      throw refusal(
        scenario.steps[step],
        "the profiles differ: \(first.profile.name) shows \(text(of: step, first.all)), "
          + "\(other.profile.name) \(text(of: step, other.all)); expected profiles: with those that "
          + "agree, and the others in a scenario of their own")
    }
  }

  /// What the rules leave to clients, or only advise, is not recorded, unless that is what the
  /// scenario is about.
  private func requireDecision(
    in profile: Profile, of scenario: Scenario, _ steps: Set<Int>, _ expected: [Shown]
  ) throws(SourceError) {
    guard scenario.rules.contains(where: { $0.isRequired(in: profile) }) else { return }
    for runner in others(profile) {
      for other in try shown(by: runner, scenario, in: profile) {
        for step in steps.sorted()
        where !expected.contains(where: { $0.lines(step) == other.lines(step) }) {
          throw refusal(
            scenario.steps[step],
            "clients of \(profile.name) that conform differ: the reference client shows "
              + "\(text(of: step, expected)), another one may show \(text(of: step, [other])); "
              + "expected steps whose outcome the rules decide")
        }
      }
    }
  }

  private func text(of step: Int, _ all: [Shown]) -> String {
    let texts = all.map { "{" + $0.lines(step).joined(separator: ", ") + "}" }
    return Truncation.middle(of: texts.first ?? "{}", to: 300)
  }
}

// What is expected.

extension ExpectationRecorder {
  /// What all orders show, as alternatives where they differ.
  private func merged(_ step: Int, _ all: [Shown], beside old: Step) -> Expectation {
    var variants: [(lines: [String], expectation: Expectation)] = []
    for shown in all {
      let lines = shown.lines(step)
      guard let expectation = shown.recorded.steps[step].expectation,
        !variants.contains(where: { $0.lines == lines })
      else { continue }
      variants.append((lines, expectation))
    }
    let expectations = variants.map(\.expectation)
    guard var whole = expectations.first else { return Expectation(old) }
    if expectations.count > 1 { whole = whole.common(with: expectations) }
    whole.rules = old.expectation?.rules ?? []
    for index in whole.alternatives.indices { whole.alternatives[index].rules = whole.rules }
    if let position = old.expectation?.position { whole.position = position }
    return whole
  }
}

extension Expectation {
  fileprivate init(_ step: Step) {
    self.init(position: step.position, timing: .settled)
  }

  /// Whether the server's tree is looked at, but may be anything.
  fileprivate var leavesServerOpen: Bool {
    if case .any? = server { true } else { false }
  }

  /// What all of several have in common, with these as its alternatives.
  fileprivate func common(with all: [Expectation]) -> Expectation {
    func isShared(_ line: (Expectation) -> [String], _ text: String) -> Bool {
      all.allSatisfy { line($0).contains(text) }
    }
    var whole = Expectation(position: position, timing: timing)
    whole.listeners = listeners.filter { isShared(\.listenerLines, $0.line) }
    whole.outcomes = outcomes.filter { isShared(\.outcomeLines, $0.line) }
    if all.allSatisfy({ $0.server?.json == server?.json }) { whole.server = server }
    if all.allSatisfy({ $0.frames.map(\.count) == frames.map(\.count) }) { whole.frames = frames }
    whole.isConverged = isConverged
    let (ownListeners, ownOutcomes) = (
      whole.listeners.map(\.line), whole.outcomes.map(\.line)
    )
    whole.alternatives = all.map { one in
      var one = one
      one.listeners =
        whole.listeners + one.listeners.filter { !ownListeners.contains($0.line) }
      one.outcomes = whole.outcomes + one.outcomes.filter { !ownOutcomes.contains($0.line) }
      return one
    }
    return whole
  }

  private var listenerLines: [String] { listeners.map(\.line) }
  private var outcomeLines: [String] { outcomes.map(\.line) }
}

extension ListenerExpectation {
  /// What it lists, as a file does.
  fileprivate var line: String {
    var alone = Expectation(position: position, timing: .now)
    alone.listeners = [self]
    return alone.lines.map { "\($0.key): \($0.value)" }.joined()
  }
}

extension OutcomeExpectation {
  fileprivate var line: String {
    var alone = Expectation(position: position, timing: .now)
    alone.outcomes = [self]
    return alone.lines.map { "\($0.key): \($0.value)" }.joined()
  }
}

extension Scenario {
  /// The same with an expectation at its end, which it is read without for recording.
  fileprivate var closed: Scenario { closed(by: "expect: {}") }

  /// Whether its last expectation is none of the file: it has the position of the step before.
  fileprivate var isClosedHere: Bool {
    let end = steps.suffix(2)
    return end.count == 2 && end.first?.file == end.last?.file
      && end.first?.position == end.last?.position
  }
}

extension Step {
  /// The calls that it makes.
  fileprivate var calls: [Action.Call] { parts.compactMap(\.action.call) }
}
