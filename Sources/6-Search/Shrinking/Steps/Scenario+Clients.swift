internal import ClientInterface
internal import Scenario

extension Scenario {
  /// Gives the clients other names.
  mutating func rename(_ name: (String) -> String) {
    clients = clients.map(name)
    latency.overrides = latency.overrides.map { .init(client: name($0.client), range: $0.range) }
    let kept = persistence.map { (name($0.key), $0.value) }
    persistence = Dictionary(kept, uniquingKeysWith: { first, _ in first })
    choices = choices?.map { $0.renamed(name) }
    for index in steps.indices {
      for frame in steps[index].expectation?.frames.indices ?? 0..<0 {
        guard let client = steps[index].expectation?.frames[frame].client else { continue }
        steps[index].expectation?.frames[frame].client = name(client)
      }
      for place in steps[index].expectation?.order.indices ?? 0..<0 {
        steps[index].expectation?.order[place].renameClients(name)
      }
    }
    for element in elements { self[step: element].rename(name) }
  }
}

extension OrderConstraint {
  fileprivate mutating func renameClients(_ name: (String) -> String) {
    first.client = name(first.client)
    second.client = name(second.client)
  }
}

extension Step {
  fileprivate mutating func rename(_ name: (String) -> String) {
    switch action {
    case var .call(call):
      call.client = name(call.client)
      action = .call(call)
    case let .process(process): action = .process(process.renamed(name))
    case let .network(network): action = .network(network.renamed(name))
    case let .server(.revokeCredential(client)):
      action = .server(.revokeCredential(client: name(client)))
    case let .server(.redirect(client, host)):
      action = .server(.redirect(client: client.map(name), host: host))
    case let .server(.shutdown(client)): action = .server(.shutdown(client: client.map(name)))
    case .server, .wait, .settle, .disarm, .together, .expect: break
    }
    switch trigger {
    case var .frame(frame)?:
      frame.client = frame.client.map(name)
      trigger = .frame(frame)
    case let .messages(count, direction, client)?:
      trigger = .messages(count, direction, client: name(client))
    case .after?, nil: break
    }
  }
}

extension ProcessAction {
  fileprivate func renamed(_ name: (String) -> String) -> ProcessAction {
    switch self {
    case let .kill(client): .kill(client: name(client))
    case let .start(client, storage): .start(client: name(client), storage: storage)
    case let .clock(client, fault): .clock(client: name(client), fault)
    case let .storage(client, fault): .storage(client: name(client), fault)
    }
  }
}

extension NetworkAction {
  fileprivate func renamed(_ name: (String) -> String) -> NetworkAction {
    switch self {
    case let .cut(client): .cut(client: name(client))
    case let .drop(client): .drop(client: name(client))
    case let .heal(client): .heal(client: name(client))
    case let .refuse(client): .refuse(client: name(client))
    case let .latency(range, client): .latency(range, client: client.map(name))
    case let .stall(client, direction): .stall(client: name(client), direction)
    case let .resume(client, direction): .resume(client: name(client), direction)
    case let .halfOpen(client, notices): .halfOpen(client: name(client), notices: notices)
    case let .closeAfter(client, messages, direction):
      .closeAfter(client: name(client), messages: messages, direction)
    case let .loseAcknowledgement(client): .loseAcknowledgement(client: name(client))
    case let .lateClose(client, delay): .lateClose(client: name(client), after: delay)
    }
  }
}

extension Scenario.Choice {
  fileprivate func renamed(_ name: (String) -> String) -> Scenario.Choice {
    switch self {
    case .seed, .order: self
    case let .message(number, direction, client, late):
      .message(number, direction, client: name(client), late: late)
    case let .connection(number, client, late):
      .connection(number, client: name(client), late: late)
    }
  }

  /// The client whose messages it is about; `nil` for all.
  var client: String? {
    switch self {
    case .seed, .order: nil
    case let .message(_, _, client, _), let .connection(_, client, _): client
    }
  }
}
