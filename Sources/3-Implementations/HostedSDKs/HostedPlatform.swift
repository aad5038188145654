internal import ClientEngine
internal import ClientInterface
internal import Hosting
internal import Wire

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
  func refuse(_ misuse: Misuse) { refusals.record(misuse) }
  func log(_ text: String) { environment.log(text) }
  func end() {}
}
