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
  /// Smaller scenarios that may fail in the same way, to be tried before anything else; the first that
  /// does is gone on with.
  public var guesses: [Scenario] = []
  /// What the scenario is known to fail with, so that it need not be run as it is.
  public var known: Signature?
  /// Whether to go on with a scenario of which no step can be left out any more.
  public var isWorthwhile: (Scenario) -> Bool = { _ in true }
  private let judge: Judge

  /// Takes what runs a scenario; it must give the same answer whenever it is asked about the same
  /// scenario.
  public init(_ judge: @escaping Judge) {
    self.judge = judge
  }

  /// Shrinks a scenario that fails with the given signature; `nil` for whatever it fails with.
  ///
  /// - Returns: The smallest scenario that was found with the signature of `scenario`; `nil` when
  ///   that one does not fail, or not with that signature, and when it is not worthwhile to go on.
  public func shrink(_ scenario: Scenario, to signature: Signature? = nil) -> ShrinkResult? {
    var search = ShrinkSearch(
      scenario, stallLimit: stallLimit, executionLimit: executionLimit, judge)
    guard search.begin(knowing: known, of: scenario), signature ?? search.target == search.target
    else { return nil }
    search.leaveOut(beginningWith: guesses)
    guard isWorthwhile(search.current) else { return nil }
    search.simplifyAndProve()
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
  /// Changes that were tried in vain since something was left out last.
  private var refutedChanges: Set<TextChange> = []
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

  /// Runs the scenario as it is, unless it is known what that comes to.
  ///
  /// - Returns: Whether it fails.
  mutating func begin(knowing known: Signature? = nil, of scenario: Scenario? = nil) -> Bool {
    if let known, text == scenario?.yaml() {
      target = known
      return true
    }
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
    return attempt(candidate, candidate.yaml())
  }

  /// The same, unless this change was tried in vain already, whatever has become simpler elsewhere since
  /// then. Where something was left out since, it is worth another try.
  @discardableResult
  mutating func attemptOnce(_ candidate: Scenario) -> Bool {
    guard !isExhausted else { return false }
    let candidate = candidate.tidied()
    let text = candidate.yaml()
    let change = TextChange(from: self.text, to: text)
    if refutedChanges.contains(change) { return false }
    if attempt(candidate, text) { return true }
    refutedChanges.insert(change)
    return false
  }

  private mutating func attempt(_ candidate: Scenario, _ text: String) -> Bool {
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
    if candidate.elements.count < current.elements.count { refutedChanges = [] }
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

  /// Takes simpler scenarios, each time the next of them that fails in the same way, until there is
  /// none.
  mutating func exhaust(_ simpler: (Scenario) -> [Scenario]) {
    var candidates = simpler(current)
    var index = 0
    while index < candidates.count, !isExhausted {
      if attemptOnce(candidates[index]) {
        candidates = simpler(current)
      } else {
        index += 1
      }
    }
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

  /// The passes that take away most.
  mutating func leaveOut(beginningWith guesses: [Scenario]) {
    adopt { $0.removeRemarks() }
    _ = guesses.contains { guess in attempt(guess.changed { $0.removeRemarks() }) }
    cutAfterFailure()
    dropClients()
    dropFamilies()
    dropSteps()
  }

  /// Those that only make it nicer to read, and the proof that nothing more can be left out. Names come
  /// last: with others nothing would be known of what was tried, and what is needed stays the same.
  mutating func simplifyAndProve() {
    for _ in 0..<Self.rounds {
      let before = text
      simplify()
      if text == before || isExhausted { break }
    }
    for _ in 0..<Self.rounds {
      isMinimal = prove()
      if isMinimal || isSpent { break }
      simplify()
    }
    withLongTimeout { $0.rename() }
  }

  /// Leaves out what can be left out by itself, until nothing can.
  mutating func proveRepeatedly() {
    for _ in 0..<Self.rounds {
      isMinimal = prove()
      if isMinimal || isSpent { return }
    }
  }

  private mutating func simplify() {
    shortenPaths()
    separateLanes()
    simplifyTimes()
    simplifyChoices()
    simplifyOutsideSteps()
    simplifyOperations()
    reorder()
    dropClients()
    dropSteps()
  }
}

extension Scenario {
  /// Without what does not concern its runs.
  fileprivate mutating func removeRemarks() {
    tags = []
    why = ""
    needs = []
    find = nil
  }

  func changed(by change: (inout Scenario) -> Void) -> Scenario {
    var copy = self
    change(&copy)
    return copy
  }
}

/// The lines in which two texts differ, and where that begins.
private struct TextChange: Hashable {
  private let start: Int
  private let old: [Substring]
  private let new: [Substring]

  init(from old: String, to new: String) {
    var (old, new) = (old.split(separator: "\n")[...], new.split(separator: "\n")[...])
    var start = 0
    while let first = old.first, first == new.first {
      (old, new, start) = (old.dropFirst(), new.dropFirst(), start + 1)
    }
    while let last = old.last, last == new.last { (old, new) = (old.dropLast(), new.dropLast()) }
    (self.start, self.old, self.new) = (start, Array(old), Array(new))
  }
}
