internal import ClientInterface
@_weakLinked public import FoundationEssentials

// What an application shows of an error. `localizedDescription` belongs to Foundation, and looks for this
// conformance. The import is weak, so that a program without Foundation need not have it; all of the
// protocol is implemented here, because what it has by default would not be there either.

extension SyncError: LocalizedError {
  /// What happened and what to do about it, which `localizedDescription` shows.
  public var errorDescription: String? {
    let text =
      detail ?? Self.known[code.name]?.text
      ?? "the server has refused it, and says no more"
    return "\(code.name): \(text)"
  }

  /// Nothing: `errorDescription` says it.
  public var failureReason: String? { nil }
  /// Nothing: `errorDescription` says it.
  public var recoverySuggestion: String? { nil }
  /// Nothing: there is no help to open.
  public var helpAnchor: String? { nil }
}

extension SyncError {
  /// The codes that are known: the number, what happened, and what to do.
  static let known: [String: (number: Int, text: String)] = [
    "failure": (26_001, "the server could not do it; try again"),
    "unavailable": (26_002, "the server is not there or has too much to do; try again later"),
    "disconnect": (
      26_003, "the connection ended before the answer; read what is there, and try again"
    ),
    "write_canceled": (26_004, "it was given up before the server answered; write it again"),
    "permission_denied": (
      26_101, "the security rules do not allow it; sign in as a user who may, or change the rules"
    ),
    "limits_exceeded": (26_102, "the database has reached a limit of its plan; try again later"),
    "too_big": (26_104, "it is larger than the server takes; divide it"),
    "write_too_big": (26_105, "it is larger than the server takes; divide it"),
    "invalid_path": (26_106, "a key or a path that cannot be; check it with SyncError.inPath"),
    "invalid_value": (26_109, "a value that cannot be stored; check it with SyncError.inValue"),
    "invalid_query": (26_110, "a condition that cannot be; check its limit and its bounds"),
    "datastale": (26_201, "others have changed the data meanwhile; read them, and try again"),
    "usercode": (26_202, "the function of the transaction has thrown an error; look there"),
    "maxretry": (26_203, "others were faster each time the transaction was tried; try again"),
    "set": (26_204, "a write at the same location overtook the transaction; run it again"),
    "no_node": (26_301, "there is nothing that could have a priority; write a value first"),
    "expired_token": (26_801, "the token has expired; get a new one, and sign in again"),
    "invalid_token": (26_802, "the server does not know the token; get one for this database"),
  ]
}
