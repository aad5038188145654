internal import ClientEngine
public import ClientInterface
internal import Hosting
internal import Tree
internal import Wire

/// The documented SDK as a client of the kit: `Wilddog` in the profile wilddog-1, else
/// `WilddogSync`.
///
/// Every call of a scenario is one of the public interface; the kit is its network, clock and
/// storage.
public func makeDocumentedSDK(_ profile: Profile) -> any SyncClient {
  HostedClient(
    profile: profile, capabilities: Capability.all.subtracting(["get"]),
    // A single read is given no handle in the documents.
    lacks: [.exclusiveBounds, .unlistenOnce]
  ) { environment in
    if profile == .wilddog1 {
      SDKGlue<FirstEdition>(environment)
    } else {
      SDKGlue<SecondEdition>(environment)
    }
  }
}

extension Environment {
  /// An application with one database, whose machine is the kit.
  func application(_ platform: HostedPlatform) -> Application {
    let url = "https://\(host)/"
    guard let (own, _) = DatabaseAddress.parse(url) else {
      preconditionFailure("\(url) is no address")
    }
    let settings = EngineSettings(
      profile, own,
      ClientInput.Opening(
        host: host, seed: random.next(), persistence: persistence,
        storage: storage.keys.compactMap { key in storage[key].map { .init(key, $0) } }))
    // The kit calls on one thread only.
    nonisolated(unsafe) let platform = platform
    return Application {
      platform.refuse($0)
    } makeEngine: { address, _, _ in
      guard address == own else { return nil }
      return Engine(settings, on: platform) { platform.engine = $0 }
    }
  }
}
