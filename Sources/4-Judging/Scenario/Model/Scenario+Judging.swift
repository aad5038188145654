extension Scenario {
  /// The same story without what it expects, so that it is judged by the invariants alone: where it
  /// settles in order to compare, it only settles.
  public var withoutExpectations: Scenario {
    var free = self
    free.judging = .invariants
    free.steps = steps.flatMap(\.withoutExpectation)
    return free
  }
}

extension Step {
  fileprivate var withoutExpectation: [Step] {
    guard let expectation else { return [self] }
    var step = self
    step.expectation = nil
    var rest = step
    rest.action = .settle
    rest.position = expectation.position
    if case .expect = action { return expectation.timing == .settled ? [rest] : [] }
    rest.text = "settle"
    return expectation.timing == .settled ? [step, rest] : [step]
  }
}
