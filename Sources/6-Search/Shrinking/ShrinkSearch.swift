internal import Conformance
internal import Scenario
import ScenarioFiles

/// The state of one search for a smaller scenario.
struct ShrinkSearch {
  /// The smallest scenario so far.
  private(set) var current: Scenario
  /// What every scenario on the way fails with.
  private(set) var target = Signature("")
  private(set) var executions = 0
  var isMinimal = false
  private let stallLimit: Int
  private let executionLimit: Int
  private let judge: Shrinker.Judge
  /// The text of `current`.
  private(set) var text: String
  /// Scenarios that were tried in vain, by their texts.
  private var refuted: Set<String> = []
  private var stalls = 0
  /// Whether changes are tried however long nothing has helped.
  private var hasLongTimeout = false

  init(
    _ scenario: Scenario, stallLimit: Int, executionLimit: Int, _ judge: @escaping Shrinker.Judge
  ) {
    current = scenario.tidied()
    text = current.yaml()
    self.stallLimit = stallLimit
    self.executionLimit = executionLimit
    self.judge = judge
  }

  /// Whether nothing more is tried.
  var isExhausted: Bool { isSpent || (!hasLongTimeout && stalls >= stallLimit) }

  /// Whether as much was run as may be.
  var isSpent: Bool { executions >= executionLimit }

  /// Runs the scenario as it is.
  ///
  /// - Returns: Whether it fails.
  mutating func begin() -> Bool {
    executions += 1
    guard let signature = judge(current) else { return false }
    target = signature
    return true
  }

  /// Takes a changed scenario if it fails in the same way. What is not possible in it any more goes
  /// too.
  ///
  /// - Returns: Whether it was taken.
  @discardableResult
  mutating func attempt(_ candidate: Scenario) -> Bool {
    guard !isExhausted else { return false }
    let candidate = candidate.tidied()
    let text = candidate.yaml()
    guard text != self.text, refuted.insert(text).inserted, !candidate.steps.isEmpty,
      !candidate.clients.isEmpty
    else { return false }
    executions += 1
    guard judge(candidate) == target else {
      stalls += 1
      return false
    }
    refuted.remove(text)
    stalls = 0
    (current, self.text) = (candidate, text)
    return true
  }

  /// Changes the scenario without asking, where the change cannot matter.
  mutating func adopt(_ change: (inout Scenario) -> Void) {
    change(&current)
    text = current.yaml()
  }

  mutating func attempt(_ change: (inout Scenario) -> Void) -> Bool {
    var candidate = current
    change(&candidate)
    return attempt(candidate)
  }

  /// Tries changes one after the other until one is taken.
  mutating func attemptFirst(_ candidates: [Scenario]) -> Bool {
    for candidate in candidates where attempt(candidate) { return true }
    return false
  }

  /// Looks for changes, without a limit for what leads nowhere.
  mutating func withLongTimeout(_ search: (inout ShrinkSearch) -> Void) {
    let before = hasLongTimeout
    hasLongTimeout = true
    search(&self)
    hasLongTimeout = before
  }
}

extension ShrinkSearch {
  /// How often the passes are repeated as long as they find something.
  private static let rounds = 6

  /// All passes, from those that take away most to those that only make it nicer to read.
  mutating func run() {
    adopt { scenario in
      scenario.tags = []
      scenario.why = ""
      scenario.needs = []
    }
    cutAfterFailure()
    dropClients()
    dropFamilies()
    dropSteps()
    for _ in 0..<Self.rounds {
      let before = text
      simplify()
      if text == before || isExhausted { break }
    }
    for _ in 0..<Self.rounds {
      isMinimal = prove()
      if isMinimal || isSpent { return }
      simplify()
    }
  }

  /// Leaves out what can be left out by itself, until nothing can.
  mutating func proveRepeatedly() {
    for _ in 0..<Self.rounds {
      isMinimal = prove()
      if isMinimal || isSpent { return }
    }
  }

  private mutating func simplify() {
    separateLanes()
    simplifyTimes()
    simplifyChoices()
    simplifyOutsideSteps()
    simplifyOperations()
    shortenPaths()
    rename()
    reorder()
    dropClients()
    dropSteps()
  }
}
