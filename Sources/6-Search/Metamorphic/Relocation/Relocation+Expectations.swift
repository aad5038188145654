internal import Scenario

extension Relocation {
  func expectation(_ expectation: Expectation) throws(UnsupportedReason) -> Expectation {
    var moved = expectation
    moved.server = expectation.server.map(whole)
    moved.listeners = expectation.listeners.map(listener)
    moved.outcomes = try expectation.outcomes.map(outcome)
    moved.alternatives = try expectation.alternatives.map(self.expectation)
    return moved
  }

  private func listener(_ expectation: ListenerExpectation) -> ListenerExpectation {
    var moved = expectation
    moved.items = expectation.items.map { item in
      switch item {
      case let .event(event): .event(self.event(event))
      case let .unordered(events): .unordered(events.map(self.event))
      }
    }
    return moved
  }

  private func event(_ event: ExpectedEvent) -> ExpectedEvent {
    var moved = event
    moved.key = event.key.map(key)
    moved.value = event.value.map { renaming($0) }
    if case let .key(pattern) = event.previous { moved.previous = .key(key(pattern)) }
    return moved
  }

  private func key(_ pattern: Pattern) -> Pattern { pattern.mappingTexts { renaming($0) } }

  private func outcome(
    _ expectation: OutcomeExpectation
  ) throws(UnsupportedReason) -> OutcomeExpectation {
    var moved = expectation
    moved.outcome.key = expectation.outcome.key.map(key)
    moved.outcome.inputs = expectation.outcome.inputs?.map { renaming($0) }
    switch expectation.outcome.end {
    case let .committed(value?): moved.outcome.end = .committed(renaming(value))
    case let .notCommitted(value?): moved.outcome.end = .notCommitted(renaming(value))
    case let .answered(pattern):
      let inspection = inspection(expectation.client, expectation.call)
      moved.outcome.end = .answered(try answer(pattern, to: inspection))
    case .ok, .error, .threw, .committed(nil), .notCommitted(nil), nil: break
    }
    return moved
  }
}
