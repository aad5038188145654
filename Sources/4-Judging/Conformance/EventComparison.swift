internal import ClientInterface
internal import Scenario
internal import Tree

/// Compares the events of one listener in one period with the list that was expected.
struct EventComparison {
  private let match: EventMatch
  private let observed: [Observation]
  /// The expected events in one order: where any order will do, in that which was observed.
  private(set) var expected: [ExpectedEvent]
  private let bindings: Bindings

  /// Compares the observed events; `bindings` gains the names that the matching ones give.
  init(
    _ items: [ListenerExpectation.Item], _ observed: [Observation], _ match: EventMatch,
    _ bindings: inout Bindings
  ) {
    self.match = match
    self.observed = observed
    expected = Self.ordered(items, like: observed, match, bindings)
    for (event, observation) in zip(expected, observed)
    where !match.matches(event, observation, &bindings) {
      break
    }
    self.bindings = bindings
  }

  /// Puts the events of each unordered group in the order in which they were observed.
  private static func ordered(
    _ items: [ListenerExpectation.Item], like observed: [Observation], _ match: EventMatch,
    _ bindings: Bindings
  ) -> [ExpectedEvent] {
    var bindings = bindings
    var events: [ExpectedEvent] = []
    for item in items {
      switch item {
      case let .event(event):
        if events.count < observed.count {
          _ = match.matches(event, observed[events.count], &bindings)
        }
        events.append(event)
      case let .unordered(group):
        let window = observed.dropFirst(events.count).prefix(group.count)
        events += arranged(group, like: window, match, &bindings)
      }
    }
    return events
  }

  private static func arranged(
    _ group: [ExpectedEvent], like window: ArraySlice<Observation>, _ match: EventMatch,
    _ bindings: inout Bindings
  ) -> [ExpectedEvent] {
    var rest = group
    var slots: [ExpectedEvent?] = []
    for observation in window {
      let index = rest.firstIndex { match.matches($0, observation, &bindings) }
      slots.append(index.map { rest.remove(at: $0) })
    }
    let arranged = slots.compactMap { slot -> ExpectedEvent? in
      slot ?? (rest.isEmpty ? nil : rest.removeFirst())
    }
    return arranged + rest
  }
}

extension EventComparison {
  /// The first difference, with both lists side by side; `nil` when they agree.
  func divergence() -> (kind: Divergence.Kind, rows: [Divergence.Row])? {
    let alignment = Alignment(expected: expected.count, observed: observed.count, matches: agrees)
    guard let first = alignment.rows.firstIndex(where: { !$0.isSame }) else { return nil }
    let hunk = alignment.rows[first...].prefix { !$0.isSame }
    return (kind(of: hunk, in: alignment), rows(of: alignment))
  }

  /// Whether the events at these positions are the same, with what is known so far.
  private func agrees(_ expectedIndex: Int, _ observedIndex: Int) -> Bool {
    var scratch = bindings
    return match.matches(expected[expectedIndex], observed[observedIndex], &scratch)
  }

  private func kind(of hunk: ArraySlice<Alignment.Row>, in alignment: Alignment) -> Divergence.Kind
  {
    if let kind = misordered(alignment) { return kind }
    let missing = hunk.compactMap(\.missing).first
    let extra = hunk.compactMap(\.extra).first
    let next = alignment.rows[hunk.endIndex...].lazy.compactMap(\.sides.observed).first
    switch (missing, extra) {
    case let (missing?, extra?): return replacement(expected[missing], observed[extra])
    case let (missing?, nil): return .missing(expected[missing], next: next.map { observed[$0] })
    case (nil, let extra?):
      let goesOn = alignment.rows[hunk.endIndex...].contains { $0.sides.expected != nil }
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
  private func misordered(_ alignment: Alignment) -> Divergence.Kind? {
    var missing = alignment.rows.compactMap(\.missing)
    let extra = alignment.rows.compactMap(\.extra)
    guard missing.count == extra.count, !missing.isEmpty else { return nil }
    for index in extra {
      guard let position = missing.firstIndex(where: { agrees($0, index) }) else { return nil }
      missing.remove(at: position)
    }
    let agreed = zip(expected.indices, observed.indices).prefix { agrees($0, $1) }.count
    return .misordered(observed[agreed], before: expected[agreed])
  }

  private func entry(_ index: Int) -> Divergence.Row.Entry {
    .event(ExpectedEvent(observed[index].content))
  }

  private func rows(of alignment: Alignment) -> [Divergence.Row] {
    alignment.rows.map { row in
      switch row {
      case let .same(_, index): .init(side: .same, number: index + 1, entry: entry(index))
      case let .missing(index):
        .init(side: .expected, number: index + 1, entry: .event(expected[index]))
      case let .extra(index): .init(side: .observed, number: index + 1, entry: entry(index))
      }
    }
  }
}

extension Alignment.Row {
  /// The positions of what stands there on both sides.
  fileprivate var sides: (expected: Int?, observed: Int?) {
    switch self {
    case let .same(expected, observed): (expected, observed)
    case let .missing(expected): (expected, nil)
    case let .extra(observed): (nil, observed)
    }
  }

  fileprivate var isSame: Bool { if case .same = self { true } else { false } }
  fileprivate var missing: Int? { isSame ? nil : sides.expected }
  fileprivate var extra: Int? { isSame ? nil : sides.observed }
}

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
