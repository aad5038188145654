internal import ClientInterface
internal import Scenario
internal import Tree

/// The listeners of a case: which of them receives which of its events.
struct CaseListeners {
  let client: String
  private var listeners: [Listener] = []

  private struct Listener {
    let id: ListenerID
    let target: Operation.Target
    let callback: Int?
    var isActive = true

    func canShow(_ node: Node) -> Bool { target.query.window(of: node).node == node }
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
    let indices = active(at: path).filter { listeners[$0].callback == callback }
    for index in indices { listeners[index].isActive = false }
    return indices.map { (listeners[$0].id, listeners[$0].target) }
  }

  private func active(at path: Path) -> [Int] {
    listeners.indices.filter { listeners[$0].isActive && listeners[$0].target.path == path }
  }

  /// Adds the events of a step.
  ///
  /// Listening and its end are a conversation with one listener, so the order is that of the case.
  /// Other steps reach many listeners; what is expected is then the order that is specified: by kind
  /// for each listener (EVT-8), and below before above (EVT-15).
  ///
  /// - Throws: `unclearListener`.
  func add(
    _ step: CaseStep, to expectation: inout Expectation, newListener: ListenerID?
  ) throws(Obstacle) {
    var received: [[CaseStep.Event]] = listeners.map { _ in [] }
    for path in Set(step.events.map(\.path)) {
      let events = step.events.filter { $0.path == path }
      let own = active(at: path).filter { listeners[$0].id == newListener }
      let indices = own.isEmpty ? active(at: path) : own
      for (index, part) in zip(indices, try parts(of: events, for: indices)) {
        received[index] = part
      }
    }
    let indices = received.indices.filter { !received[$0].isEmpty }
    expectation.listeners = indices.map { index in
      ListenerExpectation(
        client: client, listener: listeners[index].id, position: step.position,
        items: Self.items(received[index], inOrder: step.action.isConversation))
    }
    if step.action.isConversation { return }
    for below in indices {
      for above in indices where listeners[below].target.path.isBelow(listeners[above].target.path)
      {
        expectation.order.append(
          OrderConstraint(
            position: step.position, first: moment(below), second: moment(above)))
      }
    }
  }

  /// What each of several listeners at one location receives. One query after the other raises its
  /// events, the value last (EVT-16); all registrations of a query receive the same (EVT-17).
  private func parts(
    of events: [CaseStep.Event], for indices: [Int]
  ) throws(Obstacle) -> [[CaseStep.Event]] {
    let count = indices.count
    if Set(indices.map { listeners[$0].target.query }).count == 1 {
      guard events.count.isMultiple(of: count) else { throw .unclearListener }
      let own = stride(from: 0, to: events.count, by: count).map { events[$0] }
      return indices.map { _ in own }
    }
    let ends = events.indices.filter { events[$0].type == .value }
    guard ends.last == events.count - 1 else { throw .unclearListener }
    let parts = ends.enumerated().map { number, end in
      Array(events[(number == 0 ? 0 : ends[number - 1] + 1)...end])
    }
    if parts.count == count { return parts }
    let owners = ends.map { end in indices.filter { listeners[$0].canShow(events[end].value) } }
    guard owners.allSatisfy({ $0.count == 1 }), Set(owners).count == owners.count else {
      throw .unclearListener
    }
    return indices.map { index in owners.firstIndex(of: [index]).map { parts[$0] } ?? [] }
  }

  private static func items(
    _ events: [CaseStep.Event], inOrder: Bool
  ) -> [ListenerExpectation.Item] {
    if inOrder { return events.map { .event($0.expected) } }
    return EventType.allCases.sorted().compactMap { type in
      let alike = events.filter { $0.type == type }.map(\.expected)
      return alike.count > 1 ? .unordered(alike) : alike.first.map { .event($0) }
    }
  }

  private func moment(_ index: Int) -> OrderConstraint.Moment {
    .init(client: client, label: listeners[index].id.name, index: nil)
  }
}

extension Path {
  fileprivate func isBelow(_ other: Path) -> Bool { count > other.count && starts(with: other) }
}
