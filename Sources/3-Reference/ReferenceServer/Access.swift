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
  /// What the server answers to who is refused (ERR-5).
  public var status: String

  public init(
    _ path: Path, deny: Set<Access>, unless: Exemption = .nobody,
    status: String = permissionDenied
  ) {
    self.path = path
    self.deny = deny
    self.unless = unless
    self.status = status
  }

  /// The answer unless a rule names another.
  public static let permissionDenied = "permission_denied"

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
    refusal(of: access, at: path, for: user) == nil
  }

  /// The status by which a place is refused: that of the first rule that applies.
  func refusal(of access: SecurityRule.Access, at path: Path, for user: String?) -> String? {
    security.first {
      $0.deny.contains(access) && path.starts(with: $0.path) && $0.applies(to: user)
    }?.status
  }

  /// The status by which a write is refused; `nil` when every place that it touches may be written.
  func refusal(of write: Write, for user: String?) -> String? {
    if security.isEmpty { return nil }
    for place in [write.path] + write.places {
      if let status = refusal(of: .write, at: place, for: user) { return status }
    }
    return nil
  }
}

extension ReferenceServer {
  /// Ends every listen at `path` and below, and tells those who made them (ACC-10).
  ///
  /// It adds no rule: whoever listens again is heard unless `deny` came first.
  public mutating func revoke(_ path: Path, into out: inout [Outgoing]) {
    for index in connections.indices {
      let ended = connections[index].removeListens { $0.request.path.starts(with: path) }
      if defect == .revokesSilently { continue }
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
