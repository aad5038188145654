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

  /// Whom a rule spares.
  public enum Exemption: Hashable, Sendable {
    case nobody
    /// Everyone who is signed in.
    case authenticated
    /// The user with this id.
    case user(String)
  }

  public var path: Path
  public var deny: Set<Access>
  public var unless: Exemption

  public init(_ path: Path, deny: Set<Access>, unless: Exemption = .nobody) {
    self.path = path
    self.deny = deny
    self.unless = unless
  }

  /// Whether the rule applies to a user; `nil` is one who is not signed in.
  func applies(to user: String?) -> Bool {
    switch unless {
    case .nobody: true
    case .authenticated: user == nil
    case let .user(name): user != name
    }
  }
}

extension ReferenceServer {
  /// Adds a rule that holds from now on.
  ///
  /// Listens that are in place stay; see `revoke`.
  public mutating func deny(_ rule: SecurityRule) {
    security.append(rule)
  }

  func allows(_ access: SecurityRule.Access, at path: Path, for user: String?) -> Bool {
    !security.contains {
      $0.deny.contains(access) && path.starts(with: $0.path) && $0.applies(to: user)
    }
  }

  /// Whether every place that the write touches may be written.
  func allows(_ write: Write, for user: String?) -> Bool {
    allows(.write, at: write.path, for: user)
      && write.places.allSatisfy { allows(.write, at: $0, for: user) }
  }
}

extension ReferenceServer {
  /// Ends every listen at `path` and below, and tells those who made them (ACC-10).
  ///
  /// It adds no rule: whoever listens again is heard unless `deny` came first.
  public mutating func revoke(_ path: Path, into out: inout [Outgoing]) {
    for index in connections.indices {
      let ended = connections[index].removeListens { $0.request.path.starts(with: path) }
      announce(ended, of: index, into: &out)
    }
  }

  /// Tells a connection that listens of its have ended.
  func announce(_ ended: [Listen], of index: Int, into out: inout [Outgoing]) {
    for listen in ended {
      let message = ServerMessage.revoked(
        listen.request.path, queries: listen.request.query.map { [$0] })
      out.append(Outgoing(connections[index].id, message))
    }
  }
}
