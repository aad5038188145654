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

  /// The first steps, and what lets them settle.
  func cut(after count: Int) -> Scenario {
    var copy = self
    copy.steps = Array(steps.prefix(count))
    if judging == .invariants, let last = copy.steps.last {
      copy.steps.append(Step(file: last.file, position: last.position, text: "", action: .settle))
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

  /// Looking at how every call ends.
  var namingCalls: Scenario {
    var copy = self
    copy.steps = steps.map { step in
      step.mapActions(call: { call in
        var named = call
        named.isNamed = true
        return named
      })
    }
    return copy
  }

  /// Whether nothing is said of what comes before what.
  var isUnordered: Bool { steps.allSatisfy { $0.expectation?.order.isEmpty ?? true } }

  /// Whether it is said what the function of a transaction is called with.
  var looksAtInputs: Bool {
    steps.contains { $0.expectation?.outcomes.contains { $0.outcome.inputs != nil } ?? false }
  }

  /// Without what the functions of transactions were called with.
  var withoutInputs: Scenario {
    var copy = self
    for step in steps.indices {
      for index in steps[step].expectation?.outcomes.indices ?? 0..<0 {
        copy.steps[step].expectation?.outcomes[index].outcome.inputs = nil
      }
    }
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
  var bare: Expectation {
    var copy = Expectation(position: position, timing: timing)
    let stated = [self] + alternatives
    if stated.contains(where: { $0.server != nil }) { copy.server = .any }
    copy.frames = stated.first { !$0.frames.isEmpty }?.frames ?? []
    copy.isConverged = isConverged
    copy.order = order
    return copy
  }
}
