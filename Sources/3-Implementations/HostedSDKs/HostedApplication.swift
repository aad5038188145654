internal import ClientEngine
internal import ClientInterface
internal import ClientMachine
internal import Dispatch
internal import Hosting
internal import Wire

/// An application with one database, as a scenario has it.
struct HostedApplication {
  let application: Application
  let refusals: Refusals
  /// The address of its database.
  let url: String
  /// Reports something in the order of callbacks.
  let report: (@escaping () -> Void) -> Void

  /// One whose machine is the kit.
  static func simulated(_ environment: Environment) -> HostedApplication {
    let url = "https://\(environment.host)/"
    let refusals = Refusals()
    let settings = EngineSettings(
      environment.profile, address(url),
      ClientInput.Opening(
        host: environment.host, seed: environment.random.next(),
        persistence: environment.persistence,
        storage: environment.storage.keys.compactMap { key in
          environment.storage[key].map { .init(key, $0) }
        }))
    // The kit calls on one thread only.
    nonisolated(unsafe) let platform = HostedPlatform(environment, refusals)
    let application = Application {
      refusals.record($0)
    } makeEngine: { address, _, _ in
      guard address == settings.address else { return nil }
      return Engine(settings, on: platform) { platform.engine = $0 }
    }
    return HostedApplication(
      application: application, refusals: refusals, url: url, report: { $0() })
  }

  /// One with a clock, sockets and files of its own.
  ///
  /// - Parameters:
  ///   - url: The address of its database.
  ///   - profile: Whose behaviour it has.
  ///   - queue: Where it is called, and makes its calls.
  ///   - folder: Where its files are.
  /// - Returns: The application, which has not used its database yet.
  static func real(
    _ url: String, _ profile: Profile, on queue: DispatchQueue, in folder: String
  ) -> HostedApplication {
    let url = profile.dialect == .firebase ? url + "&v=5" : url
    let own = address(url)
    let refusals = Refusals()
    let application = Application {
      refusals.record($0)
    } makeEngine: { address, _, configuration in
      guard address == own else { return nil }
      return MachinePlatform.makeEngine(own, profile, configuration, refuse: refusals.record)
    }
    application.configuration.callbackQueue = queue
    application.configuration.folder = folder
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    return HostedApplication(application: application, refusals: refusals, url: url) { work in
      if DispatchQueue.getSpecific(key: key) == true { return work() }
      nonisolated(unsafe) let work = work
      queue.async { work() }
    }
  }

  private static func address(_ url: String) -> DatabaseAddress {
    guard let (address, _) = DatabaseAddress.parse(url) else {
      preconditionFailure("\(url) is no address")
    }
    return address
  }
}
