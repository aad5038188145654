import ClientEngine
import ClientMachine
import Glibc
package import LiveServer
import ReferenceServer
import RunModel
import System
package import Tree
package import Wire

/// The connections to the server under test in one run: one for each that clients have to the kit, and one
/// of the kit's own, which puts the data there, follows them, and removes them.
///
/// Everything lies below a path of its own, so that runs do not disturb each other.
package final class Relay {
  /// What the server does on a connection.
  package enum Event {
    case message(ServerMessage)
    /// It has closed the connection, or refused it, for this reason.
    case ended(String)
  }

  /// Why a run cannot be made.
  package enum Problem: Error {
    case unreachable(String)
    /// The server does not do what each run begins with.
    case refused(String)
  }

  /// For how long nothing must come of the server for its work to count as done, in nanoseconds.
  private static let quietInterval: Int64 = 6_000_000
  /// How long it may leave something unanswered before the run goes on, in nanoseconds.
  private static let patience: Int64 = 2_000_000_000
  /// The number of the kit's own connection: clients have others.
  private static let own = 0

  private let address: DatabaseAddress
  private let base: Path
  private let inbox = Inbox()
  private var lines: [Int: Line] = [:]
  private var events: [(connection: Int, event: Event)] = []
  /// When the server was last given something, and when either side last did something.
  private var lastGiven: Int64 = 0
  private var lastActivity: Int64 = 0
  /// What the server has, as the kit's own listen shows it.
  package private(set) var tree = Node.empty
  private var lastRequest = 0
  private var answers: [Int: ServerMessage.Response] = [:]
  /// How the kit's own connection ended; nil as long as it is there.
  private var ending: String?

  private struct Line {
    let carrier: Carrier
    var isOpen = false
    var hasReceivedHello = false
    /// What is to be sent once it is open.
    var waiting: [ClientMessage] = []
    /// The numbers of the requests without an answer.
    var unanswered: Set<Int> = []
  }

  /// - Parameters:
  ///   - address: Where the server is, with the framing of the kit's own connection.
  ///   - base: What clients take for the root.
  init(_ address: DatabaseAddress, at base: Path) {
    self.address = address
    self.base = base
  }

  /// A key that no other run has.
  static func newKey() -> Key {
    var generator = SystemRandomNumberGenerator()
    let digits = String(generator.next(), radix: 36)
    return Key("kennel-" + String(repeating: "0", count: 13 - digits.count) + digits)
  }

  /// Whether the server has done all that it was given, as far as can be seen.
  package var isDone: Bool {
    let now = Measurement.now
    if now - lastGiven >= Self.patience { return true }
    return now - lastActivity >= Self.quietInterval
      && lines.values.allSatisfy { $0.hasReceivedHello && $0.unanswered.isEmpty }
  }

  /// Hands the server what arrives there.
  package func give(_ relayed: Effect.Relayed, of connection: Int) {
    switch relayed {
    case let .opened(dialect): open(connection, dialect)
    case let .message(message): send(message.below(base), over: connection)
    case .closed: close(connection)
    case let .change(write): ask(ReferenceServer.Write(write).request.below(base))
    }
  }

  /// What the server has done since this was asked last, by the numbers of the connections.
  package func takeEvents() -> [(connection: Int, event: Event)] {
    for (number, event) in inbox.take() { receive(event, number) }
    defer { events = [] }
    return events
  }

  private func open(_ number: Int, _ dialect: Dialect) {
    note(isGiven: true)
    let inbox = inbox
    var address = address
    address.dialect = dialect
    lines[number] = Line(carrier: Carrier.connect(to: address) { inbox.add($0, number) })
  }

  private func close(_ number: Int) {
    note(isGiven: true)
    lines.removeValue(forKey: number)?.carrier.close()
  }

  private func send(_ message: ClientMessage, over number: Int) {
    guard let line = lines[number] else { return }
    note(isGiven: true)
    // Nothing depends on the answer to a count, and some servers send none.
    if case let .request(id, request) = message, request.action != .stats {
      lines[number]?.unanswered.insert(id)
    }
    if line.isOpen { line.carrier.post(message) } else { lines[number]?.waiting.append(message) }
  }

  private func note(isGiven: Bool) {
    lastActivity = Measurement.now
    if isGiven { lastGiven = lastActivity }
  }

  private func receive(_ event: Carrier.Event, _ number: Int) {
    guard let line = lines[number] else { return }
    note(isGiven: false)
    switch event {
    case .opened:
      lines[number]?.isOpen = true
      lines[number]?.waiting = []
      for message in line.waiting { line.carrier.post(message) }
    case let .message(message):
      if case .hello = message { lines[number]?.hasReceivedHello = true }
      if case let .response(response) = message {
        lines[number]?.unanswered.remove(response.request)
      }
      if number == Self.own { return follow(message) }
      events.append((number, .message(message.relative(to: base))))
    case let .refused(reason), let .closed(reason):
      lines[number] = nil
      if number == Self.own { ending = reason } else { events.append((number, .ended(reason))) }
    }
  }
}

// The kit's own connection.

extension Relay {
  /// Connects, puts the data of a run there, and follows them.
  package func begin(_ data: Node) throws(Problem) {
    open(Self.own, address.dialect)
    try wait { self.lines[Self.own]?.hasReceivedHello == true }
    if !data.isEmpty { try require(.put(base, data, hash: nil), "the data of the scenario") }
    try require(.listen(.init(path: base)), "a listen at \(base)")
  }

  /// Ends all connections of clients.
  func closeAll() {
    for number in lines.keys.sorted() where number != Self.own { close(number) }
  }

  /// Ends all connections, and removes the data.
  package func end() {
    closeAll()
    // What clients left for the ends of their connections is written before the data are removed.
    try? wait { self.isDone }
    try? require(.put(base, .empty, hash: nil), "")
    close(Self.own)
  }

  @discardableResult
  private func ask(_ request: Request) -> Int {
    lastRequest += 1
    send(.request(lastRequest, request), over: Self.own)
    return lastRequest
  }

  private func require(_ request: Request, _ what: String) throws(Problem) {
    let number = ask(request)
    try wait { self.answers[number] != nil }
    guard let answer = answers.removeValue(forKey: number), answer.status != "ok" else { return }
    let reason = answer.payload.string.map { ", \($0)" } ?? ""
    throw .refused("the server refuses \(what): \(answer.status)\(reason)")
  }

  /// Waits for something, five times as long as a run would.
  private func wait(until condition: () -> Bool) throws(Problem) {
    let limit = Measurement.now + 5 * Self.patience
    while !condition() {
      for (number, event) in inbox.take() { receive(event, number) }
      if let ending { throw .unreachable(ending) }
      guard Measurement.now < limit else { throw .unreachable("it does not answer within 10 s") }
      usleep(300)
    }
  }

  private func follow(_ message: ServerMessage) {
    switch message {
    case let .put(path, node, _): tree = [(path, node)].applied(to: tree, at: base)
    case let .merge(path, assignments, _):
      tree = assignments.sets(below: path).applied(to: tree, at: base)
    case let .response(response): answers[response.request] = response
    case .hello, .revoked, .credentialRevoked, .shutdown, .reset, .pong, .notice, .other: break
    }
  }
}

extension Relay {
  /// Lets the server here take what the one elsewhere has done.
  ///
  /// - Returns: What that was.
  @discardableResult
  package func handOver(to loop: SocketLoop) -> [(connection: Int, event: Event)] {
    let events = takeEvents()
    for (connection, event) in events {
      loop.perform { live in
        live.disturb { server in
          switch event {
          case let .message(message): server.take(relayed: message, on: connection)
          case .ended: server.end(relayed: connection)
          }
        }
      }
    }
    return events
  }
}

/// What has come on the thread of sockets.
///
/// Unchecked: the events are used with `lock` taken.
private final class Inbox: @unchecked Sendable {
  private let lock = SerialLock()
  private var events: [(number: Int, event: Carrier.Event)] = []

  func add(_ event: Carrier.Event, _ number: Int) { lock.locked { events.append((number, event)) } }

  func take() -> [(number: Int, event: Carrier.Event)] {
    lock.locked {
      defer { events = [] }
      return events
    }
  }
}
