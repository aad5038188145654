internal import ClientInterface

/// A client that changes what another one receives, or what comes of it, and can do what that one
/// can.
protocol WrappingClient: SyncClient {
  var client: any SyncClient { get }
}

extension WrappingClient {
  var capabilities: Set<String> { client.capabilities }
}
