public import ClientInterface
public import Conformance
public import Document
public import Scenario

/// What trying the orders of one scenario in one profile has shown.
public struct ExplorationResult: Sendable {
  public var scenario: Scenario
  public var profile: Profile
  public var verdict: Verdict
  /// Why the verdict is neither pass nor fail; `nil` for those two.
  public var reason: String?
  /// How many orders were tried one after the other.
  public var orders = 0
  /// How many were drawn, in which an order can come twice.
  public var drawn = 0
  /// Whether there is no order that could come to anything else.
  public var isComplete = false
  /// How many of all these orders failed.
  public var failures = 0
  /// All that the orders came to, each once, as first found.
  public var findings: [Finding] = []
  /// The first order that failed.
  public var failure: Failure?
  /// Alternatives of expectations that no order reached, in the order of the file.
  public var unreached: [Location] = []

  /// Something that orders came to.
  public struct Finding: Sendable {
    public var runOutcome: RunOutcome
    /// How many of the orders came to it.
    public var count = 1
    public var hasFailed: Bool
    public var witness: Order
    /// The moves of the witness, in words.
    public var words: [String] = []
  }

  public struct Failure: Sendable {
    public var result: ScenarioResult
    public var witness: Order
    public var words: [String] = []
    /// What makes an ordinary run of the scenario go this way, as its `choices`.
    public var choices: [Scenario.Choice]
    /// The fewer that make one fail in the same way, if these are fewer: often only the order
    /// counts, and not how late each message is.
    public var briefChoices: [Scenario.Choice]

    init(_ run: ExplorableRun, witness: Order, words: [String] = []) {
      result = run.result
      self.witness = witness
      self.words = words
      let end = (witness.choices.lastIndex { $0 != 0 } ?? -1) + 1
      choices = run.choices(inOrder: Array(witness.choices[..<end]))
      briefChoices = choices
    }
  }

  public struct Location: Hashable, Sendable {
    public var file: String
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
