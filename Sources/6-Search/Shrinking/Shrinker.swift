public import Conformance
public import Scenario

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
