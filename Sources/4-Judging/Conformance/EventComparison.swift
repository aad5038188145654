internal import ClientInterface
internal import Scenario
internal import Tree

/// Compares the events of one listener in one period with the list that was expected.
struct EventComparison {
  private let match: EventMatch
  private let observed: [Observation]
  /// The expected events in one order: where any order will do, in that which was observed.
  private(set) var expected: [ExpectedEvent] = []
  private let bindings: Bindings

  /// Compares the observed events; `bindings` gains the names that the matching ones give.
  init(
    _ items: [ListenerExpectation.Item], _ observed: [Observation], _ match: EventMatch,
    _ bindings: inout Bindings
  ) {
    self.match = match
    self.observed = observed
    var known = bindings
    for group in items.map(\.events) {
      let window = observed.dropFirst(expected.count).prefix(group.count)
      expected += Self.arranged(group, like: window, match, &known)
    }
    for (event, observation) in zip(expected, observed)
    where !match.matches(event, observation, &bindings) {
      break
    }
    self.bindings = bindings
  }

  /// Puts the events of a group in the order in which they were observed; those that were not take
  /// what is free.
  private static func arranged(
    _ group: [ExpectedEvent], like window: ArraySlice<Observation>, _ match: EventMatch,
    _ bindings: inout Bindings
  ) -> [ExpectedEvent] {
    var rest = group
    let slots = window.map { observation in
      rest.firstIndex { match.matches($0, observation, &bindings) }.map { rest.remove(at: $0) }
    }
    return slots.map { $0 ?? rest.removeFirst() } + rest
  }
}

extension ListenerExpectation.Item {
  fileprivate var events: [ExpectedEvent] {
    switch self {
    case let .event(event): [event]
    case let .unordered(events): events
    }
  }
}

extension EventComparison {
  /// The first difference, with both lists side by side; `nil` when they agree.
  func divergence() -> (kind: Divergence.Kind, rows: [Divergence.Row])? {
    let rows = Alignment(expected: expected.count, observed: observed.count, matches: agrees).rows
    guard let first = rows.firstIndex(where: { !$0.isSame }) else { return nil }
    let hunk = rows[first...].prefix { !$0.isSame }
    let kind = misordered(rows.filter { !$0.isSame }) ?? kind(of: hunk, rows[hunk.endIndex...])
    return (kind, rows.map(row))
  }

  /// Whether the events at these positions are the same, with what is known so far.
  private func agrees(_ expectedIndex: Int, _ observedIndex: Int) -> Bool {
    var scratch = bindings
    return match.matches(expected[expectedIndex], observed[observedIndex], &scratch)
  }

  private func kind(
    of hunk: ArraySlice<Alignment.Row>, _ rest: ArraySlice<Alignment.Row>
  ) -> Divergence.Kind {
    switch (hunk.lazy.compactMap(\.expected).first, hunk.lazy.compactMap(\.observed).first) {
    case let (missing?, extra?): return replacement(expected[missing], observed[extra])
    case let (missing?, nil):
      let next = rest.lazy.compactMap(\.observed).first
      return .missing(expected[missing], next: next.map { observed[$0] })
    case (nil, let extra?):
      let goesOn = rest.contains { $0.expected != nil }
      if expected.isEmpty { return .unexpected(observed[extra], .silent) }
      return .unexpected(observed[extra], goesOn ? .notHere : .nothingMore)
    case (nil, nil): preconditionFailure("a hunk of \(hunk.count) rows without a difference")
    }
  }

  private func replacement(
    _ expected: ExpectedEvent, _ observed: Observation
  ) -> Divergence.Kind {
    var scratch = bindings
    guard match.isSame(expected, observed, &scratch),
      let field = match.difference(expected, observed, &scratch)
    else { return .replaced(expected, by: observed) }
    return .different(expected, observed, field)
  }

  /// The first event that came too early, when what was observed are the right events.
  private func misordered(_ differing: [Alignment.Row]) -> Divergence.Kind? {
    var missing = differing.compactMap(\.expected)
    let extra = differing.compactMap(\.observed)
    guard missing.count == extra.count, !missing.isEmpty else { return nil }
    for index in extra {
      guard let position = missing.firstIndex(where: { agrees($0, index) }) else { return nil }
      missing.remove(at: position)
    }
    let agreed = zip(expected.indices, observed.indices).prefix { agrees($0, $1) }.count
    return .misordered(observed[agreed], before: expected[agreed])
  }

  private func row(_ row: Alignment.Row) -> Divergence.Row {
    guard let index = row.observed else {
      let index = row.expected ?? 0
      return Divergence.Row(
        side: .expected, number: index + 1, entry: .event(expected[index]))
    }
    return Divergence.Row(
      side: row.isSame ? .same : .observed, number: index + 1,
      entry: .event(ExpectedEvent(observed[index].content)))
  }
}

/// Compares single events of one listener with what was expected.
struct EventMatch {
  /// What the listener listens to.
  var target: Operation.Target
  /// What times are measured from.
  var start: Interval
  /// Whether the listener is a single read.
  var isOnce = false

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

  /// Whether both are the same kind of event about the same child.
  func isSame(
    _ expected: ExpectedEvent, _ observed: Observation, _ bindings: inout Bindings
  ) -> Bool {
    guard expected.kind == observed.kind else { return false }
    guard let pattern = expected.key, case let .event(event) = observed.content else { return true }
    return event.key.map { pattern.matches(.string($0.string), bindings: &bindings) } ?? false
  }

  /// In what an event differs from the one expected, or `nil` when it is as expected.
  ///
  /// - Precondition: Both are about the same thing, as `isSame` says.
  func difference(
    _ expected: ExpectedEvent, _ observed: Observation, _ bindings: inout Bindings
  ) -> Divergence.EventField? {
    if case let .event(event) = observed.content {
      if let mismatch = expected.value?.mismatch(with: event.value, bindings: &bindings) {
        return .value(mismatch)
      }
      if !matches(event.previous, expected.previous, &bindings) { return .previous }
      if event.type == .value, let field = keyDifference(event) { return field }
    }
    if let bound = expected.time, !bound.contains(observed.time - start) {
      return .time(bound, after: observed.time - start)
    }
    return nil
  }

  private func matches(
    _ previous: Event.Previous, _ expected: ExpectedEvent.Previous, _ bindings: inout Bindings
  ) -> Bool {
    // Some interfaces hand over no previous key with a single read.
    if isOnce, previous == .none { return true }
    switch expected {
    case .unstated: return true
    case .first: return previous == .first
    case let .key(pattern):
      guard case let .key(key) = previous else { return false }
      return pattern.matches(.string(key.string), bindings: &bindings)
    }
  }

  /// What a value event says about its location, and in which order it lists the children (SNP-3).
  private func keyDifference(_ event: Event) -> Divergence.EventField? {
    if event.key != target.path.key { return .pathKey(expected: target.path.key) }
    if event.order == .sorted(target.query.ordering) { return nil }
    guard let listed = event.childKeys else { return nil }
    let sorted = target.query.ordering.keys(of: event.value.children)
    return listed == sorted ? nil : .childOrder(expected: sorted, observed: listed)
  }
}
