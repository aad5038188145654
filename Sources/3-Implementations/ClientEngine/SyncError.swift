public import ClientInterface

/// Why a write, a transaction or a listener has failed.
public struct SyncError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, such as `permission_denied`, `datastale` or `disconnect` (ERR-5).
  public let code: ErrorCode

  /// An error with this reason.
  public init(_ code: ErrorCode) { self.code = code }

  public var description: String { code.name }
}
