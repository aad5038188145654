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
      return MachinePlatform.makeEngine(
        own, profile, configuration, refused: { refusals.record($0) },
        trap: { refusals.record($0) })
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

/// The kit as the machine of an SDK.
final class HostedPlatform: Platform {
  private unowned let environment: Environment
  weak var engine: Engine?
  private let refusals: Refusals
  private var connection: Connection?
  private var timers: [TimerID: DeferredTask] = [:]

  init(_ environment: Environment, _ refusals: Refusals) {
    self.environment = environment
    self.refusals = refusals
  }

  var now: Instant { environment.now }

  func connect(to host: String?) {
    connection = environment.connect(to: host) { [weak self] event in
      switch event {
      case .opened: self?.engine?.handle(.opened)
      case .refused: self?.engine?.handle(.refused)
      case let .received(message): self?.engine?.handle(.frame(message))
      case .closed: self?.engine?.handle(.closed)
      }
    }
  }

  func send(_ message: ClientMessage) { connection?.send(message) }
  func disconnect() { connection?.close() }

  func setTimer(_ timer: TimerID, after interval: Interval, _ purpose: TimerPurpose) {
    timers[timer]?.cancel()
    timers[timer] = environment.schedule(after: interval, purpose: purpose) { [weak self] in
      self?.timers[timer] = nil
      self?.engine?.handle(.timer(timer))
    }
  }

  func cancelTimer(_ timer: TimerID) { timers.removeValue(forKey: timer)?.cancel() }

  func store(_ text: String, as key: String) { environment.storage[key] = text }
  func erase(_ key: String) { environment.storage[key] = nil }
  func commit() {}
  func callBack(_ work: @escaping () -> Void) { environment.perform(work) }
  func trap(_ error: SyncError) { refusals.record(error) }
  func report(_ problem: SyncProblem) {
    if case let .refusedCall(error) = problem { refusals.record(error) }
  }
  func log(_ text: String) { environment.log(text) }
  func end() {}
  var keepingProblem: String? { nil }
}
