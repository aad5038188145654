public import ClientInterface
public import Tree

/// Something that clients may not do at a path and below it (ACC-8).
///
/// Paths above are not affected: who may read a parent reads all of it.
public struct SecurityRule: Hashable, Sendable {
  /// What a rule can deny; raw values are the words of scenarios.
  public enum Access: String, CaseIterable, Hashable, Sendable {
    case read
    case write
  }

  /// Whom a rule spares.
  public enum Exemption: Hashable, Sendable {
    case noUser
    /// Everyone who is signed in.
    case authenticated
    /// The user with this id.
    case user(String)
  }

  /// The location at which the rule holds, and below which it does too (ACC-8).
  public var path: Path
  /// What is refused there; an empty set refuses nothing.
  public var deny: Set<Access>
  /// Who is exempt from the rule: no user, everyone who is signed in, or one user.
  public var unless: Exemption
  /// What the server answers to who is refused (ERR-5); `nil` for `permission_denied`.
  public var status: ErrorCode?

  /// By default the rule holds for everyone, and the server answers `permission_denied`.
  public init(
    _ path: Path, deny: Set<Access>, unless: Exemption = .noUser, status: ErrorCode? = nil
  ) {
    self.path = path
    self.deny = deny
    self.unless = unless
    self.status = status
  }

  /// What takes reading away at a location.
  package static func revocation(of path: Path) -> SecurityRule { .init(path, deny: [.read]) }

  /// The answer unless a rule names another.
  public static let permissionDenied = "permission_denied"

  /// What the server answers to who is refused.
  public var answer: String { status?.name ?? Self.permissionDenied }

  /// What is denied, in order.
  public var denied: [Access] { Access.allCases.filter { deny.contains($0) } }

  /// Whether the rule applies to a user; `nil` is one who is not signed in.
  package func applies(to user: String?) -> Bool {
    switch unless {
    case .noUser: true
    case .authenticated: user == nil
    case let .user(name): user != name
    }
  }
}
