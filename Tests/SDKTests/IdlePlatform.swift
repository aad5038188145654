import ClientEngine
import ClientInterface
import ClientMachine
import Tree
import Wire

/// A machine on which nothing happens by itself, and that calls the application at once.
final class IdlePlatform: Platform {
  let now = Instant(nanoseconds: 0)
  var keepingProblem: String?
  private(set) var problems: [SyncProblem] = []
  private(set) var trapped: [SyncError] = []
  private(set) var sent: [ClientMessage] = []

  func connect(to host: String?) {}
  func send(_ message: ClientMessage) { sent.append(message) }
  func disconnect() {}
  func setTimer(_ timer: TimerID, after interval: Interval, _ purpose: TimerPurpose) {}
  func cancelTimer(_ timer: TimerID) {}
  func store(_ text: String, as key: String) {}
  func erase(_ key: String) {}
  func commit() {}
  func callBack(_ work: @escaping () -> Void) { work() }
  func report(_ problem: SyncProblem) { problems.append(problem) }
  func trap(_ error: SyncError) { trapped.append(error) }
  func log(_ text: String) {}
  func end() {}
}

extension IdlePlatform {
  /// The calls that were refused.
  var refusals: [SyncError] {
    problems.compactMap { if case let .refusedCall(error) = $0 { error } else { nil } }
  }

  /// The numbers of the last requests that write, by the key of the location.
  var writes: [String: Int] {
    var found: [String: Int] = [:]
    for message in sent {
      guard case let .request(number, .put(path, _, _)) = message else { continue }
      found[path.key?.string ?? ""] = number
    }
    return found
  }

  /// A database on this machine. It has a connection as soon as the server says so.
  func makeEngine() -> Engine {
    guard let (address, _) = DatabaseAddress.parse("https://kennel.wilddogio.com/") else {
      preconditionFailure("the address is one")
    }
    return Engine(EngineSettings(.wilddog2, address, .init()), on: self) { _ in }
  }
}

extension Engine {
  /// The server accepts the connection.
  func open() {
    handle(.opened)
    handle(
      .frame(
        .hello(.init(timestamp: 0, version: "5", host: "kennel.wilddogio.com", session: "s"))))
  }

  /// The server answers the requests of these numbers.
  func answer(_ numbers: Int..., with status: String = "ok") {
    for number in numbers { handle(.frame(.response(.init(to: number, status: status)))) }
  }
}
