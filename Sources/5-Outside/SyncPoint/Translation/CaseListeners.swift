internal import ClientInterface
internal import Scenario
internal import Tree

/// The listeners of a case: which of them receives which of its events.
struct CaseListeners {
  private let client: String
  private var listeners: [Listener] = []

  private struct Listener {
    let id: ListenerID
    let target: Operation.Target
    let callback: Int?
    /// What its last value event showed.
    var shown: Node?
    var isActive = true

    /// Whether its query could have shown this.
    func canReceive(_ events: [CaseStep.Event]) -> Bool {
      guard let value = events.last(where: { $0.type == .value })?.value else {
        return shown == nil
      }
      return value != shown && target.query.window(of: value).node == value
    }
  }

  init(client: String) {
    self.client = client
  }

  /// Adds a listener, with the name that scenarios give it by themselves.
  mutating func register(_ target: Operation.Target, callback: Int?) -> ListenerID {
    let id = ListenerID("L\(listeners.count + 1)")
    listeners.append(Listener(id: id, target: target, callback: callback))
    return id
  }

  /// Removes the listeners with this callback from a location.
  mutating func remove(
    _ callback: Int, at path: Path
  ) -> [(listener: ListenerID, target: Operation.Target)] {
    let indices = listeners.indices.filter {
      let listener = listeners[$0]
      return listener.isActive && listener.callback == callback && listener.target.path == path
    }
    for index in indices { listeners[index].isActive = false }
    return indices.map { (listeners[$0].id, listeners[$0].target) }
  }

  /// Adds the events of a step.
  ///
  /// Listening and its end are a conversation with one listener, so the order is that of the case.
  /// Other steps reach many listeners; what is expected is then the order that is specified: by kind
  /// for each listener (EVT-8), and below before above (EVT-15).
  ///
  /// - Throws: `unclearListener`.
  mutating func add(
    _ step: CaseStep, to expectation: inout Expectation, newListener: ListenerID?
  ) throws(Obstacle) {
    var received: [[CaseStep.Event]] = listeners.map { _ in [] }
    for path in Set(step.events.map(\.path)).sorted() {
      let events = step.events.filter { $0.path == path }
      for (index, part) in try distribute(events, at: path, newListener) { received[index] += part }
    }
    for (index, events) in received.enumerated() where !events.isEmpty {
      if let value = events.last(where: { $0.type == .value }) {
        listeners[index].shown = value.value
      }
      expectation.listeners.append(
        ListenerExpectation(
          client: client, listener: listeners[index].id, position: step.position,
          items: step.action.isConversation
            ? events.map { .event($0.expected(step)) } : Self.sorted(events, step)))
    }
    if !step.action.isConversation {
      expectation.order = order(received.indices.filter { !received[$0].isEmpty }, step)
    }
  }

  private func distribute(
    _ events: [CaseStep.Event], at path: Path, _ new: ListenerID?
  ) throws(Obstacle) -> [(index: Int, events: [CaseStep.Event])] {
    var candidates = listeners.indices.filter {
      listeners[$0].isActive && listeners[$0].target.path == path
    }
    if let own = candidates.first(where: { listeners[$0].id == new }) { candidates = [own] }
    if candidates.isEmpty { throw .unclearListener }
    let queries = Set(candidates.map { listeners[$0].target.query })
    if queries.count == 1 {
      // Each registration of a query receives the same (EVT-17).
      var own: [CaseStep.Event] = []
      for event in events where candidates.count == 1 || !own.contains(event) { own.append(event) }
      return candidates.map { ($0, own) }
    }
    guard queries.count == candidates.count else { throw .unclearListener }
    return try match(events, with: candidates)
  }

  /// One query after the other raises its events (EVT-16), the value last.
  private func match(
    _ events: [CaseStep.Event], with candidates: [Int]
  ) throws(Obstacle) -> [(index: Int, events: [CaseStep.Event])] {
    var parts: [[CaseStep.Event]] = [[]]
    for event in events {
      parts[parts.count - 1].append(event)
      if event.type == .value { parts.append([]) }
    }
    parts.removeAll(where: \.isEmpty)
    var matches: [(index: Int, events: [CaseStep.Event])] = []
    for index in candidates {
      guard let part = parts.first, listeners[index].canReceive(part) else { continue }
      matches.append((index, part))
      parts.removeFirst()
    }
    guard parts.isEmpty else { throw .unclearListener }
    return matches
  }

  private static func sorted(
    _ events: [CaseStep.Event], _ step: CaseStep
  ) -> [ListenerExpectation.Item] {
    EventType.allCases.sorted().compactMap { type in
      let alike = events.filter { $0.type == type }.map { $0.expected(step) }
      return alike.count > 1 ? .unordered(alike) : alike.first.map { .event($0) }
    }
  }

  private func order(_ indices: [Int], _ step: CaseStep) -> [OrderConstraint] {
    indices.flatMap { below in
      indices.filter {
        let (path, above) = (listeners[below].target.path, listeners[$0].target.path)
        return path.count > above.count && path.starts(with: above)
      }.map { above in
        OrderConstraint(position: step.position, first: moment(below), second: moment(above))
      }
    }
  }

  private func moment(_ index: Int) -> OrderConstraint.Moment {
    .init(client: client, label: listeners[index].id.name, index: nil)
  }
}

extension CaseStep.Action {
  /// Whether a single listener is concerned.
  fileprivate var isConversation: Bool {
    switch self {
    case .listen, .unlisten: true
    case .serverUpdate, .serverMerge, .set, .update, .acknowledge, .suppressWarning: false
    }
  }
}

extension CaseStep.Event {
  fileprivate func expected(_ step: CaseStep) -> ExpectedEvent {
    let previous: ExpectedEvent.Previous =
      switch self.previous {
      case .none: .unstated
      case .first: .first
      case let .key(key): .key(.exactly(.string(key.string)))
      }
    return ExpectedEvent(
      position: step.position, kind: .event(type), key: key.map { .exactly(.string($0.string)) },
      value: .exactly(value.json), previous: previous)
  }
}
