internal import Scenario

/// Compares the events of one listener in one period with the list that was expected.
struct EventComparison {
  var match: EventMatch
  var observed: [Observation]
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
    let alignment = Alignment(expected: expected.count, observed: observed.count) {
      var scratch = bindings
      return match.matches(expected[$0], observed[$1], &scratch)
    }
    guard let first = alignment.rows.firstIndex(where: { !$0.isSame }) else { return nil }
    let hunk = alignment.rows[first...].prefix { !$0.isSame }
    return (kind(of: hunk, in: alignment), rows(of: alignment))
  }

  private func kind(of hunk: ArraySlice<Alignment.Row>, in alignment: Alignment) -> Divergence.Kind
  {
    if let kind = misordered(alignment) { return kind }
    let missing = hunk.compactMap(\.missing).first
    let extra = hunk.compactMap(\.extra).first
    let next = alignment.rows[hunk.endIndex...].lazy.compactMap(\.observed).first
    switch (missing, extra) {
    case let (missing?, extra?): return replacement(expected[missing], observed[extra])
    case let (missing?, nil): return .missing(expected[missing], next: next.map { observed[$0] })
    case (nil, let extra?):
      let goesOn = alignment.rows[hunk.endIndex...].contains { $0.expected != nil }
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
      var scratch = bindings
      let position = missing.firstIndex { match.matches(expected[$0], observed[index], &scratch) }
      guard let position else { return nil }
      missing.remove(at: position)
    }
    let agreed = zip(expected, observed).prefix {
      var scratch = bindings
      return match.matches($0, $1, &scratch)
    }.count
    return .misordered(observed[agreed], before: expected[agreed])
  }

  private func rows(of alignment: Alignment) -> [Divergence.Row] {
    alignment.rows.map { row in
      switch row {
      case let .same(_, index): .same(index + 1, .observation(observed[index]))
      case let .missing(index): .expected(index + 1, .expectedEvent(expected[index]))
      case let .extra(index): .observed(index + 1, .observation(observed[index]))
      }
    }
  }
}

extension Alignment.Row {
  var isSame: Bool {
    if case .same = self { true } else { false }
  }

  var missing: Int? {
    if case let .missing(index) = self { index } else { nil }
  }

  var extra: Int? {
    if case let .extra(index) = self { index } else { nil }
  }

  var observed: Int? {
    switch self {
    case let .same(_, index), let .extra(index): index
    case .missing: nil
    }
  }

  var expected: Int? {
    switch self {
    case let .same(index, _), let .missing(index): index
    case .extra: nil
    }
  }
}
