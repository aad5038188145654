package import ClientInterface
package import Faults
internal import ReferenceServer
internal import Trace
package import Wire

// What faults do to connections.

extension Simulator {
  package func openConnections(of client: Int) -> [Int] {
    guard !participants[client].isHalfOpen, let number = participants[client].connectionNumber,
      connections.index(of: number) != nil
    else { return [] }
    return [number]
  }

  package mutating func breakOff(_ client: Int) -> Bool {
    guard let event = faultCause.event else { return false }
    let wasConnected = participants[client].connectionNumber != nil
    if wasConnected { participants[client].connection = .none }
    participants[client].isHalfOpen = false
    let hadConnections = !connections.numbers(of: client).isEmpty
    breakConnections(of: client, cause: event)
    if wasConnected { give(.closed, to: client, cause: event) }
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

  package mutating func die(_ connection: Int, mark: Int?) -> Bool {
    guard let position = connections.index(of: connection) else { return false }
    let client = connections[position].client
    participants[client].halfOpenMark = mark
    connections[position].deathMark = mark
    let toServer = connections[position].toServer.removeAll()
    let toClient = connections[position].toClient.removeAll()
    lose(toServer, from: client)
    lose(toClient, to: client)
    connections[position].isDead = true
    return toServer.count + toClient.count > 0
  }

  package mutating func endLater(_ connection: Int, after interval: Interval, lateMark: Int?) {
    guard let position = connections.index(of: connection), let event = faultCause.event else {
      return
    }
    connections[position].lateMark = lateMark
    connections[position].isEnding = true
    inFlight += 1
    let client = Int32(connections[position].client)
    schedule(
      ScheduledEvent(
        due: now + interval, cause: event, client: client, kind: .leave(Int32(connection))))
  }

  package mutating func closeClientSide(of connection: Int) {
    guard let position = connections.index(of: connection) else { return }
    let client = connections[position].client
    connections[position].clientSide = .closed
    participants[client].connection = .none
    give(.closed, to: client, cause: faultCause.event)
  }

  package mutating func closeServerSide(of connection: Int) {
    guard let position = connections.index(of: connection), let event = faultCause.event else {
      return
    }
    closeServerSide(at: position, cause: event)
  }

  package mutating func leaveUnnoticed(_ connection: Int) {
    guard let position = connections.index(of: connection) else { return }
    participants[connections[position].client].isHalfOpen = true
  }
}

// What the server does to connections.

extension Simulator {
  package mutating func addHost(_ host: String) { hosts.append(host) }

  /// Sends a client away that has come to a host where it is not at home.
  mutating func sendHome(_ index: Int, from host: String, cause: Int) {
    guard let home = participants[index].network.home, home.host != host else { return }
    faultCause = FaultCause(event: cause)
    notify(index, .reset(host: home.host), mark: home.mark)
  }

  package mutating func notify(_ client: Int, _ message: ServerMessage, mark: Int?) {
    guard let number = participants[client].connectionNumber,
      connections.index(of: number) != nil, let event = faultCause.event
    else { return }
    takeEffect(mark)
    outgoing.append(.init(ReferenceServer.ConnectionID(number), message))
    transmit(cause: event)
  }

  /// Who or what refuses a client a connection now; `nil` when no server does.
  func refusal(of index: Int) -> Refusal? {
    if let refusal = participants[index].network.refusal { return refusal }
    if let refusal = serverFaults.refusal(at: clock) { return refusal }
    let dialled = participants[index].dialled
    if dialled != host, !hosts.contains(dialled) { return Refusal(mark: nil) }
    return nil
  }

  package mutating func restart(_ fate: OnDisconnectFate) -> Bool {
    let wasConnected = !connections.indices.isEmpty
    while let position = connections.indices.first {
      endFlights(at: position)
      let connection = connections.remove(at: position)
      let client = ClientIndex(connection.client)
      record(.serverClosed(client, session: connection.id.session), cause: faultCause.event)
    }
    server.restart(fate, at: serverClock, into: &outgoing)
    outgoing.removeAll(keepingCapacity: true)
    for index in participants.indices where participants[index].connectionNumber != nil {
      // One whose connection is half-open does not learn of it.
      if participants[index].isHalfOpen { continue }
      participants[index].connection = .none
      give(.closed, to: index, cause: faultCause.event)
    }
    return wasConnected
  }
}
