package import ClientInterface
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
  package var answered: Request? { response.flatMap { before.requests[$0.request] } }

  /// Whether the server has sent hello, and not for the first time.
  package var isReconnection: Bool {
    if case .frame(.hello) = input { before.helloCount > 0 } else { false }
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

  /// The outputs with the events of one type changed.
  package func events(_ type: EventType, _ change: (inout Event) -> Void) -> [ClientOutput] {
    events { event in
      guard event.type == type else { return [event] }
      var changed = event
      change(&changed)
      return [changed]
    }
  }

  /// The outputs without the events that satisfy a condition.
  package func withoutEvents(_ isDropped: (Event) -> Bool) -> [ClientOutput] {
    events { isDropped($0) ? [] : [$0] }
  }

  /// The outputs with each request replaced by others. New ones have the number 0.
  package func requests(_ change: (Request) -> [Request]) -> [ClientOutput] {
    outputs.flatMap { output -> [ClientOutput] in
      guard case let .send(.request(number, request)) = output else { return [output] }
      return change(request).enumerated().map { index, new in
        .send(.request(index == 0 ? number : 0, new))
      }
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
}

extension Request {
  package var isListen: Bool { action == .listen }

  /// Whether it is a plain write: a transaction has a hash.
  package var isPlainWrite: Bool {
    switch self {
    case .put(_, _, nil), .merge: true
    default: false
    }
  }

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
