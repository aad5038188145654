package import ClientInterface

/// A client that changes what another one receives, or what comes of it, and can do what that one
/// can.
package protocol WrappingClient: SyncClient {
  var client: any SyncClient { get }
}

extension WrappingClient {
  package var capabilities: Set<String> { client.capabilities }
}
