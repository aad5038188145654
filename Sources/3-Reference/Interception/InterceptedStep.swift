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
  package var isReconnection: Bool { isHello && before.helloCount > 0 }

  /// Whether no listener received an event.
  package var raisesNothing: Bool { outputs.allSatisfy { $0.event == nil } }

  /// A listener, which may have ended in this step or before.
  package func listener(_ id: ListenerID) -> Listener? {
    let listeners = after.application.listeners
    return listeners.positions[id].map { listeners.all[$0] }
  }

  /// Where the server has sent data, if it has.
  package var dataPath: Path? { input.dataPath }

  /// The outputs with each event replaced.
  package func events(_ change: (Event) -> [Event]) -> [ClientOutput] {
    outputs.flatMap { output -> [ClientOutput] in
      guard case let .event(event) = output else { return [output] }
      return change(event).map { .event($0) }
    }
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
    for (position, source) in zip(positions, positions.reversed()) {
      reversed[position] = outputs[source]
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
  package var event: Event? {
    if case let .event(event) = self { event } else { nil }
  }

  package var request: Request? {
    if case let .send(.request(_, request)) = self { request } else { nil }
  }

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
    switch action {
    case .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel: true
    default: false
    }
  }
}
