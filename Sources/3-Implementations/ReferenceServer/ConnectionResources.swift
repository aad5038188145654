public import ClientInterface
internal import Tree
public import Wire

extension ReferenceServer {
  /// What the server keeps for a connection: how tests and invariants see that nothing is left
  /// behind.
  public struct ConnectionResources: Hashable, Sendable {
    /// The listens, in the order in which they were made.
    public var listens: [Request.Listen]
    /// What is to be done when the connection ends, in the order of registration.
    public var onDisconnects: [Write]

    /// What is kept for a connection; nothing unless stated.
    public init(listens: [Request.Listen] = [], onDisconnects: [Write] = []) {
      self.listens = listens
      self.onDisconnects = onDisconnects
    }
  }

  /// The connections that are open, in order of their numbers.
  public var openConnections: [ConnectionID] { connections.map(\.id) }

  /// What is kept for `connection`; nothing when it is not open.
  public func resources(of connection: ConnectionID) -> ConnectionResources {
    guard let index = index(of: connection) else { return ConnectionResources() }
    return ConnectionResources(
      listens: connections[index].listens.elements.map(\.request),
      onDisconnects: connections[index].onDisconnects)
  }

  /// Who is signed in on `connection`; `nil` for no user.
  public func user(of connection: ConnectionID, at now: Instant) -> String? {
    index(of: connection).flatMap { connections[$0].user(at: now) }
  }
}
