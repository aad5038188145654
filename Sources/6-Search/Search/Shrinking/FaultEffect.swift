public import ClientInterface
public import Conformance
internal import Document
internal import Faults
public import Scenario
public import Tree

/// A failure that faults of the network cause: with them the server ends with other data than without
/// them, although its clients do what they should.
///
/// An increment that is made twice because its acknowledgement was lost is one, a write that is lost
/// with its connection another.
public struct FaultEffect {
  /// Where the data differ, with both values.
  public struct Difference {
    /// The first location in the order of keys.
    public var path: Path
    /// What is there after a run with the faults.
    public var faulty: JSON
    /// What is there after a run without them.
    public var faultless: JSON
  }

  private let runner: ScenarioRunner
  private let profile: Profile
  private let path: Path

  /// - Parameters:
  ///   - runner: Runs the clients.
  ///   - profile: As what they are judged.
  ///   - path: Only differences at this location and below count.
  public init(_ runner: ScenarioRunner, in profile: Profile, at path: Path = .root) {
    self.runner = runner
    self.profile = profile
    self.path = path
  }

  /// What the faults of a scenario change; `nil` for nothing, and when a run does not settle.
  public func difference(in scenario: Scenario) -> Difference? {
    var faultless = scenario.withoutExpectations
    faultless.steps.removeAll { $0.action.isOfNetwork }
    guard let with = tree(of: scenario.withoutExpectations), let without = tree(of: faultless),
      let found = TreeComparison.first(with[path], without[path], at: path)
    else { return nil }
    return Difference(path: found.path, faulty: found.session, faultless: found.run)
  }

  private func tree(of scenario: Scenario) -> Node? {
    var scenario = scenario
    if let last = scenario.steps.last {
      var settle = last
      (settle.action, settle.expectation, settle.trigger) = (.settle, nil, nil)
      scenario.steps.append(settle)
    }
    let result = runner.run(scenario, in: profile)
    return result.stepsRun == scenario.steps.count ? result.serverTree : nil
  }

  /// The same effect in as few steps as possible, with what the clients show as its expectations.
  ///
  /// - Parameters:
  ///   - scenario: Where the faults change what the server has.
  ///   - limit: How many runs the search may take.
  /// - Returns: The scenario with the difference; `nil` when the faults change nothing.
  public func shrink(
    _ scenario: Scenario, executions limit: Int = .max
  ) -> (scenario: Scenario, difference: Difference)? {
    guard difference(in: scenario) != nil else { return nil }
    var shrinker = Shrinker { difference(in: $0)?.signature }
    shrinker.executionLimit = limit
    guard var small = shrinker.shrink(scenario.withoutExpectations)?.scenario,
      let difference = difference(in: small)
    else { return nil }
    small.judging = .expectations
    if var last = small.steps.last {
      last.action = .expect
      last.trigger = nil
      last.expectation = Expectation(position: last.position, timing: .settled)
      last.expectation?.server = .any
      small.steps.append(last)
    }
    small.title = "A fault changes what the server has at \(difference.path)"
    small.profiles = [profile]
    return (runner.expecting(small, in: profile) ?? small, difference)
  }
}

extension FaultEffect.Difference {
  /// What the faults did, whatever the values are: a small scenario does the same.
  fileprivate var signature: Signature {
    if faulty == .null { return Signature("fault-effect lost") }
    if faultless == .null { return Signature("fault-effect added") }
    guard let first = faulty.number, let second = faultless.number else {
      return Signature("fault-effect changed")
    }
    return Signature(first > second ? "fault-effect greater" : "fault-effect smaller")
  }
}

extension Action {
  /// Whether it is a fault of the network, or of a server that restarts.
  fileprivate var isOfNetwork: Bool {
    guard case let .fault(fault) = self else { return false }
    return fault.kind.group == .network || fault.kind == .restart
  }
}
