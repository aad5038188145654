public import ClientInterface
public import Faults
public import Tree
public import Wire

// What the network, and others at the server, do to a run.

extension Simulator {
  /// Cuts a client off: what is in flight is lost, both ends see the connection close at once, and
  /// new connections are refused until `heal`.
  public mutating func cut(_ client: ClientIndex) { happen(.cut(client)) }

  /// Refuses a client new connections until `heal`. One that is open stays.
  public mutating func refuse(_ client: ClientIndex) { happen(.refuse(client)) }

  /// Lets a client connect again, and what is stalled go on.
  public mutating func heal(_ client: ClientIndex) { happen(.heal(client)) }

  /// Changes how long messages take from now on; `nil` stands for every client.
  ///
  /// What is under way arrives when it would have, and nothing overtakes it.
  public mutating func setLatency(_ latency: Latency, for client: ClientIndex? = nil) {
    happen(.latency(latency, client))
  }

  /// Forbids something from now on. Listens that are in place stay.
  public mutating func deny(_ rule: SecurityRule) { happen(.reject(rule)) }

  /// Ends the listens at a location and below it, of all clients.
  public mutating func revoke(_ path: Path) { happen(.revoke(path)) }

  /// Takes back the token with which a client has signed in, if it is connected and has.
  public mutating func revokeCredential(of client: ClientIndex) {
    happen(.revokeAuth(client))
  }

  /// Another client overwrites a location at the server; with the empty node, removes it.
  public mutating func serverSet(_ path: Path, _ node: Node) {
    happen(.write(.set(path, node)))
  }

  /// Another client overwrites several locations at or below one, as one change.
  public mutating func serverUpdate(_ path: Path, _ assignments: [Assignment]) {
    happen(.write(.update(path, assignments)))
  }

  /// Another client removes what is at a location of the server.
  public mutating func serverRemove(_ path: Path) {
    serverSet(path, .empty)
  }

  /// Lets something happen that is not asked about later.
  private mutating func happen(_ fault: IndexedFault) {
    faultCause = FaultCause()
    happen(fault, mark: nil)
  }
}
