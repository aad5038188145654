public import Tree
internal import Wire

/// Something that clients may not do at a place and below it (ACC-8).
///
/// Places above are not affected: who may read a parent reads all of it.
public struct SecurityRule: Hashable, Sendable {
  public enum Access: String, CaseIterable, Hashable, Sendable {
    case read
    case write
  }

  public var path: Path
  public var deny: Set<Access>

  public init(_ path: Path, deny: Set<Access>) {
    self.path = path
    self.deny = deny
  }
}

extension ReferenceServer {
  /// Adds a rule that holds from now on.
  ///
  /// Listens that are in place stay; see `revoke`.
  public mutating func deny(_ rule: SecurityRule) {
    security.append(rule)
  }

  func allows(_ access: SecurityRule.Access, at path: Path) -> Bool {
    !security.contains { $0.deny.contains(access) && path.starts(with: $0.path) }
  }

  /// Whether every place that the write touches may be written.
  func allows(_ write: Write) -> Bool {
    allows(.write, at: write.path) && write.places.allSatisfy { allows(.write, at: $0) }
  }
}

extension ReferenceServer {
  /// Ends every listen at `path` and below, and tells those who made them (ACC-10).
  ///
  /// It adds no rule: whoever listens again is heard unless `deny` came first.
  public mutating func revoke(_ path: Path, into out: inout [Outgoing]) {
    for index in connections.indices {
      for listen in connections[index].removeListens(from: path) {
        let message = ServerMessage.revoked(
          listen.request.path, queries: listen.request.query.map { [$0] })
        out.append(Outgoing(connections[index].id, message))
      }
    }
  }
}
