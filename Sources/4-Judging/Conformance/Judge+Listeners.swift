internal import ClientInterface
internal import Document
internal import Scenario
internal import Trace
internal import Tree

extension Judge {
  mutating func judgeSilentListeners() {
    for name in silentNames {
      let observed = observations(of: name)
      guard let first = observed.first else { continue }
      let rows = observed.enumerated().map {
        Divergence.Row.observed($0.offset + 1, .observation($0.element))
      }
      let kind = Divergence.Kind.unexpected(first, unexpectedReason(first, name, else: .silent))
      record(
        Divergence(
          kind, of: registry.subject(of: name), at: expectation.position,
          evidence: first.sequence, rows: rows,
          counts: .init(expected: 0, observed: observed.count)),
        at: first.sequence)
    }
  }

  /// The listeners of which nothing is expected, in the order of their registration.
  private var silentNames: [Registry.Name] {
    registry.order.filter { name in
      !expectation.listeners.contains {
        $0.listener.name == name.label && registry.index(of: $0.client) == name.client
      }
    }
  }

  func observations(of name: Registry.Name) -> [Observation] {
    period.observations.filter { $0.client == name.client && $0.label == name.label }
  }

  mutating func judge(_ listener: ListenerExpectation) {
    guard let client = registry.index(of: listener.client) else { return }
    let name = Registry.Name(client: client, label: listener.listener.name)
    let observed = observations(of: name)
    let target = registry.listeners[name]?.target ?? Operation.Target(.root)
    let match = EventMatch(
      target: target, start: period.start, isOnce: registry.listeners[name]?.isOnce ?? false)
    let comparison = EventComparison(listener.items, observed, match, &bindings)
    guard let difference = comparison.divergence() else {
      if let gap = listener.gap { judge(gap, observed, listener, name) }
      return
    }
    var kind = difference.kind
    if case let .unexpected(observation, reason) = kind {
      kind = .unexpected(observation, unexpectedReason(observation, name, else: reason))
    }
    let seen = kind.events.observed?.sequence
    let divergence = Divergence(
      kind, of: registry.subject(of: name), at: kind.events.expected?.position ?? listener.position,
      evidence: seen ?? period.lastArrival(at: name.client, about: target.path)
        ?? period.lastWrite(about: target.path),
      rows: difference.rows,
      counts: .init(expected: comparison.expected.count, observed: observed.count))
    record(divergence, at: seen)
  }

  /// Says more than "not expected" where the listener should not have received anything at all.
  private func unexpectedReason(
    _ observation: Observation, _ name: Registry.Name, else reason: Divergence.UnexpectedReason
  ) -> Divergence.UnexpectedReason {
    guard let listener = registry.listeners[name] else { return reason }
    switch listener.state {
    case let .removed(step): return .afterRemoval(step: step)
    case let .killed(step, sequence):
      return observation.sequence > sequence ? .afterKill(step: step) : reason
    case .cancelled where observation.content.isEvent: return .afterCancel
    case .cancelled, .live: return listener.isOnce && listener.eventCount > 1 ? .onceAgain : reason
    }
  }

  private mutating func judge(
    _ gap: ListenerExpectation.Gap, _ observed: [Observation], _ listener: ListenerExpectation,
    _ name: Registry.Name
  ) {
    var previous: Interval?
    for (index, pair) in zip(observed, observed.dropFirst()).enumerated() {
      let length = pair.1.time - pair.0.time
      if let bound = gap.violated(by: length, after: previous) {
        let divergence = Divergence(
          .gap(number: index + 2, length, bound), of: registry.subject(of: name),
          at: listener.position, evidence: pair.1.sequence)
        return record(divergence, at: pair.1.sequence)
      }
      previous = length
    }
  }
}

extension ListenerExpectation.Gap {
  func violated(by length: Interval, after previous: Interval?) -> Divergence.GapBound? {
    if let minimum, length < minimum { return .minimum(minimum) }
    if let maximum, length > maximum { return .maximum(maximum) }
    if let growth, let previous,
      Double(length.nanoseconds) < growth * Double(previous.nanoseconds)
    {
      return .growth(growth, previous: previous)
    }
    return nil
  }
}

extension Judge {
  /// Constraints on what did not happen hold: that it is missing is a divergence of its own.
  mutating func judgeOrder() {
    for constraint in expectation.order {
      let first = sequences(of: constraint.first)
      let second = sequences(of: constraint.second)
      guard let last = first.max(), let next = second.min(), last > next else { continue }
      record(
        Divergence(
          .orderBetween(constraint), of: .client(constraint.second.client),
          at: constraint.position, evidence: next),
        at: next)
    }
  }

  private func sequences(of moment: OrderConstraint.Moment) -> [Int] {
    guard let client = registry.index(of: moment.client) else { return [] }
    let name = Registry.Name(client: client, label: moment.label)
    let events = observations(of: name).map(\.sequence)
    let ends = period.outcomes.filter { $0.name == name }.map(\.outcome.sequence)
    let all = events.isEmpty ? ends : events
    guard let index = moment.index else { return all }
    return all.indices.contains(index - 1) ? [all[index - 1]] : []
  }
}

extension Observation.Content {
  var isEvent: Bool {
    if case .event = self { true } else { false }
  }
}

extension Divergence.Kind {
  /// The event that was expected and did not come, or not so, and the one that was observed and
  /// should not have been, or not so.
  var events: (expected: ExpectedEvent?, observed: Observation?) {
    switch self {
    case let .missing(event, _): (event, nil)
    case let .unexpected(observation, _): (nil, observation)
    case let .replaced(event, observation), let .different(event, observation, _),
      let .misordered(observation, event):
      (event, observation)
    default: (nil, nil)
    }
  }
}
