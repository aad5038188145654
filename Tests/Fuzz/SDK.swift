import ClientEngine
import ClientInterface
import ClientMachine
import Glibc
import ReferenceServer
import Tree
import Wire

/// What servers send to the documented SDK: everything between a text frame and the callbacks of an
/// application, by a clock that stands.
///
/// The first line names the profile: `f`, `w` or `x`, as a capital letter with persistence. Every
/// other line is what happens next, behind a letter. Whatever came, in the end there is a server that
/// is right, and the application must see what it has.
func fuzzSDK(_ bytes: [UInt8]) {
  let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  var world = FuzzedSDK(lines.first?.first ?? "f")
  for line in lines.dropFirst().prefix(300) { world.take(line) }
  world.recover()
}

/// How many frames of servers there were, which the end of the program prints.
private nonisolated(unsafe) var frames = 0
private let printsFrames: Void = {
  atexit { print("stat::server_frames: \(frames)") }
}()

private struct FuzzedSDK {
  private let profile: Profile
  private let isPersistent: Bool
  private let address: DatabaseAddress
  private var machine: FuzzedMachine
  private var application: FuzzedApplication
  private var engine: Engine

  init(_ letter: Character) {
    printsFrames
    profile =
      switch letter.lowercased() {
      case "w": .wilddog1
      case "x": .wilddog2
      default: .firebase
      }
    isPersistent = letter.isUppercase
    let url = "https://fuzz.wilddogio.com/" + (profile == .firebase ? "?v=5" : "")
    guard let (address, _) = DatabaseAddress.parse(url) else { fatalError(url) }
    self.address = address
    machine = FuzzedMachine(address.dialect, storage: [])
    (engine, application) = Self.begin(profile, address, isPersistent, machine)
  }

  private static func begin(
    _ profile: Profile, _ address: DatabaseAddress, _ isPersistent: Bool, _ machine: FuzzedMachine
  ) -> (Engine, FuzzedApplication) {
    let opening = ClientInput.Opening(
      host: address.host, seed: 1, persistence: isPersistent ? .init(cacheBytes: 400) : nil,
      storage: machine.storage)
    let engine = Engine(EngineSettings(profile, address, opening), on: machine) {
      machine.engine = $0
    }
    return (engine, FuzzedApplication(engine))
  }

  mutating func take(_ line: Substring) {
    let text = String(line.dropFirst())
    switch line.first {
    case "h": machine.carryOut { $0.receive(handshake: text) }
    case "s": machine.carryOut { $0.socketOpened() }
    case "m": receive(text)
    case "d": receive(address.dialect == .firebase ? text : Packet.message(text))
    case "o":
      machine.open()
      receive(hello: "fuzz.wilddogio.com")
    case "c": machine.lose()
    case "t": machine.wait()
    case "k": restart()
    case "a": if let digit = text.first?.hexDigitValue { application.call(digit) }
    default: break
    }
    machine.callBack()
  }

  private func receive(_ frame: String) {
    frames += 1
    machine.carryOut { $0.receive(frame) }
  }

  private func receive(hello host: String) {
    let hello = ServerMessage.hello(
      .init(timestamp: 1_480_000_000_500, version: "5", host: host, session: "s"))
    receive(address.dialect.frame(of: hello))
  }

  /// The process ends, and another one begins with what it has stored.
  private mutating func restart() {
    engine.end()
    machine = FuzzedMachine(address.dialect, storage: machine.storage)
    (engine, application) = Self.begin(profile, address, isPersistent, machine)
  }

  /// A right server takes over. Every listener that is not cancelled shows what it has.
  mutating func recover() {
    var server = ReferenceServer(
      data: Node(json: ["room": ["a": 1, "b": ["x": 2], "c": "3"], "n": 4]), security: [],
      dialect: address.dialect, host: address.host)
    machine.lose()
    // A server may have said that nobody is to come back (CON-18).
    engine.perform(.goOnline)
    machine.sent = []
    var connection = 0
    var rounds = 0
    while !machine.isConnected || !machine.sent.isEmpty {
      var out: [ReferenceServer.Outgoing] = []
      if machine.isConnected {
        let messages = machine.sent
        machine.sent = []
        for message in messages {
          server.receive(message, from: .init(connection), at: machine.now, into: &out)
        }
      } else if machine.isAsked {
        connection += 1
        machine.open()
        server.open(.init(connection), at: machine.now, into: &out)
      } else {
        machine.wait()
      }
      for outgoing in out where machine.isConnected {
        machine.carryOut { $0.receive(address.dialect.frame(of: outgoing.message)) }
      }
      machine.callBack()
      rounds += 1
      require(rounds < 1000, "the client does not come to an end with a right server")
    }
    application.compare(with: server.tree)
    engine.end()
  }
}

extension Dialect {
  /// A message of the server as one frame.
  fileprivate func frame(of message: ServerMessage) -> String {
    let text = message.json(in: self).text
    return self == .firebase ? text : Packet.message(text)
  }
}

/// A machine without sockets, on which time passes when it is asked to.
final class FuzzedMachine: Platform {
  weak var engine: Engine?
  private(set) var now = Instant(milliseconds: 1_480_000_000_000)
  private(set) var storage: [ClientInput.StoredItem]
  /// What went over the open connection and was not taken yet.
  var sent: [ClientMessage] = []
  private let dialect: Dialect
  private var framing: Framing?
  private var timers: [(id: TimerID, due: Instant)] = []
  private var callbacks: [() -> Void] = []

  init(_ dialect: Dialect, storage: [ClientInput.StoredItem]) {
    self.dialect = dialect
    self.storage = storage
  }

  var isConnected: Bool { framing?.isOpen ?? false }
  /// Whether the client waits for a connection.
  var isAsked: Bool { framing.map { !$0.isOpen } ?? false }

  func carryOut(_ event: (inout Framing) -> [Framing.Step]) {
    guard var changed = framing else { return }
    let steps = event(&changed)
    framing = changed
    for step in steps where framing != nil {
      switch step {
      case .opened: engine?.handle(.opened)
      case let .message(message): engine?.handle(.frame(message))
      case .end: lose()
      case .send, .upgrade: break
      }
    }
  }

  /// The server answers as it should, up to the open connection.
  func open() {
    guard isAsked else { return }
    if dialect == .wilddog {
      carryOut { $0.receive(handshake: #"26:0{"sid":"s","upgrades":[]}"#) }
    }
    carryOut { $0.socketOpened() }
    if dialect == .wilddog { carryOut { $0.receive("3probe") } }
  }

  /// The connection ends, or is refused.
  func lose() {
    guard let ended = framing else { return }
    framing = nil
    engine?.handle(ended.isOpen ? .closed : .refused)
  }

  /// Time passes until the next timer is due.
  func wait() {
    guard let next = timers.indices.min(by: { timers[$0].due < timers[$1].due }) else { return }
    let timer = timers.remove(at: next)
    now = max(now, timer.due)
    engine?.handle(.timer(timer.id))
  }

  /// Calls the application with everything that is for it, and with what comes of that.
  func callBack() {
    var count = 0
    while !callbacks.isEmpty {
      let due = callbacks
      callbacks = []
      for work in due { work() }
      count += due.count
      require(count < 100_000, "callbacks come without end")
    }
  }

  func connect(to host: String?) { framing = Framing(dialect) }

  func send(_ message: ClientMessage) {
    require(isConnected, "it sends without a connection")
    sent.append(message)
    _ = framing?.frames(of: message)
  }

  func disconnect() { framing = nil }

  func setTimer(_ timer: TimerID, after interval: Interval, _ purpose: TimerPurpose) {
    cancelTimer(timer)
    timers.append((timer, now + interval))
  }

  func cancelTimer(_ timer: TimerID) { timers.removeAll { $0.id == timer } }

  func store(_ text: String, as key: String) {
    erase(key)
    storage.append(.init(key, text))
  }

  func erase(_ key: String) { storage.removeAll { $0.key == key } }
  func commit() {}
  func callBack(_ work: @escaping () -> Void) { callbacks.append(work) }
  func trap(_ error: SyncError) { fatalError("the application's calls are right: \(error)") }

  func report(_ problem: SyncProblem) {
    if case let .refusedCall(error) = problem { trap(error) }
  }

  var keepingProblem: String? { nil }
  func log(_ text: String) {}

  func end() {
    framing = nil
    timers = []
    callbacks = []
  }
}
