public import Tree

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
