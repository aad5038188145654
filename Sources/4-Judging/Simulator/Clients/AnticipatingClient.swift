public import ClientInterface
public import Wire

/// A client that takes less time for two messages at once than for one after the other, because it is in
/// another process.
public protocol AnticipatingClient: AnyObject, SyncClient {
  /// Learns which message arrives directly after the next input, at the same time, unless the client closes its
  /// connection before that.
  func expect(_ message: ServerMessage)
}
