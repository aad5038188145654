public import ClientInterface
public import Faults
public import HTTP

/// A live server behind lines on which things go wrong: everything between it and its clients goes
/// through here.
///
/// Faults are those of the simulator, and so are the moments for which they wait. They count
/// messages of the protocol, whatever carries these: frames, requests that poll, streams. A value:
/// the same inputs at the same moments have the same effects.
public struct FaultyServer: Sendable {
  /// The server behind the lines that faults affect.
  public var server: LiveServer
  /// The names of the clients: faults call each by its location in this list. More are added when
  /// others come than those that were named.
  public internal(set) var clients: [String]
  /// What became of each fault, in the order in which they were injected or armed.
  public var marks: [FaultMark] { faults.marks }

  /// The location of each client in it.
  var clientsByName: [String: Int] = [:]
  /// By the location of the client.
  var servedClients: [ServedClient] = []
  /// The client of each connection, for some time after its end.
  var owners: [Int: Int] = [:]
  /// By the number of the connection.
  var lines: [Int: ConnectionPipe] = [:]
  var staleSockets: [Socket: StaleSocket] = [:]
  /// The requests of REST that have no answer yet, with their clients.
  var requests: [Socket: Int] = [:]
  var agenda = DeliveryQueue()
  var lastFlight = 0
  package var faults = FaultRegister()
  /// The rules that hold for each client, also for those to come.
  var rules: [FaultRule] = []
  package var serverFaults = ServerFaults()
  /// How many conditional writes had been refused as stale when this was looked at.
  var staleRefusals = 0
  var script: FaultScript?
  /// The latency of clients that are not named.
  var latency: Latency
  let seed: UInt64

  /// - Parameters:
  ///   - server: The server. From now on everything goes by way of the lines.
  ///   - clients: The names of the clients that are known. Connections of clients that do not say who
  ///     they are take these names in the order in which they come.
  ///   - latency: How long messages take.
  ///   - seed: Where latencies that are drawn begin.
  public init(
    _ server: LiveServer, clients: [String] = [], latency: Latency = .fixed(.zero),
    seed: UInt64 = 0
  ) {
    self.server = server
    self.seed = seed
    self.clients = []
    self.latency = latency
    self.server.isObserved = true
    for name in clients { _ = addClient(name) }
    if latency != .fixed(.zero) { self.server.isDisturbed = true }
  }

  /// The moment at which what happens now happens.
  var now: Instant { server.now }

  /// Lets something happen at a moment, and hands out what is to be done in consequence.
  @discardableResult
  public mutating func perform<Result>(
    at now: Instant, into effects: inout [Effect], _ body: (inout FaultyServer) -> Result
  ) -> Result {
    server.now = now
    defer { effects += server.takeEffects() }
    return body(&self)
  }

  /// When `arriveDue` has something to do; `nil` when nothing is on its way.
  public var nextDue: Instant? {
    guard let next = script?.due else { return agenda.first?.due }
    return agenda.first.map { min($0.due, next) } ?? next
  }

  /// Whether something can go wrong: without, everything arrives at once and is not looked at.
  public var isDisturbed: Bool { server.isDisturbed }

  /// Whose connection this is; `nil` for one that never was, or that ended long ago.
  public func client(of connection: Int) -> ClientIndex? {
    owners[connection].map { ClientIndex($0) }
  }

  /// Lets the server do something, and lets what comes of it take its time, or get lost.
  public mutating func disturb(_ body: (inout LiveServer) -> Void) {
    arriveDue()
    act(body)
    arriveDue()
  }

  /// Lets arrive what is due.
  public mutating func arriveDue() {
    while true {
      if let due = script?.due, due <= now, due <= agenda.first?.due ?? due {
        runScript()
      } else if let next = agenda.first, next.due <= now {
        _ = agenda.removeFirst()
        run(next)
      } else {
        return
      }
    }
  }

  /// Lets the server do something, and takes the news.
  mutating func act(_ body: (inout LiveServer) -> Void) {
    body(&server)
    while !server.news.isEmpty {
      let news = server.news
      server.news = []
      for one in news { take(one) }
    }
    if server.staleRefusals > staleRefusals { takeEffect(serverFaults.staleMark) }
    staleRefusals = server.staleRefusals
  }
}

// What arrives from clients.

extension FaultyServer {
  /// A WebSocket is open that `refuses` has not refused.
  public mutating func open(_ socket: Socket, for request: HTTPRequest) {
    let request = named(request)
    disturb { $0.open(socket, for: request) }
  }

  /// A frame has come from a client.
  public mutating func receive(_ frame: String, from socket: Socket) {
    if let staleSocket = staleSockets[socket] { takeEffect(staleSocket.mark) }
    disturb {
      $0.receive(frame, from: socket)
    }
  }

  /// A client's WebSocket, or a request without an answer, has ended.
  public mutating func closed(_ socket: Socket) {
    requests[socket] = nil
    if let staleSocket = staleSockets.removeValue(forKey: socket) { takeEffect(staleSocket.mark) }
    disturb { $0.closed(socket) }
  }
}
