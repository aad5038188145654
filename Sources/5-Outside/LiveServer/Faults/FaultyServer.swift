public import ClientInterface
internal import Document
public import Faults
internal import Scenario
public import ScenarioFiles
internal import Trace
internal import Tree
internal import Wire

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
    amongArrivals { $0.act(body) }
  }

  /// Lets something happen after what is due, and then what has become due by it.
  @discardableResult
  mutating func amongArrivals<Result>(_ body: (inout FaultyServer) -> Result) -> Result {
    arriveDue()
    defer { arriveDue() }
    return body(&self)
  }

  /// Lets arrive what is due.
  public mutating func arriveDue() {
    while !server.isHeld {
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
    disturb { $0.receive(frame, from: socket) }
  }

  /// A client's WebSocket, or a request without an answer, has ended.
  public mutating func closed(_ socket: Socket) {
    requests[socket] = nil
    if let staleSocket = staleSockets.removeValue(forKey: socket) { takeEffect(staleSocket.mark) }
    disturb { $0.closed(socket) }
  }
}

extension FaultyServer {
  /// Lets a fault happen now. One that has an ``unsupportedReason(to:)`` never happens.
  public mutating func inject(_ fault: IndexedFault) {
    watch()
    amongArrivals { $0.injectNow(fault) }
  }

  /// Lets a fault happen once, when the trigger matches. Nothing happens when it never does.
  ///
  /// Several that match at the same message happen in the order in which they were armed.
  public mutating func arm(_ fault: IndexedFault, when trigger: Trigger) {
    watch()
    amongArrivals { $0.armNow(fault, trigger) }
  }

  /// Takes back every fault that waits for its trigger.
  public mutating func disarm() { faults.withdrawAll() }

  /// From now on everything that arrives is looked at.
  mutating func watch() { server.isDisturbed = true }

  /// Reports that a fault happens.
  mutating func record(_ fault: IndexedFault) {
    server.effects.append(.fault(fault))
    let client = fault.client
    let own = lines.keys.sorted().last { client == nil || lines[$0]?.client == client?.number }
    server.record(.fault(fault), client == nil ? 0 : own ?? 0)
  }
}

// Requests of HTTP.

extension FaultyServer {
  /// Whether requests get no answer at all, as if there were no server: its connection is to
  /// be closed without a word. To be asked once for each request, before anything is done about it.
  public mutating func refuses(_ request: HTTPRequest) -> Bool {
    guard server.isDisturbed, request.isForData || request.isForSockets else { return false }
    arriveDue()
    if let refusal = serverFaults.refusal(at: now) {
      takeEffect(refusal.mark)
      return true
    }
    guard let client = connecting(request), let refusal = servedClients[client].network.refusal
    else { return false }
    takeEffect(refusal.mark)
    return true
  }

  /// Whose new connection it would be; `nil` for what is none: requests of a session that there is
  /// already, and pages.
  private mutating func connecting(_ request: HTTPRequest) -> Int? {
    if request.isForSockets {
      if request.continuesSession { return nil }
      return client(connectingBy: request)
    }
    guard request.isForData else { return nil }
    if server.wantsStream(request) { return client(connectingBy: request) }
    return client(asking: request)
  }

  /// Takes a request that is no WebSocket.
  public mutating func handle(_ request: HTTPRequest, from socket: Socket) {
    arriveDue()
    var request = request
    let client = server.isDisturbed ? connecting(request) : nil
    if request.isForSockets || server.wantsStream(request) { request = named(request) }
    guard let client, request.isForData else { return disturb { $0.handle(request, from: socket) } }
    requests[socket] = client
    schedule(.request(socket, request), of: client, at: now + drawLatency(of: client))
    arriveDue()
  }

  /// A request of REST is answered by a server elsewhere, or a stream begins there.
  package mutating func take(relayed answer: HTTPResponse, isStream: Bool, on number: Int) {
    guard let socket = server.relayed[number]?.socket else { return }
    amongArrivals { net in
      net.answer(socket, net.requests[socket]) {
        $0.take(relayed: answer, isStream: isStream, on: number)
      }
    }
  }

  /// A request of REST has arrived, or is answered elsewhere: its answer goes back the same way.
  mutating func answer(
    _ socket: Socket, _ client: Int?, _ body: (inout LiveServer) -> Void
  ) {
    let before = server.takeEffects()
    act(body)
    let own = server.takeEffects()
    server.effects = before
    for effect in own {
      guard let client, requests[socket] != nil, case .respond(socket, _) = effect else {
        server.effects.append(effect)
        continue
      }
      let due = now + drawLatency(of: client)
      schedule(.response(socket, effect), of: client, at: due)
    }
    if server.carried[socket] != nil { requests[socket] = nil }
  }
}

extension HTTPRequest {
  /// Whether it is for a WebSocket, or a request of engine.io or of long polling.
  fileprivate var isForSockets: Bool { ["/.ws", "/.ws/", "/.lp"].contains(path) }

  /// Whether it is of a session that began before.
  var continuesSession: Bool {
    path == "/.lp" ? argument("start") == nil : argument("sid") != nil
  }

  /// Whether it is for data; pages and others are not disturbed.
  fileprivate var isForData: Bool { path.hasSuffix(".json") }
}

// Who is who.

extension FaultyServer {
  /// How many names there may be; another one counts as no particular client.
  private static let maxClients = 10_000
  /// How many clients without a name are distinguished.
  private static let maxUnnamed = 1000
  /// For how many connections it is known whose they were.
  private static let maxOwners = 20_000
  /// Whose the requests of REST are that do not say whose they are.
  static let unnamedClient = "rest"

  /// Adds a client.
  ///
  /// - Parameter name: What it is called; `nil` for one that has not said so.
  /// - Returns: Its location.
  mutating func addClient(_ name: String?) -> Int {
    var number = clients.count + 1
    while name == nil, clientsByName["client-\(number)"] != nil { number += 1 }
    clients.append(name ?? "client-\(number)")
    clientsByName[clients[clients.count - 1]] = clients.count - 1
    servedClients.append(
      ServedClient(latency: latency, seed: seed &+ UInt64(clients.count) << 32))
    servedClients[clients.count - 1].isExpected = name != nil
    return clients.count - 1
  }

  /// The location of a client with this name, which is added if there is none.
  private mutating func claimedIndex(named name: String) -> Int {
    if let index = clientsByName[name] {
      servedClients[index].isClaimed = true
      return index
    }
    if clients.count >= Self.maxClients, name != Self.unnamedClient {
      return claimedIndex(named: Self.unnamedClient)
    }
    let index = addClient(name)
    servedClients[index].isClaimed = true
    applyRules(to: index)
    return index
  }

  /// The client that a request for a connection is from: the one that it names, else the one that
  /// had the connection that it names, else the first one that has none.
  mutating func client(connectingBy request: HTTPRequest) -> Int {
    if let name = request.client { return claimedIndex(named: name) }
    let previous = server.connection(named: request.argument("ls") ?? request.argument("s"))
    if let previous, let owner = owners[previous] { return owner }
    // By index: a closure would be handed copies.
    for index in servedClients.indices
    where servedClients[index].open == 0 && !servedClients[index].isClaimed
      && mayTakeName(of: servedClients[index], request)
    {
      return index
    }
    let index = addClient(nil)
    applyRules(to: index)
    return index
  }

  /// Whether a client without a name may be taken for one that has no connection now.
  ///
  /// Clients of the Firebase family that connect again name their last session: one that does not is
  /// new, and has nothing to do with others that came and left.
  private func mayTakeName(of other: ServedClient, _ request: HTTPRequest) -> Bool {
    other.isExpected || !other.hasConnected || request.argument("EIO") != nil
      || clients.count >= Self.maxUnnamed
  }

  /// The client that a request of REST is from.
  mutating func client(asking request: HTTPRequest) -> Int {
    claimedIndex(named: request.client ?? Self.unnamedClient)
  }

  /// The request for a connection with the name of its client.
  mutating func named(_ request: HTTPRequest) -> HTTPRequest {
    if request.continuesSession { return request }
    var request = request
    request.client = clients[client(connectingBy: request)]
    forgetOldOwners()
    return request
  }

  private mutating func forgetOldOwners() {
    guard owners.count > 2 * Self.maxOwners, let last = owners.keys.max() else { return }
    owners = owners.filter { $0.key > last - Self.maxOwners || lines[$0.key] != nil }
  }
}

// What the operator of the server can look at and change while it runs.

extension FaultyServer {
  /// Answers a request that came by the port for control.
  public mutating func control(_ request: HTTPRequest) -> HTTPResponse {
    switch (request.method, request.path) {
    case ("GET", "/faults"): return HTTPResponse(200, json: fates)
    case ("POST", "/faults"): return addFaults(request)
    case ("DELETE", "/faults"):
      rules = []
      disarm()
      return HTTPResponse(200, json: fates)
    case ("DELETE", let path) where path.hasPrefix("/faults/"):
      return withdraw(String(path.dropFirst("/faults/".count)))
    case ("POST", "/heal"):
      healAll()
      return HTTPResponse(200, json: fates)
    case ("POST", "/cut"):
      return HTTPResponse(200, json: ["cut": .number(Double(cutAll()))])
    default:
      return .error(
        404,
        "expected GET /connections or /traffic; GET, POST or DELETE /faults; DELETE /faults/NUMBER;"
          + " POST /heal or POST /cut, not \(request.method) \(request.path)")
    }
  }
}

// Faults by the port for control.

extension FaultyServer {
  /// Adds the faults of a request, which are in the words of scenarios, and returns their numbers.
  mutating func addFaults(_ request: HTTPRequest) -> HTTPResponse {
    let read = ReadFaultRules(
      file: "faults", bytes: request.body, clients: clients, isJSON: true)
    guard read.problems.isEmpty else {
      return HTTPResponse(
        400,
        json: [
          "error": .string(read.problems.map(\.description).joined(separator: "\n"))
        ])
    }
    take(read)
    var numbers: [JSON] = []
    for rule in read.rules {
      numbers += add(FaultRule(rule)).map { .number(Double($0 + 1)) }
    }
    return HTTPResponse(200, json: ["faults": .array(numbers)])
  }

  /// Takes the clients and the latency that a file of faults states.
  public mutating func take(_ read: ReadFaultRules) {
    for name in read.clients where clientsByName[name] == nil { _ = addClient(name) }
    guard let stated = read.latency else { return }
    watch()
    latency = Latency(stated.standard)
    for index in clients.indices {
      servedClients[index].network.latency = Latency(stated.range(of: clients[index]))
    }
  }

  /// Takes back one fault that waits.
  mutating func withdraw(_ text: String) -> HTTPResponse {
    guard let number = Int(text), marks.indices.contains(number - 1) else {
      return .error(404, "there is no fault \(text)")
    }
    guard faults.withdraw(number - 1) else {
      return .error(409, "fault \(number) does not wait for anything")
    }
    return HTTPResponse(200, json: fates)
  }

  /// Makes the network of every client work again, and all that waits go on.
  mutating func healAll() {
    amongArrivals { live in
      // Clients to come are spared as well.
      live.rules.removeAll(where: \.isHealed)
      for index in live.servedClients.indices where live.servedClients[index].network.isDisturbed {
        live.injectNow(.heal(ClientIndex(index)))
      }
    }
  }

  /// Breaks the connections of all clients.
  ///
  /// - Returns: How many there were.
  mutating func cutAll() -> Int {
    amongArrivals { live in
      let count = live.lines.values.count { !$0.isGone }
      for index in live.servedClients.indices where live.servedClients[index].open > 0 {
        live.record(.drop(ClientIndex(index)))
        _ = live.breakOff(index)
      }
      return count
    }
  }

  /// How the network is for each client, and what became of each fault.
  var fates: JSON {
    [
      "clients": .array(clients.indices.map(json(of:))),
      "faults": .array(marks.indices.map(fate)),
    ]
  }

  private func json(of index: Int) -> JSON {
    let servedClient = servedClients[index]
    var stalled: [JSON] = []
    if servedClient.network.stalls.toServer != nil {
      stalled.append(.string(FaultDirection.toServer.rawValue))
    }
    if servedClient.network.stalls.toClient != nil {
      stalled.append(.string(FaultDirection.toClient.rawValue))
    }
    return [
      "client": .string(clients[index]), "connections": .number(Double(servedClient.open)),
      "network": .string(servedClient.network.access.rawValue),
      "latency": .string(servedClient.network.latency.text),
      "stalled": .array(stalled),
    ]
  }

  private func fate(of mark: Int) -> JSON {
    let fault = marks[mark].fault
    return [
      "fault": .number(Double(mark + 1)), "name": .string(fault.kind.name),
      "text": .string(fault.text),
      "client": fault.client.map { .string(name(of: $0)) } ?? .null,
      "when": marks[mark].trigger.map { .string($0.text(name)) } ?? .null,
      "waits": .bool(faults.armed.contains { $0.mark == mark }),
      "withdrawn": .bool(faults.withdrawn.contains(mark)), "fired": .bool(marks[mark].hasFired),
      "bit": .bool(marks[mark].hasTakenEffect),
    ]
  }

  private func name(of client: ClientIndex) -> String {
    clients.indices.contains(client.number) ? clients[client.number] : "\(client.number)"
  }
}

extension Trigger {
  /// What is waited for, in words: `put from alice, the 2nd, before it arrives`.
  fileprivate func text(_ name: (ClientIndex) -> String) -> String {
    switch self {
    case let .after(interval): return "after \(interval.millisecondText)"
    case let .count(count, client, flow):
      return "\(count) messages of \(name(client)), \(flow.text)"
    case let .message(frame, client, nth, edge):
      let whose = client.map { " \(frame.isFromServer ? "to" : "from") \(name($0))" } ?? ""
      let which = nth == 1 ? "" : ", number \(nth)"
      return "\(frame.text)\(whose)\(which), \(edge.rawValue) it arrives"
    }
  }
}

extension Trigger.Frame {
  fileprivate var isFromServer: Bool {
    switch self {
    case .request, .ping: false
    case .answer, .acknowledgement, .data, .hello, .revoked, .credentialRevoked, .shutdown, .reset,
      .pong:
      true
    }
  }

  fileprivate var text: String {
    switch self {
    case let .request(action): action?.rawValue ?? "request"
    case .ping: "ping"
    case let .answer(action): action.map { "answer to \($0.rawValue)" } ?? "answer"
    case .acknowledgement: "acknowledgement"
    case .data: "data"
    case .hello: "hello"
    case .revoked: "revoke"
    case .credentialRevoked: "revoke-auth"
    case .shutdown: "shutdown"
    case .reset: "redirect"
    case .pong: "pong"
    }
  }
}
