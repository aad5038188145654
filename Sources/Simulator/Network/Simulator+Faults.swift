internal import ClientInterface
public import ReferenceServer
public import Trace
public import Tree
public import Wire

// What the network, and others at the server, do to a run.

extension Simulator {
  /// Cuts a client off: what is in flight is lost, both ends see the connection close at once, and
  /// new connections are refused until `heal`.
  public mutating func cut(_ client: ClientIndex) {
    let index = client.number
    let event = note(.fault("cut", client), cause: nil)
    participants[index].network = .cut
    let wasConnected = participants[index].connectionNumber != nil
    if wasConnected { participants[index].connection = .none }
    breakConnections(of: index, cause: event)
    if wasConnected { give(.closed, to: index, cause: event) }
  }

  /// Ends all connections of a client at the server, now, with the loss of what is in flight.
  mutating func breakConnections(of index: Int, cause: Int) {
    for number in connections.numbers(of: index) {
      guard let position = connections.index(of: number) else { continue }
      if connections[position].clientSide == .closed { inFlight -= 1 }
      lose(connections[position].toServer.removeAll(), from: index)
      lose(connections[position].toClient.removeAll(), to: index)
      closeServerSide(at: position, cause: cause)
    }
  }

  /// Refuses a client new connections until `heal`. One that is open stays.
  public mutating func refuse(_ client: ClientIndex) {
    note(.fault("refuse", client), cause: nil)
    participants[client.number].network = .refusing
  }

  /// Lets a client connect again.
  public mutating func heal(_ client: ClientIndex) {
    note(.fault("heal", client), cause: nil)
    participants[client.number].network = .up
  }

  /// Changes how long messages take from now on; `nil` stands for every client.
  ///
  /// What is under way arrives when it would have, and nothing overtakes it.
  public mutating func setLatency(_ latency: Latency, for client: ClientIndex? = nil) {
    for index in client.map({ $0.number..<$0.number + 1 }) ?? participants.indices {
      note(.fault("latency \(latency.text)", ClientIndex(index)), cause: nil)
      participants[index].latency = latency
    }
  }

  /// Forbids something from now on. Listens that are in place stay.
  public mutating func deny(_ rule: SecurityRule) {
    note(.fault("deny \(rule.kinds) at \(rule.path)", nil), cause: nil)
    server.deny(rule)
  }

  /// Ends the listens at a place and below it, of all clients.
  public mutating func revoke(_ path: Path) {
    let event = note(.fault("revoke \(path)", nil), cause: nil)
    server.revoke(path, into: &outgoing)
    transmit(cause: event)
  }

  /// Takes back the token with which a client has signed in, if it is connected and has.
  public mutating func revokeCredential(of client: ClientIndex) {
    let event = note(.fault("revoke the credential of \(names[client.number])", nil), cause: nil)
    if let number = participants[client.number].connectionNumber {
      server.revokeCredential(of: ReferenceServer.ConnectionID(number), into: &outgoing)
    }
    transmit(cause: event)
  }

  /// Somebody else overwrites a place at the server; with the empty node, removes it.
  public mutating func serverSet(_ path: Path, _ node: Node) {
    let event = note(.serverWrite(path, node), cause: nil)
    server.write(.put(path, node), at: clock, into: &outgoing)
    transmit(cause: event)
  }

  /// Somebody else overwrites several places at or below one, as one change.
  public mutating func serverUpdate(_ path: Path, _ assignments: [Assignment]) {
    let event = note(.serverUpdate(path, assignments), cause: nil)
    server.write(.merge(path, assignments), at: clock, into: &outgoing)
    transmit(cause: event)
  }

  /// Somebody else removes what stands at a place of the server.
  public mutating func serverRemove(_ path: Path) {
    serverSet(path, .empty)
  }
}
