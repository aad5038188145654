internal import ClientInterface
internal import Scenario
internal import Tree

/// Compares single events of one listener with what was expected.
struct EventMatch {
  /// What the listener listens to.
  var target: Operation.Target
  /// What times are measured from.
  var start: Interval
  /// Whether the listener is a single read.
  var isOnce = false

  /// In what an event differs from the one expected, or `nil` when it is as expected.
  ///
  /// - Precondition: Both are about the same thing, as `isSame` says.
  func difference(
    _ expected: ExpectedEvent, _ observed: Observation, _ bindings: inout Bindings
  ) -> Divergence.EventField? {
    if case let .event(event) = observed.content {
      if let field = difference(expected, event, &bindings) { return field }
    }
    if let bound = expected.time, !bound.contains(observed.time - start) {
      return .time(bound, after: observed.time - start)
    }
    return nil
  }

  private func difference(
    _ expected: ExpectedEvent, _ event: Event, _ bindings: inout Bindings
  ) -> Divergence.EventField? {
    if let mismatch = expected.value?.mismatch(with: event.value, bindings: &bindings) {
      return .value(mismatch)
    }
    // Some interfaces hand over no previous key with a single read.
    if isOnce, event.previous == .none { return event.type == .value ? keyDifference(event) : nil }
    switch expected.previous {
    case .unstated: break
    case .first: if event.previous != .first { return .previous }
    case let .key(pattern):
      guard case let .key(key) = event.previous,
        pattern.matches(.string(key.string), bindings: &bindings)
      else { return .previous }
    }
    return event.type == .value ? keyDifference(event) : nil
  }

  /// What a value event says about its location, and in which order it lists the children (SNP-3).
  private func keyDifference(_ event: Event) -> Divergence.EventField? {
    if event.key != target.path.key { return .pathKey(expected: target.path.key) }
    if event.order == .sorted(target.query.ordering) { return nil }
    guard let listed = event.childKeys else { return nil }
    let sorted = target.query.ordering.keys(of: event.value.children)
    return listed == sorted ? nil : .childOrder(expected: sorted, observed: listed)
  }

  /// Whether both are the same kind of event about the same child.
  func isSame(
    _ expected: ExpectedEvent, _ observed: Observation, _ bindings: inout Bindings
  ) -> Bool {
    switch (expected.kind, observed.content) {
    case let (.event(type), .event(event)):
      guard type == event.type else { return false }
      guard let pattern = expected.key else { return true }
      return event.key.map { pattern.matches(.string($0.string), bindings: &bindings) } ?? false
    case let (.cancelled(expected), .cancelled(observed)): return expected == observed
    case (.event, .cancelled), (.cancelled, .event): return false
    }
  }

  /// Whether the event is as expected in every respect. Bindings are kept only then.
  func matches(
    _ expected: ExpectedEvent, _ observed: Observation, _ bindings: inout Bindings
  ) -> Bool {
    var attempt = bindings
    guard isSame(expected, observed, &attempt), difference(expected, observed, &attempt) == nil
    else { return false }
    bindings = attempt
    return true
  }
}
