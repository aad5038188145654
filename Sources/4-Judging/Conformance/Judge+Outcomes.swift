internal import ClientInterface
internal import Scenario
internal import Tree

extension Judge {
  mutating func judgeUnlistedOutcomes() {
    for ending in period.outcomes { judgeUnlisted(ending) }
  }

  mutating func judge(_ expected: OutcomeExpectation) {
    guard let client = registry.index(of: expected.client) else { return }
    let name = Registry.Name(client: client, label: expected.call.name)
    let ended = period.outcomes.last {
      $0.name == name && !$0.isRepeated && !$0.isLate
    }?.outcome
    let subject = registry.callSubject(of: name)
    guard let observed = ended ?? answer(expected.outcome, name) else {
      var divergence = Divergence(
        .outcomeMissing(expected.outcome), of: subject, at: expected.position,
        evidence: period.lastArrival(at: name.client))
      divergence.origin = registry.calls[name]?.sequence
      return record(divergence, at: nil)
    }
    guard let field = difference(expected, observed) else { return }
    let rows: [Divergence.Row] = [
      .expected(1, .expectedOutcome(expected.outcome)), .observed(1, .outcome(observed)),
    ]
    var divergence = Divergence(
      .outcomeDifferent(expected.outcome, observed, field), of: subject, at: expected.position,
      evidence: observed.sequence, rows: rows)
    divergence.origin = registry.calls[name]?.sequence
    record(divergence, at: observed.sequence)
  }

  /// What the call has come to without an end, when no end is expected.
  private func answer(_ expected: ExpectedOutcome, _ name: Registry.Name) -> Outcome? {
    guard expected.end == nil, let outcome = registry.calls[name]?.outcome, outcome.end == nil,
      outcome.key != nil || !outcome.inputs.isEmpty
    else { return nil }
    return outcome
  }

  private mutating func difference(
    _ expected: OutcomeExpectation, _ observed: Outcome
  ) -> Divergence.OutcomeField? {
    let outcome = expected.outcome
    if !matches(outcome.end, observed.end) { return .end }
    if let pattern = outcome.key {
      guard let key = observed.key, pattern.matches(key, bindings: &bindings) else { return .key }
    }
    if let inputs = outcome.inputs {
      guard inputs.count == observed.inputs.count else { return .inputs }
      for (pattern, input) in zip(inputs, observed.inputs)
      where !pattern.matches(input, bindings: &bindings) {
        return .inputs
      }
    }
    let passed = observed.time - period.start
    if let bound = expected.time, !bound.contains(passed) { return .time(bound, after: passed) }
    return nil
  }

  private mutating func matches(_ expected: ExpectedOutcome.End?, _ observed: Outcome.End?) -> Bool
  {
    switch (expected, observed) {
    case (nil, nil): true
    case let (.threw(expected)?, .threw(code)?): expected == code
    case let (.answered(pattern)?, .answered(answer)?):
      pattern.matches(answer: answer, bindings: &bindings)
    case let (.ok?, .completed(completion)?):
      completion.error == nil && completion.committed != false
    case let (.error(code)?, .completed(completion)?): completion.error == code
    case let (.committed(value)?, .completed(completion)?):
      completion.error == nil && completion.committed == true && matches(value, completion.value)
    case let (.notCommitted(value)?, .completed(completion)?):
      completion.error == nil && completion.committed == false && matches(value, completion.value)
    case (_, _): false
    }
  }

  private mutating func matches(_ pattern: Pattern?, _ value: Node?) -> Bool {
    guard let pattern else { return true }
    return pattern.mismatch(with: value ?? .empty, bindings: &bindings) == nil
  }

  private mutating func judgeUnlisted(_ ending: ObservationWindow.Ending) {
    guard let call = registry.calls[ending.name] else { return }
    let kind: Divergence.Kind
    if ending.isRepeated {
      kind = .completedTwice(ending.outcome)
    } else if ending.isLate {
      kind = .endedAfterKill(ending.outcome)
    } else if isListed(ending.name) || (ending.outcome.isSuccess && !call.mustBeListed) {
      return
    } else {
      kind = call.isNamed ? .outcomeUnexpected(ending.outcome) : .callFailed(ending.outcome)
    }
    var divergence = Divergence(
      kind, of: registry.callSubject(of: ending.name), at: expectation.position,
      evidence: ending.outcome.sequence)
    divergence.origin = call.sequence
    record(divergence, at: ending.outcome.sequence)
  }

  private func isListed(_ name: Registry.Name) -> Bool {
    expectation.outcomes.contains {
      $0.call.name == name.label && registry.index(of: $0.client) == name.client
    }
  }
}

extension Registry.Call {
  /// Whether its success is an observation.
  var mustBeListed: Bool { isNamed && operation.ending != .none }
}
