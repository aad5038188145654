public import ClientInterface
internal import Glibc
internal import Tree

/// Why a write, a transaction or a listener has failed.
public struct SyncError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, such as `permission_denied`, `datastale` or `disconnect` (ERR-5).
  public let code: ErrorCode
  /// What was called with what it may not be given; `nil` for what the server has answered.
  public let detail: String?

  /// An error with this reason.
  ///
  /// - Parameters:
  ///   - code: The reason.
  ///   - detail: Of a call that is refused at once (ERR-1), what is wrong with it.
  public init(_ code: ErrorCode, _ detail: String? = nil) {
    self.code = code
    self.detail = detail
  }

  /// What a text that is no address is refused with.
  static func noAddress(_ text: String) -> SyncError {
    SyncError("invalid_url", "\"\(text)\" is no address; one is https://APP.wilddogio.com/PATH")
  }

  /// Whether a call was refused at once, and not by the server.
  package var isRefusal: Bool { detail != nil }

  /// Ends the program with a message, which a build for release prints as well.
  package func endProgram() -> Never {
    let line = Array("wilddog: a call that is not allowed: \(self)\n".utf8)
    _ = Glibc.write(STDERR_FILENO, line, line.count)
    preconditionFailure(description)
  }

  public var description: String { detail.map { "\(code.name): \($0)" } ?? code.name }

  /// The domain of the error as `NSError` has it: one for each reason.
  public var _domain: String { "wilddog.\(code.name)" }

  /// The code of the error as `NSError` has it: the number of Wilddog's SDKs where they have one (ERR-10).
  public var _code: Int { Self.known[code.name]?.number ?? 29_999 }
}

// What an application can ask before it writes what others have typed in.

extension SyncError {
  /// Why a text can be no key (KEY-1, KEY-6); `nil` if it can.
  ///
  /// - Parameter text: The text.
  /// - Returns: The error that a call with this key reports.
  public static func inKey(_ text: String) -> SyncError? {
    (Key(text).problem?.description ?? Path([Key(text)]).problem?.description)
      .map { SyncError("invalid_path", $0) }
  }

  /// Why a text can be no relative path of one key or several (KEY-1, KEY-6); `nil` if it can.
  ///
  /// - Parameter text: The text.
  /// - Returns: The error that a call with this path reports.
  public static func inPath(_ text: String) -> SyncError? {
    Path(text).problem.map { SyncError("invalid_path", $0.description) }
  }

  /// Why a value can be stored nowhere (ERR-3); `nil` if it can, unless its location is too deep for it.
  ///
  /// - Parameter value: The value.
  /// - Returns: The error that a call with this value reports.
  public static func inValue(_ value: Any?) -> SyncError? {
    do throws(SyncError) {
      let node = Node(json: try JSON(converting: value))
      return NodeProblem.first(in: node, at: .root).map { SyncError($0.code, $0.description) }
    } catch {
      return error
    }
  }
}

extension NodeProblem {
  fileprivate var code: ErrorCode {
    switch self {
    case .priority, .key, .number: "invalid_value"
    case .path: "invalid_path"
    }
  }
}

/// What an application learns of a database besides what the blocks of its calls are given.
public enum SyncProblem: Hashable, Sendable, CustomStringConvertible {
  /// A call was refused because of what it was given, and nothing was done. What waits for its end has
  /// the error as well.
  case refusedCall(SyncError)
  /// No connection could be made, and why. It is tried again.
  case noConnection(host: String, reason: String)
  /// The connection is gone, and why. The client connects again.
  case connectionEnded(host: String, reason: String)
  /// The server does not take the credential, or no longer: it has expired or was revoked, and no user is
  /// signed in any more (ACC-13, ACC-14).
  case signedOut
  /// Something cannot be kept over the end of the program, and why.
  case notKept(reason: String)

  public var description: String {
    switch self {
    case let .refusedCall(error): "a call was refused: \(error)"
    case let .noConnection(host, reason): "no connection to \(host): \(reason)"
    case let .connectionEnded(host, reason): "the connection to \(host) has ended: \(reason)"
    case .signedOut: "the server does not take the credential any more; no user is signed in"
    case let .notKept(reason): reason
    }
  }
}
