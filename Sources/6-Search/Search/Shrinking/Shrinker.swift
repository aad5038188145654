public import Conformance
public import Scenario
import ScenarioFiles

/// Makes a failing scenario small: the same failure, with as little as possible around it.
///
/// It knows nothing of clients. All it can do is to ask what a changed scenario comes to. It is
/// deterministic: the same scenario and the same answers give the same result.
public struct Shrinker {
  /// What running a scenario comes to; `nil` when it does not fail, or cannot be run.
  public typealias Judge = (Scenario) -> Signature?

  /// After how many changes in a row that lead nowhere it ends, to prove what it has.
  public var stallLimit = 200
  /// After how many runs it ends with what it has, proven or not.
  public var executionLimit = Int.max
  private let judge: Judge

  /// Takes what runs a scenario; it must give the same answer whenever it is asked about the same
  /// scenario.
  public init(_ judge: @escaping Judge) {
    self.judge = judge
  }

  /// Shrinks a scenario that fails with the given signature; `nil` for whatever it fails with.
  ///
  /// - Returns: The smallest scenario that was found with the signature of `scenario`; `nil` when
  ///   that one does not fail, or not with that signature.
  public func shrink(_ scenario: Scenario, to signature: Signature? = nil) -> ShrinkResult? {
    var search = ShrinkSearch(
      scenario, stallLimit: stallLimit, executionLimit: executionLimit, judge)
    guard search.begin(), signature == nil || signature == search.target else { return nil }
    search.run()
    return search.result
  }

  /// Leaves out of a small scenario what can be left out by itself, until nothing can, and changes
  /// nothing else.
  ///
  /// - Returns: `nil` when it does not fail with the signature.
  func proved(_ scenario: Scenario, to signature: Signature) -> ShrinkResult? {
    var search = ShrinkSearch(
      scenario, stallLimit: stallLimit, executionLimit: executionLimit, judge)
    guard search.begin(), signature == search.target else { return nil }
    search.proveRepeatedly()
    return search.result
  }
}

extension ShrinkSearch {
  fileprivate var result: ShrinkResult {
    ShrinkResult(
      scenario: current, signature: target, executions: executions, isMinimal: isMinimal)
  }
}

/// What became of a scenario that was made small.
public struct ShrinkResult: Sendable {
  /// The smallest scenario that was found, or the original if nothing could be left out.
  public var scenario: Scenario
  /// What it fails with, before and after.
  public var signature: Signature
  /// How many scenarios were run.
  public var executions: Int
  /// Whether each part of it was removed once by itself, and the failure was another one or none.
  public var isMinimal: Bool
}

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

  /// Takes a changed scenario if it fails in the same way, and can be read from its text. What is not
  /// possible in it any more goes too.
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
    guard judge(candidate) == target, Scenario(text: text) != nil else {
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

  @discardableResult
  mutating func attempt(_ change: (inout Scenario) -> Void) -> Bool {
    attempt(current.changed(by: change))
  }

  /// Takes simpler scenarios, each time the first of them that fails in the same way, until there is
  /// none.
  mutating func exhaust(_ simpler: (Scenario) -> [Scenario]) {
    while !isExhausted, simpler(current).contains(where: { attempt($0) }) {}
  }

  /// Tries once for each span of some parts to do without it, from the end.
  mutating func sweep(
    _ size: Int, of count: (Scenario) -> Int, without: (Scenario, Range<Int>) -> Scenario
  ) {
    var end = count(current)
    while end > 0, !isExhausted {
      end = min(end, count(current))
      let start = max(0, end - size)
      attempt(without(current, start..<end))
      end = start
    }
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
      scenario.find = nil
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

extension Scenario {
  func changed(by change: (inout Scenario) -> Void) -> Scenario {
    var copy = self
    change(&copy)
    return copy
  }
}
