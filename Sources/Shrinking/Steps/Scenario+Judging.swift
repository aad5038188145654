internal import ClientInterface
internal import Scenario

// The same steps, judged in another way.

extension Scenario {
  /// The scenario with expectations as steps of their own that say when is looked at what, and not
  /// what is seen.
  var bare: Scenario {
    var copy = self
    copy.steps = steps.flatMap { step -> [Step] in
      guard let expectation = step.expectation else { return [step] }
      var look = step
      look.action = .expect
      look.expectation = expectation.bare
      var action = step
      action.expectation = nil
      if case .expect = step.action { return [look] }
      return [action, look]
    }
    return copy
  }

  /// Looking where it rested.
  var judgedByExpectations: Scenario {
    if judging == .expectations { return self }
    var copy = self
    copy.judging = .expectations
    for index in copy.steps.indices {
      guard case .settle = copy.steps[index].action else { continue }
      copy.steps[index].action = .expect
      copy.steps[index].expectation = Expectation(
        position: copy.steps[index].position, timing: .settled)
    }
    return copy.tidied()
  }

  /// Looking at the server's tree too, in the end.
  var lookingAtServer: Scenario {
    var copy = self
    if let last = copy.steps.indices.last { copy.steps[last].expectation?.server = .any }
    return copy
  }

  /// With rest in place of expectations that nothing is to be seen, but for the last one.
  var withoutSilence: Scenario {
    var copy = self
    for index in steps.indices.dropLast() {
      guard case .expect = steps[index].action, let expectation = steps[index].expectation,
        expectation.isEmpty, expectation.timing == .settled
      else { continue }
      copy.steps[index].action = .settle
      copy.steps[index].expectation = nil
    }
    return copy
  }
}

extension Expectation {
  /// When is looked at what.
  fileprivate var bare: Expectation {
    var copy = Expectation(position: position, timing: timing)
    let stated = [self] + alternatives
    if stated.contains(where: { $0.server != nil }) { copy.server = .any }
    copy.frames = stated.first { !$0.frames.isEmpty }?.frames ?? []
    copy.isConverged = isConverged
    return copy
  }
}
