internal import ClientInterface
public import Faults
internal import ReferenceServer
public import Trace
public import Tree
public import Wire

// What the network, and others at the server, do to a run.

extension Simulator {
  /// Cuts a client off: what is in flight is lost, both ends see the connection close at once, and
  /// new connections are refused until `heal`.
  public mutating func cut(_ client: ClientIndex) { cut(client.number, .step) }

  /// Refuses a client new connections until `heal`. One that is open stays.
  public mutating func refuse(_ client: ClientIndex) { refuse(client.number, .step) }

  /// Lets a client connect again, and what is stalled go on.
  public mutating func heal(_ client: ClientIndex) { heal(client.number, .step) }

  /// Changes how long messages take from now on; `nil` stands for every client.
  ///
  /// What is under way arrives when it would have, and nothing overtakes it.
  public mutating func setLatency(_ latency: Latency, for client: ClientIndex? = nil) {
    setLatency(latency, for: client, .step)
  }

  /// Forbids something from now on. Listens that are in place stay.
  public mutating func deny(_ rule: SecurityRule) { deny(rule, .step) }

  /// Ends the listens at a location and below it, of all clients.
  public mutating func revoke(_ path: Path) { revoke(path, .step) }

  /// Takes back the token with which a client has signed in, if it is connected and has.
  public mutating func revokeCredential(of client: ClientIndex) {
    revokeCredential(of: client.number, .step)
  }

  /// Somebody else overwrites a location at the server; with the empty node, removes it.
  public mutating func serverSet(_ path: Path, _ node: Node) {
    serverWrite(.put(path, node), .step)
  }

  /// Somebody else overwrites several locations at or below one, as one change.
  public mutating func serverUpdate(_ path: Path, _ assignments: [Assignment]) {
    serverWrite(.merge(path, assignments), .step)
  }

  /// Somebody else removes what stands at a location of the server.
  public mutating func serverRemove(_ path: Path) {
    serverSet(path, .empty)
  }

  mutating func serverWrite(_ write: ReferenceServer.Write, _ origin: Origin) {
    let kind: TraceEvent.Kind =
      switch write {
      case let .put(path, node): .serverWrite(path, node)
      case let .merge(path, assignments): .serverUpdate(path, assignments)
      }
    let event = note(kind, cause: origin.cause)
    server.write(write, at: serverClock, into: &outgoing)
    takeEffect(origin.mark)
    transmit(cause: event)
  }
}
