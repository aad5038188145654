package import ClientInterface
package import RunModel
package import Tree
package import Wire

// What mutants ask about the client that they change.

extension ClientModel {
  /// A listener that may receive more.
  package subscript(_ id: ListenerID) -> Listener? {
    let listeners = application.listeners
    return listeners.positions[id].flatMap {
      listeners.all[$0].isLive ? listeners.all[$0] : nil
    }
  }

  /// The listeners that may receive more, in order of registration.
  package var listeners: [Listener] { application.listeners.all.filter(\.isLive) }

  /// The requests that have no answer on this connection, in order of their numbers.
  package var outstanding: [(number: Int, request: Request)] {
    wire.requests.waiting.compactMap { open in open.request.map { (open.number, $0) } }
  }

  /// The request that a response answers, before it is received.
  package func request(answeredBy response: ServerMessage.Response) -> Request? {
    wire.requests[response.request]?.request
  }

  /// Whether there is a connection on which the server has said hello.
  package var hasReceivedHello: Bool { application.link.hasReceivedHello }

  /// How often it has done so.
  package var helloCount: Int { application.link.helloCount }
}

extension Requests.Open {
  fileprivate var request: Request? {
    if case let .request(request) = subject { request } else { nil }
  }
}

extension Listener {
  /// The keys of the children that it was shown, in the order of its query.
  package var window: [Key] { target.query.ordering.keys(of: children) }

  /// What it would receive if it were new.
  package var additions: [ClientOutput] {
    guard types.contains(.childAdded) else { return [] }
    let window = window
    return window.indices.map { index in
      .event(
        Event(
          .childAdded, to: id, key: window[index],
          previous: Event.Previous(index == 0 ? nil : window[index - 1]),
          value: children[window[index]]))
    }
  }
}

// MARK: - What listeners were shown

extension ClientModel {
  /// The values once more that the listeners received last that satisfy a condition.
  package func values(where isMeant: (Listener) -> Bool) -> [ClientOutput] {
    listeners.compactMap { listener in
      guard let value = listener.value, isMeant(listener) else { return nil }
      return .event(
        Event(
          .value, to: listener.id, key: listener.target.path.key, value: value,
          order: .sorted(listener.target.query.ordering)))
    }
  }

  /// What listeners were shown last of a location; `nil` when none shows it.
  package func node(at path: Path) -> Node? {
    for listener in listeners where !listener.target.query.filters {
      guard let way = path.relative(to: listener.target.path) else { continue }
      if let value = listener.value { return value[way] }
    }
    return nil
  }

  /// What a listener of everything at `path` was shown last.
  package func value(at path: Path) -> Node? {
    listeners.lazy.filter { $0.target == .init(path) }.compactMap(\.value).first
  }

  /// A node that listeners show and that has this hash.
  package func shown(whoseHashIs hash: String) -> Node? {
    for listener in listeners {
      let children = listener.types.contains(.childAdded) ? listener.children.map { $0.node } : []
      let shown = [listener.value].compactMap { $0 } + children
      if let node = shown.first(where: { $0.hash == hash }) { return node }
    }
    return nil
  }
}
