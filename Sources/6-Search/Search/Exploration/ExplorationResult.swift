public import ClientInterface
public import Conformance
public import Document
public import Scenario

/// What trying the orders of one scenario in one profile has shown.
public struct ExplorationResult: Sendable {
  /// The scenario whose orders were tried, without its expectations where they hold only for the
  /// order that it fixes.
  public var scenario: Scenario
  /// The profile in which every order was run.
  public var profile: Profile
  /// `fail` if any order failed, otherwise that of the first run unless it passed and alternatives
  /// are unreached: then `vacuous`, or `inconclusive` when not all orders were tried.
  public var verdict: Verdict
  /// Why the verdict is neither pass nor fail; `nil` for those two.
  public var reason: String?
  /// How many orders were tried one after the other.
  public var orders = 0
  /// How many were drawn, in which an order can come twice.
  public var drawn = 0
  /// Whether there is no order that could come to anything else.
  public var isComplete = false
  /// About how many orders there are without any reduction, as estimated from some that were drawn;
  /// `nil` when that was not asked.
  public var unreduced: Double?
  /// What was tried next to the order of time when not all orders could be tried; `nil` otherwise.
  public var nearby: Nearby?
  /// How many of all these orders failed.
  public var failures = 0
  /// All that the orders came to, each once, as first found.
  public var findings: [Finding] = []
  /// The first order that failed.
  public var failure: Failure?
  /// Alternatives of expectations that no order reached, in the order of the file.
  public var unreached: [Location] = []

  /// All orders that differ little from that of time.
  public struct Nearby: Hashable, Sendable {
    /// How many were tried.
    public var orders = 0
    /// Every order with at most so many delays was tried; `nil` when not even that of time was.
    public var delays: Int?
  }

  /// How many times as many orders a search without reduction would try; `nil` unless all orders
  /// were tried and there was an estimate.
  public var reductionFactor: Double? {
    guard isComplete, orders > 0, let unreduced else { return nil }
    return max(1, unreduced / Double(orders))
  }

  /// Something that orders came to.
  public struct Finding: Sendable {
    /// What the applications and a reader of the server saw, apart from times.
    public var runOutcome: RunOutcome
    /// How many of the orders came to it.
    public var count = 1
    /// Whether the orders counted here failed; the same outcome can be found once with and once
    /// without a failure.
    public var hasFailed: Bool
    /// The first order that came to it, for `Explorer.run`.
    public var witness: Order
    /// The moves of the witness, in words.
    public var words: [String] = []
  }

  /// An order that failed, with what is needed to see the failure again.
  public struct Failure: Sendable {
    /// How the run in this order was judged, with its trace.
    public var result: ScenarioResult
    /// The choices that lead to the failure, for `Explorer.run`.
    public var witness: Order
    /// All moves of the run in their order, chosen or not, in words; empty until they are worked
    /// out.
    public var words: [String] = []
    /// What makes an ordinary run of the scenario go this way, as its `choices`.
    public var choices: [Scenario.Choice]
    /// The fewer that make one fail in the same way, if these are fewer: often only the order
    /// counts, and not how late each message is.
    public var briefChoices: [Scenario.Choice]

    init(_ run: ScenarioRun, witness: Order, words: [String] = []) {
      result = run.result
      self.witness = witness
      self.words = words
      let end = (witness.choices.lastIndex { $0 != 0 } ?? -1) + 1
      choices = run.choices(inOrder: Array(witness.choices[..<end]))
      briefChoices = choices
    }
  }

  /// Where an alternative of an expectation is written.
  public struct Location: Hashable, Sendable {
    /// The path of the scenario file or fragment that has the step.
    public var file: String
    /// Where in `file` the alternative begins.
    public var position: Position
  }

  init(_ scenario: Scenario, _ profile: Profile, _ verdict: Verdict, reason: String? = nil) {
    self.scenario = scenario
    self.profile = profile
    self.verdict = verdict
    self.reason = reason
  }

  /// The survey without what only a report on it needs.
  public var withoutEvidence: ExplorationResult {
    var survey = self
    survey.findings = []
    survey.failure = nil
    return survey
  }
}
