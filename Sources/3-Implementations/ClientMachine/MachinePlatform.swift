package import ClientEngine
package import ClientInterface
internal import Dispatch
internal import Glibc
package import Wire

/// This machine: its clock, its sockets, and the callback queue.
///
/// Unchecked: what changes is used by the engine only, which calls from one thread at a time, or in
/// `handle(_:if:)`, which the engine does likewise. `engine` is set once, before there is a timer or a
/// connection, and only read after that.
package final class MachinePlatform: Platform, @unchecked Sendable {
  private weak var engine: Engine?
  /// Where the database is, or the server that stands in for it.
  private let address: DatabaseAddress
  private let configuration: Application.Configuration
  private let storage: MachineStorage
  private var carrier: Carrier?
  private var timers: [TimerID: Int] = [:]
  private var lastTimer = 0
  /// Where timers are due. It only hands them over.
  private let queue = DispatchQueue(label: "kennel.timers")
  private let refused: (SyncError) -> Void
  private let trapped: (SyncError) -> Void

  private init(
    _ address: DatabaseAddress, _ configuration: Application.Configuration,
    refused: @escaping (SyncError) -> Void, trap: @escaping (SyncError) -> Void
  ) {
    var address = address
    if let emulator = configuration.emulator {
      (address.host, address.isEncrypted) = (emulator, false)
    }
    self.address = address
    self.configuration = configuration
    self.refused = refused
    trapped = trap
    storage = MachineStorage(
      of: address, for: configuration.name, in: configuration.folder,
      keepsData: configuration.keepsData)
  }

  /// An engine with this machine around it.
  ///
  /// - Parameters:
  ///   - address: The database.
  ///   - profile: Whose behaviour it has.
  ///   - configuration: What holds for it.
  ///   - refused: Learns of each call that is refused, before it returns.
  ///   - trap: What becomes of a call that only a mistake in the code makes: the end of the program, with
  ///     a message, unless stated.
  /// - Returns: The engine, which has asked for a connection.
  package static func makeEngine(
    _ address: DatabaseAddress, _ profile: Profile, _ configuration: Application.Configuration,
    refused: @escaping (SyncError) -> Void = { _ in },
    trap: @escaping (SyncError) -> Void = { $0.endProgram() }
  ) -> Engine {
    let platform = MachinePlatform(address, configuration, refused: refused, trap: trap)
    if let file = configuration.authorities, access(file, R_OK) != 0 {
      platform.log("\(file) cannot be read; only the certificates of the system are trusted")
    }
    var generator = SystemRandomNumberGenerator()
    let opening = ClientInput.Opening(
      host: address.host, seed: generator.next(), persistence: configuration.persistence,
      storage: platform.storage.items().map { .init($0.key, $0.text) })
    platform.reportStorage()
    return Engine(EngineSettings(profile, address, opening), on: platform) { platform.engine = $0 }
  }

  package var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  package func connect(to host: String?) {
    var target = address
    if let host, configuration.emulator == nil { target.host = host }
    let carrier = Carrier(
      target, trusting: configuration.authorities, findingHostsWith: configuration.findHost
    ) { [weak self] carrier, event in
      self?.take(event, of: carrier)
    }
    self.carrier = carrier
    SocketThread.shared.perform { carrier.begin() }
  }

  package func send(_ message: ClientMessage) {
    guard let carrier else { return }
    SocketThread.shared.perform { carrier.send(message) }
  }

  package func disconnect() {
    guard let carrier else { return }
    self.carrier = nil
    SocketThread.shared.perform { carrier.end() }
  }

  private func take(_ event: Carrier.Event, of carrier: Carrier) {
    let input: ClientInput
    switch event {
    case .opened: input = .opened
    case let .message(message): input = .frame(message)
    case let .refused(reason):
      report(.noConnection(host: address.host, reason: reason))
      input = .refused
    case let .closed(reason):
      report(.connectionEnded(host: address.host, reason: reason))
      input = .closed
    }
    engine?.handle(input) {
      guard self.carrier === carrier else { return false }
      if input == .closed || input == .refused { self.carrier = nil }
      return true
    }
  }

  package func setTimer(_ timer: TimerID, after interval: Interval, _ purpose: TimerPurpose) {
    lastTimer += 1
    let number = lastTimer
    timers[timer] = number
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(interval.nanoseconds))) { [weak self] in
      self?.engine?.handle(.timer(timer)) {
        guard self?.timers[timer] == number else { return false }
        self?.timers[timer] = nil
        return true
      }
    }
  }

  package func cancelTimer(_ timer: TimerID) { timers[timer] = nil }

  package func store(_ text: String, as key: String) { storage.store(text, as: key) }
  package func erase(_ key: String) { storage.erase(key) }

  package func commit() {
    storage.commit()
    reportStorage()
  }

  package var keepingProblem: String? { storage.lastProblem }

  private func reportStorage() {
    for problem in storage.takeProblems() { report(.notKept(reason: problem)) }
  }

  package func callBack(_ work: @escaping () -> Void) {
    let callback = Callback(work: work)
    configuration.callbackQueue.async { callback.work() }
  }

  package func trap(_ error: SyncError) { trapped(error) }

  package func report(_ problem: SyncProblem) {
    if case let .refusedCall(error) = problem { refused(error) }
    log(problem.description)
    if let handler = configuration.problemHandler { callBack { handler(problem) } }
  }

  package func end() {
    disconnect()
    timers = [:]
    storage.close()
  }

  package func log(_ text: String) {
    guard configuration.isLogging else { return }
    if let logger = configuration.logger { return logger(text) }
    let line = Array("wilddog: \(text)\n".utf8)
    _ = Glibc.write(STDERR_FILENO, line, line.count)
  }

  /// Unchecked: the application gives a block away and has it called on a queue that it has chosen;
  /// it is called there only.
  private struct Callback: @unchecked Sendable {
    let work: () -> Void
  }
}
