internal import ClientEngine
public import ClientInterface
internal import Hosting
internal import Tree
internal import Wilddog
internal import WilddogSync
internal import Wire

/// How the documented SDK introduces itself as a client.
public enum DocumentedClient {
  /// What it can do.
  public static let capabilities = Capability.all
  /// What its interface lacks; a single read is given no handle in the documents, and a dictionary
  /// has no order, and one key where Unicode composes two otherwise.
  public static let lacks: Set<Feature> = [.unlistenOnce, .orderOfUpdate, .equivalentKeys]
}

/// The documented SDK as a client of the kit: `Wilddog` in the profile wilddog-1, else
/// `WilddogSync`.
///
/// Every call of a scenario is one of the public interface; the kit is its network, clock and
/// storage.
public func makeDocumentedSDK(_ profile: Profile) -> any SyncClient {
  HostedClient(
    profile: profile, capabilities: DocumentedClient.capabilities, lacks: DocumentedClient.lacks
  ) { environment in
    environment.makeGlue(for: .simulated(environment)).sdk
  }
}

extension Environment {
  /// The glue that makes the calls of a scenario, and the engine that they reach.
  func makeGlue(for application: HostedApplication) -> (sdk: any HostedSDK, engine: Engine) {
    if profile == .wilddog1 {
      let glue = SDKGlue<Wilddog>(self, application)
      return (glue, glue.root.engine)
    }
    let glue = SDKGlue<WDGSyncReference>(self, application)
    return (glue, glue.root.engine)
  }
}
