internal import ClientInterface
internal import Faults
internal import Trace
internal import Tree
internal import Wire

extension Simulator {
  /// Hands a client an input and does what it asks for in consequence.
  ///
  /// Nothing that it asks for comes back at once, so clients are never called from within a call. The
  /// calls that its application makes from inside callbacks are recorded as inputs that a callback
  /// caused.
  mutating func give(_ input: ClientInput, to index: Int, cause: Int?) {
    let sequence = record(.input(ClientIndex(index), input), cause: cause)
    if case let .call(_, operation) = input { follow(operation, of: index) }
    let shown = readClock(of: index)
    if shown != clock { wrongTimes[sequence] = shown }
    participants[index].client.handle(input, at: shown, into: &outputs)
    var causes = OutputCauses(input: sequence)
    for position in outputs.indices {
      let output = outputs[position]
      let event = record(.output(ClientIndex(index), output), cause: causes.cause(of: output))
      act(on: output, of: index, cause: event)
      if causes.take(output, as: event), case let .calling(call) = output {
        let nested = recordNested(call, of: index, cause: event)
        if shown != clock { wrongTimes[nested] = shown }
        causes.begin(nested)
      }
    }
    outputs.removeAllKeepingStorage()
  }

  private mutating func follow(_ operation: Operation, of index: Int) {
    if let isOnline = operation.isOnline {
      participants[index].requestedState = isOnline ? .online : .offline
    }
    for call in operation.nestedCalls {
      participants[index].nestedCalls[call.id] = call.operation
    }
  }

  /// Records a call that an application makes from inside a callback.
  private mutating func recordNested(_ call: CallID, of index: Int, cause: Int) -> Int {
    guard let operation = participants[index].nestedCalls[call] else {
      return record(futile(.unknownCall(call), index), cause: cause)
    }
    follow(operation, of: index)
    return record(.input(ClientIndex(index), .call(call, operation)), cause: cause)
  }

  private mutating func act(on output: ClientOutput, of index: Int, cause: Int) {
    switch output {
    case .connect: connect(index, to: host, cause: cause)
    case let .connectTo(host): connect(index, to: host, cause: cause)
    case let .send(message): send(message, from: index, cause: cause)
    case .disconnect: disconnect(index, cause: cause)
    case let .setTimer(id, after, purpose):
      let due = now + min(max(.zero, after), Self.longestTimer)
      participants[index].set(ActiveTimer(id: id, cause: cause, due: due, purpose: purpose))
      schedule(ScheduledEvent(due: due, cause: cause, client: Int32(index), kind: .timer))
    case let .cancelTimer(id): participants[index].cancel(id)
    case let .store(key, text): store(text, under: key, by: index, cause: cause)
    case let .erase(key): participants[index].process.storage[key] = nil
    case .event, .cancelled, .completed, .answered, .threw, .updateRan, .calling, .returned,
      .uncaught, .log:
      break
    }
  }

  /// About thirty years: longer waits are as good as for ever, and would overflow in the end.
  private static let longestTimer = Interval.seconds(1_000_000_000)

  private mutating func connect(_ index: Int, to host: String, cause: Int) {
    guard participants[index].connection == .none else {
      record(futile(.secondConnection, index), cause: cause)
      return
    }
    participants[index].connection = .connecting(cause: cause)
    participants[index].dialled = host
    participants[index].isTakenOffline = false
    let due = now + attemptLatency(of: index)
    schedule(ScheduledEvent(due: due, cause: cause, client: Int32(index), kind: .attempt))
    inFlight += 1
  }

  private mutating func send(_ message: ClientMessage, from index: Int, cause: Int) {
    if participants[index].isHalfOpen {
      takeEffect(participants[index].halfOpenMark)
      record(.lostToServer(ClientIndex(index), message), cause: cause)
      return
    }
    guard let number = participants[index].connection.number,
      let position = connections.index(of: number)
    else {
      record(futile(.unconnectedMessage, index), cause: cause)
      return
    }
    let latency = latencyToServer(of: index)
    let due = connections[position].toServer.due(after: latency, at: now)
    connections[position].toServer.append(message, cause: cause)
    inFlight += 1
    schedule(
      ScheduledEvent(due: due, cause: cause, client: Int32(index), kind: .toServer(Int32(number))))
  }

  /// The client closes its end: what is under way to it is lost, what it sent still arrives, and
  /// then the server notices.
  private mutating func disconnect(_ index: Int, cause: Int) {
    if participants[index].requestedState == .offline { participants[index].isTakenOffline = true }
    let state = participants[index].connection
    participants[index].connection = .none
    touchLink(to: index)
    switch state {
    case .none: return
    case .connecting: inFlight -= 1
    case let .opened(number), let .helloReceived(number):
      let wasHalfOpen = participants[index].isHalfOpen
      participants[index].isHalfOpen = false
      if wasHalfOpen { takeEffect(participants[index].halfOpenMark) }
      guard let position = connections.index(of: number) else { return }
      connections[position].clientSide = .closed
      if wasHalfOpen { return }
      connections[position].isEnding = true
      lose(connections[position].toClient.removeAll(), to: index)
      let due = connections[position].toServer.due(after: latencyToServer(of: index), at: now)
      inFlight += 1
      schedule(
        ScheduledEvent(due: due, cause: cause, client: Int32(index), kind: .leave(Int32(number))))
    }
  }

  private mutating func store(_ text: String, under key: String, by index: Int, cause: Int) {
    let outcome = participants[index].process.store(text, under: key)
    guard case let .refused(mark) = outcome else { return }
    takeEffect(mark)
    record(futile(.lostRecord(key: key), index), cause: cause)
  }

  private func futile(_ act: Incident.FutileAct, _ index: Int) -> TraceEvent.Kind {
    .fault(.futile(act, ClientIndex(index)))
  }

  /// Records messages that no longer reach a client.
  mutating func lose(_ flights: [DirectedLink<ServerMessage>.InFlightMessage], to index: Int) {
    inFlight -= flights.count
    for flight in flights {
      record(.lostToClient(ClientIndex(index), flight.message), cause: flight.cause)
    }
  }

  /// Records messages that no longer reach the server.
  mutating func lose(_ flights: [DirectedLink<ClientMessage>.InFlightMessage], from index: Int) {
    inFlight -= flights.count
    for flight in flights {
      record(.lostToServer(ClientIndex(index), flight.message), cause: flight.cause)
    }
  }
}

// How long things take. A choice is drawn for each message of a link, in the order of sending.

extension Simulator {
  mutating func latencyToServer(of index: Int) -> Interval {
    let ordinal = participants[index].sent.toServer
    participants[index].sent.toServer += 1
    return draw(.latency, entity: 2 * index, ordinal: ordinal, of: index)
  }

  mutating func latencyToClient(of index: Int) -> Interval {
    let ordinal = participants[index].sent.toClient
    participants[index].sent.toClient += 1
    return draw(.latency, entity: 2 * index + 1, ordinal: ordinal, of: index)
  }

  private mutating func attemptLatency(of index: Int) -> Interval {
    let ordinal = participants[index].sent.attempts
    participants[index].sent.attempts += 1
    return draw(.connecting, entity: index, ordinal: ordinal, of: index)
  }

  private mutating func draw(
    _ domain: ChoiceTape.Domain, entity: Int, ordinal: Int, of index: Int
  ) -> Interval {
    let latency = participants[index].network.latency
    if let mark = participants[index].network.latencyMark {
      takeEffect(mark)
      participants[index].network.latencyMark = nil
    }
    guard latency.arity > 1 else { return latency.lowest }
    return latency.interval(
      of: tape.draw(domain, entity: entity, ordinal: ordinal, arity: latency.arity))
  }
}
