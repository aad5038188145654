package import ClientInterface
package import RunModel
package import Tree
package import Wire

/// One input of a client, and what the right client did in consequence.
package struct InterceptedStep {
  package let input: ClientInput
  package let outputs: [ClientOutput]
  package let now: Instant
  /// What was known before it, and what is known after it.
  package let before: ClientModel
  package let after: ClientModel

  /// The operation, if it is a call.
  package var operation: Operation? {
    if case let .call(_, operation) = input { operation } else { nil }
  }

  /// The response, if it is one.
  package var response: ServerMessage.Response? {
    if case let .frame(.response(response)) = input { response } else { nil }
  }

  /// The request that is answered, if it is a response.
  package var answered: Request? { response.flatMap { before.request(answeredBy: $0) } }

  /// Whether it is an answer that refuses something.
  package var isRefusal: Bool { response.map { $0.status != "ok" } ?? false }

  /// Whether the server has said hello.
  package var isHello: Bool { if case .frame(.hello) = input { true } else { false } }

  /// Whether it has, and not for the first time.
  package var isReconnection: Bool { isHello && before.link.helloCount > 0 }

  /// Whether no listener received an event.
  package var raisesNothing: Bool { outputs.allSatisfy { $0.event == nil } }

  /// A listener, which may have ended in this step or before.
  package func listener(_ id: ListenerID) -> Listener? {
    let listeners = after.application.listeners
    return listeners.positions[id].map { listeners.all[$0] }
  }

  /// The outputs with each event replaced.
  package func events(_ change: (Event) -> [Event]) -> [ClientOutput] {
    outputs.flatMap { output in output.event.map { change($0).map { .event($0) } } ?? [output] }
  }

  /// The outputs without the events that satisfy a condition.
  package func withoutEvents(_ isDropped: (Event) -> Bool) -> [ClientOutput] {
    events { isDropped($0) ? [] : [$0] }
  }

  /// The outputs with each request replaced by others; `nil` leaves it as it is. New ones have the
  /// number 0.
  package func requests(_ change: (Request) -> [Request]?) -> [ClientOutput] {
    outputs.flatMap { output -> [ClientOutput] in
      guard case let .send(.request(number, request)) = output, let new = change(request) else {
        return [output]
      }
      return new.enumerated().map { .send(.request($0.offset == 0 ? number : 0, $0.element)) }
    }
  }

  /// The outputs, and requests behind them.
  package func sending(_ requests: [Request]) -> [ClientOutput] {
    outputs + requests.map { .send(.request(0, $0)) }
  }

  /// The outputs with the answers to calls changed.
  package func answers(_ change: (JSON) -> JSON) -> [ClientOutput] {
    outputs.map { output in
      guard case let .answered(call, answer) = output else { return output }
      return .answered(call, change(answer))
    }
  }

  /// The outputs with the ends of calls changed.
  package func completions(_ change: (CallID, inout Completion) -> Void) -> [ClientOutput] {
    outputs.map { output in
      guard case .completed(let call, var completion) = output else { return output }
      change(call, &completion)
      return .completed(call, completion)
    }
  }

  /// The outputs with the requests that satisfy a condition in the opposite order.
  package func reversingRequests(where isMeant: (Request) -> Bool) -> [ClientOutput] {
    let positions = outputs.indices.filter { outputs[$0].request.map(isMeant) ?? false }
    var reversed = outputs
    for (index, source) in zip(positions, positions.reversed()) {
      reversed[index] = outputs[source]
    }
    return reversed
  }

  /// The outputs without the requests that satisfy a condition. The client waits for their answers.
  package func withoutRequests(_ isDropped: (Request) -> Bool) -> [ClientOutput] {
    outputs.filter { $0.request.map { !isDropped($0) } ?? true }
  }
}

extension ClientInput {
  /// Where the server has sent data, if it has.
  package var dataPath: Path? {
    switch self {
    case let .frame(.put(path, _, _)), let .frame(.merge(path, _, _)): path
    default: nil
    }
  }
}

extension ClientOutput {
  package var isEnd: Bool {
    if case .completed = self { true } else { false }
  }

  package var isCancel: Bool {
    if case .cancelled = self { true } else { false }
  }
}

extension Request {
  package var isListen: Bool { action == .listen }

  /// Whether it is a put of transactions.
  package var isTransaction: Bool {
    if case let .put(_, _, hash) = self { hash != nil } else { false }
  }

  package var isOnDisconnect: Bool {
    [.onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel].contains(action)
  }
}

// MARK: - What mutants ask about the client that they change

extension ClientModel {
  package var link: Link { application.link }

  /// A listener that may receive more.
  package subscript(_ id: ListenerID) -> Listener? {
    application.listeners.positions[id].map { application.listeners.all[$0] }
      .flatMap { $0.isLive ? $0 : nil }
  }

  /// The listeners that may receive more, in order of registration.
  package var listeners: [Listener] { application.listeners.all.filter(\.isLive) }

  /// The requests that have no answer on this connection, in order of their numbers.
  package var outstanding: [(number: Int, request: Request)] {
    wire.requests.waiting.compactMap { open in
      if case let .request(request) = open.subject { (open.number, request) } else { nil }
    }
  }

  /// The request that a response answers, before it is received.
  package func request(answeredBy response: ServerMessage.Response) -> Request? {
    outstanding.first { $0.number == response.request }?.request
  }
}

extension Listener {
  /// The keys of the children that it was shown, in the order of its query.
  package var window: [Key] { target.query.ordering.keys(of: children) }

  /// What it would receive if it were new.
  package var additions: [ClientOutput] {
    guard types.contains(.childAdded) else { return [] }
    return zip(window, [nil] + window).map { key, previous in
      .event(
        Event(
          .childAdded, to: id, key: key, previous: Event.Previous(previous), value: children[key]))
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
    listeners.lazy.filter { !$0.target.query.filters }.compactMap { listener in
      path.relative(to: listener.target.path).flatMap { way in listener.value.map { $0[way] } }
    }.first
  }

  /// What a listener of everything at `path` was shown last.
  package func value(at path: Path) -> Node? {
    listeners.lazy.filter { $0.target == .init(path) }.compactMap(\.value).first
  }

  /// A node that listeners show and that has this hash.
  package func shown(whoseHashIs hash: String) -> Node? {
    listeners.lazy.flatMap { listener in
      let children = listener.types.contains(.childAdded) ? listener.children.map { $0.node } : []
      return [listener.value].compactMap(\.self) + children
    }.first { $0.hash == hash }
  }
}
