internal import ClientInterface
internal import Faults
internal import ReferenceServer
internal import Trace
internal import Wire

// What happens to connections.

extension Simulator {
  mutating func cut(_ index: Int, _ origin: Origin) {
    let event = note(.fault("cut", ClientIndex(index)), cause: origin.cause)
    participants[index].network = .cut
    participants[index].networkMark = origin.mark
    if breakOff(index, cause: event) { takeEffect(origin.mark) }
  }

  mutating func drop(_ index: Int, _ origin: Origin) {
    let event = note(.fault("drop", ClientIndex(index)), cause: origin.cause)
    if breakOff(index, cause: event) { takeEffect(origin.mark) }
  }

  mutating func refuse(_ index: Int, _ origin: Origin) {
    note(.fault("refuse", ClientIndex(index)), cause: origin.cause)
    participants[index].network = .refusing
    participants[index].networkMark = origin.mark
  }

  mutating func heal(_ index: Int, _ origin: Origin) {
    note(.fault("heal", ClientIndex(index)), cause: origin.cause)
    if participants[index].network != .up { takeEffect(origin.mark) }
    participants[index].network = .up
    endStalls(index, .both, origin)
  }

  mutating func setLatency(_ latency: Latency, for client: ClientIndex?, _ origin: Origin) {
    for index in client.map({ $0.number..<$0.number + 1 }) ?? participants.indices {
      note(.fault("latency \(latency.text)", ClientIndex(index)), cause: origin.cause)
      if participants[index].latency != latency { participants[index].latencyMark = origin.mark }
      participants[index].latency = latency
    }
  }

  /// A latency is drawn: the fault that changed it has changed something.
  mutating func latencyTakesEffect(of index: Int) {
    guard let mark = participants[index].latencyMark else { return }
    takeEffect(mark)
    participants[index].latencyMark = nil
  }

  /// Ends the connection of a client at both ends, now.
  ///
  /// - Returns: Whether there was something to end.
  private mutating func breakOff(_ index: Int, cause: Int) -> Bool {
    let wasConnected = participants[index].connectionNumber != nil
    if wasConnected { participants[index].connection = .none }
    participants[index].isHalfOpen = false
    let hadConnections = !connections.numbers(of: index).isEmpty
    breakConnections(of: index, cause: cause)
    if wasConnected { give(.closed, to: index, cause: cause) }
    return wasConnected || hadConnections
  }

  /// Ends all connections of a client at the server, now, with the loss of what is in flight. Of
  /// those that are dead the server does not notice.
  mutating func breakConnections(of index: Int, cause: Int) {
    for number in connections.numbers(of: index) {
      guard let position = connections.index(of: number) else { continue }
      if connections[position].isDead {
        connections[position].clientSide = .closed
        continue
      }
      endFlights(at: position)
      closeServerSide(at: position, cause: cause)
    }
  }

  /// Loses everything that is under way in a connection, with its end.
  private mutating func endFlights(at position: Int) {
    let client = connections[position].client
    if connections[position].isEnding { inFlight -= 1 }
    lose(connections[position].toServer.removeAll(), from: client)
    lose(connections[position].toClient.removeAll(), to: client)
  }
}

// Connections of which one end knows less than the other.

extension Simulator {
  mutating func halfOpen(_ index: Int, _ side: FaultSide, _ origin: Origin) {
    let text = IndexedFault.halfOpen(ClientIndex(index), notices: side).text
    let event = note(.fault(text, ClientIndex(index)), cause: origin.cause)
    guard let position = die(index, origin) else { return }
    switch side {
    case .nobody:
      participants[index].isHalfOpen = true
      endLater(at: position, after: longestSilence, cause: event)
    case .client:
      takeEffect(origin.mark)
      endLater(at: position, after: longestSilence, cause: event)
      loseConnection(index, at: position, cause: event)
    case .server:
      takeEffect(origin.mark)
      participants[index].isHalfOpen = true
      closeServerSide(at: position, cause: event)
    }
  }

  mutating func closeLate(_ index: Int, after interval: Interval, _ origin: Origin) {
    let text = IndexedFault.lateClose(ClientIndex(index), after: interval).text
    let event = note(.fault(text, ClientIndex(index)), cause: origin.cause)
    guard let position = die(index, origin) else { return }
    connections[position].lateMark = origin.mark
    endLater(at: position, after: max(.zero, interval), cause: event)
    loseConnection(index, at: position, cause: event)
  }

  /// Lets nothing through the connection of a client any more.
  ///
  /// - Returns: Where it is; `nil` when there is none, or it is half-open already.
  private mutating func die(_ index: Int, _ origin: Origin) -> Int? {
    guard !participants[index].isHalfOpen, let number = participants[index].connectionNumber,
      let position = connections.index(of: number)
    else { return nil }
    participants[index].halfOpenMark = origin.mark
    connections[position].deathMark = origin.mark
    let toServer = connections[position].toServer.removeAll()
    let toClient = connections[position].toClient.removeAll()
    if toServer.count + toClient.count > 0, origin.mark != nil { takeEffect(origin.mark) }
    lose(toServer, from: index)
    lose(toClient, to: index)
    connections[position].isDead = true
    return position
  }

  private mutating func endLater(at position: Int, after interval: Interval, cause: Int) {
    connections[position].isEnding = true
    inFlight += 1
    let client = Int32(connections[position].client)
    let number = Int32(connections[position].id.number)
    schedule(
      ScheduledEvent(due: now + interval, cause: cause, client: client, kind: .leave(number)))
  }

  /// The client sees its connection close; the server does not.
  private mutating func loseConnection(_ index: Int, at position: Int, cause: Int) {
    connections[position].clientSide = .closed
    participants[index].connection = .none
    give(.closed, to: index, cause: cause)
  }
}

// What the server does to connections.

extension Simulator {
  mutating func redirect(_ index: Int, to host: String, _ origin: Origin) {
    let text = IndexedFault.redirect(ClientIndex(index), host: host).text
    let event = note(.fault(text, ClientIndex(index)), cause: origin.cause)
    participants[index].home = (host, origin.mark)
    serverFaults.hosts.append(host)
    notify(index, .reset(host: host), origin.mark, cause: event)
  }

  mutating func shutDown(_ index: Int, _ reason: String, _ origin: Origin) {
    let event = note(.fault("shutdown: \(reason)", ClientIndex(index)), cause: origin.cause)
    notify(index, .shutdown(reason), origin.mark, cause: event)
  }

  /// Sends a client away that has come to a host where it is not at home.
  mutating func sendHome(_ index: Int, from host: String, cause: Int) {
    guard let home = participants[index].home, home.host != host else { return }
    notify(index, .reset(host: home.host), home.mark, cause: cause)
  }

  /// The server says something to a client of its own accord, if that is connected.
  private mutating func notify(_ index: Int, _ message: ServerMessage, _ mark: Int?, cause: Int) {
    guard let number = participants[index].connectionNumber, connections.index(of: number) != nil
    else { return }
    takeEffect(mark)
    outgoing.append(.init(ReferenceServer.ConnectionID(number), message))
    transmit(cause: cause)
  }

  /// Who or what refuses a client a connection now, with the fault's mark; `nil` when nobody does.
  func refusal(of index: Int) -> Origin? {
    if participants[index].network != .up { return Origin(mark: participants[index].networkMark) }
    if let down = serverFaults.down, now < down.until { return Origin(mark: down.mark) }
    let dialled = participants[index].dialled
    if dialled != host, !serverFaults.hosts.contains(dialled) { return .step }
    return nil
  }

  mutating func restart(
    down interval: Interval, _ fate: OnDisconnectFate, _ origin: Origin
  ) {
    let text = IndexedFault.restart(down: interval, fate).text
    let event = note(.fault(text, nil), cause: origin.cause)
    serverFaults.down = (now + interval, origin.mark)
    if !connections.indices.isEmpty { takeEffect(origin.mark) }
    while let position = connections.indices.first {
      endFlights(at: position)
      let connection = connections.remove(at: position)
      let client = ClientIndex(connection.client)
      note(.serverClosed(client, session: connection.id.session), cause: event)
    }
    server.restart(fate, at: serverClock, into: &outgoing)
    outgoing.removeAll(keepingCapacity: true)
    for index in participants.indices where participants[index].connectionNumber != nil {
      // One whose connection is half-open does not learn of it.
      if participants[index].isHalfOpen { continue }
      participants[index].connection = .none
      give(.closed, to: index, cause: event)
    }
  }
}
