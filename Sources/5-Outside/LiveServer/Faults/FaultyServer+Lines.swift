internal import ClientInterface
internal import Faults
internal import ReferenceServer
internal import Trace
internal import Wire

/// A client, and how the network is for it.
struct ServedClient: Sendable {
  /// Whether a client has claimed this name. No other client is taken for it then.
  var isClaimed = false
  /// Whether it has its name from a scenario or a file of faults, and not because it came.
  var isExpected = false
  /// Whether it has had a connection.
  var hasConnected = false
  /// How many connections it has that it knows to be open.
  var open = 0
  var network: ClientNetwork
  /// What would have arrived if its direction were not stalled, in the order in which it would
  /// have.
  var held: [InFlightItem] = []
  var random: RandomNumbers

  init(latency: Latency, seed: UInt64) {
    network = ClientNetwork(latency: latency)
    random = RandomNumbers(seed: seed)
  }

  /// How long something takes that is sent now.
  mutating func drawLatency() -> Interval {
    let latency = network.latency
    guard latency.arity > 1 else { return latency.lowest }
    return latency.interval(of: Int(random.next() % UInt64(latency.arity)))
  }
}

extension InFlightItem.Content {
  /// Which ways it needs to arrive; `nil` for what is not on its way.
  var need: Stalls.Need? {
    switch self {
    case .toServer, .leave, .request: .toServer
    case .toClient, .response: .toClient
    case .attempt: .bothWays
    case .fault: nil
    }
  }
}

/// What lies between the client and the server of one connection.
struct ConnectionPipe: Sendable {
  /// Whose it is.
  let client: Int
  /// Whether it is a stream of events, which learns of data only.
  let isStream: Bool
  /// Whether it is among the open ones of its client.
  var isCounted = true
  /// Whether nothing gets through any more.
  var isDead = false
  /// Whether the client's end is closed.
  var isGone = false
  /// The fault because of which nothing gets through.
  var deathMark: Int?
  /// The fault because of which the server notices the end later than the client.
  var lateMark: Int?
  /// The actions of requests that arrived while a fault was armed, by their numbers.
  var asked: [Int: Request.Action] = [:]
  /// When the last thing on its way arrives, each way: what is sent later does not arrive sooner.
  var lastToServer = Instant(nanoseconds: 0)
  var lastToClient = Instant(nanoseconds: 0)
}

/// A socket that its client takes for open, of a connection that the server has forgotten.
struct StaleSocket: Sendable {
  let client: Int
  let mark: Int?
}

/// Something that is on its way between a client and the server.
struct InFlightItem: Sendable {
  enum Content: Sendable {
    /// The request for the connection with this number.
    case attempt(Int)
    /// A message over the connection with this number.
    case toServer(Int, ClientMessage)
    case toClient(Int, ServerMessage)
    /// The end of a connection, which the server is to notice.
    case leave(Int)
    /// A request of REST, and its answer.
    case request(Socket, HTTPRequest)
    case response(Socket, Effect)
    /// The time for which the fault with this mark waits.
    case fault(Int)
  }

  var due: Instant
  /// Another one for each: of what is due at the same time, what was sent first arrives first.
  let number: Int
  /// Whose it is; `nil` for what belongs to no client.
  let client: Int?
  let content: Content

  /// The connection that it belongs to.
  var connection: Int? {
    switch content {
    case let .attempt(number), let .toServer(number, _), let .toClient(number, _),
      let .leave(number):
      number
    case .request, .response, .fault: nil
    }
  }

  var isMessage: Bool {
    switch content {
    case .toServer, .toClient: true
    case .attempt, .leave, .request, .response, .fault: false
    }
  }
}

/// What is on its way, in the order in which it arrives.
struct DeliveryQueue: Sendable {
  private var flights: [InFlightItem] = []
  /// How many of them have been taken out.
  private var taken = 0

  var first: InFlightItem? { taken < flights.count ? flights[taken] : nil }

  /// - Complexity: O(1) for what arrives last, as most things do.
  mutating func insert(_ flight: InFlightItem) {
    var index = flights.count
    while index > taken, Self.precedes(flight, flights[index - 1]) { index -= 1 }
    flights.insert(flight, at: index)
  }

  private static func precedes(_ a: InFlightItem, _ b: InFlightItem) -> Bool {
    (a.due, a.number) < (b.due, b.number)
  }

  mutating func removeFirst() -> InFlightItem? {
    guard let first else { return nil }
    taken += 1
    if taken == flights.count || taken >= 1024 {
      flights.removeFirst(taken)
      taken = 0
    }
    return first
  }

  /// Takes out what a condition picks, in order.
  mutating func remove(where condition: (InFlightItem) -> Bool) -> [InFlightItem] {
    let rest = flights[taken...]
    let picked = rest.filter(condition)
    if picked.isEmpty { return [] }
    flights = rest.filter { !condition($0) }
    taken = 0
    return picked
  }
}

// The ways between clients and the server.

extension FaultyServer {
  /// Takes what has happened at the server or at the near end of a line.
  mutating func take(_ news: ServerNotice) {
    switch news {
    case let .began(number): begin(number)
    case let .arrived(number, message):
      guard let line = lines[number], !line.isDead, !line.isGone else { return }
      send(.toServer(number, message), over: number, toServer: true)
    case let .departing(outgoing): depart(outgoing)
    case let .lost(number): takeEffect(lines[number]?.deathMark)
    case let .left(number): leave(number)
    case let .ended(number):
      release(number)
      lines[number] = nil
      _ = lose { $0.connection == number }
    case let .answered(request, response): judge(request, response)
    }
  }

  private mutating func begin(_ number: Int) {
    guard let link = server.links[number] else { return }
    let index = link.client.flatMap { clientsByName[$0] } ?? addClient(nil)
    owners[number] = index
    servedClients[index].open += 1
    servedClients[index].hasConnected = true
    lines[number] = ConnectionPipe(client: index, isStream: link.isStream)
    guard server.isDisturbed else { return }
    if !servedClients[index].network.stalls.isEmpty { server.links[number]?.isStalled = true }
    if !link.hasReceivedHello { send(.attempt(number), over: number, toServer: true) }
  }

  private mutating func depart(_ outgoing: ReferenceServer.Outgoing) {
    let number = outgoing.connection.number
    guard let line = lines[number] else { return }
    if line.isStream, !outgoing.message.isForStreams { return server.emit(outgoing) }
    if server.recordsBothEnds, !line.isStream { server.record(.departed(outgoing.message), number) }
    if line.isDead || line.isGone { return takeEffect(line.deathMark) }
    send(.toClient(number, outgoing.message), over: number, toServer: false)
  }

  private mutating func leave(_ number: Int) {
    guard let line = lines[number] else { return }
    release(number)
    lines[number]?.isGone = true
    if line.isDead { return takeEffect(line.deathMark) }
    guard server.links[number]?.hasReceivedHello == true else {
      return server.finish(number, .lost)
    }
    _ = lose { flight in
      if case .toClient(number, _) = flight.content { true } else { false }
    }
    send(.leave(number), over: number, toServer: true)
  }

  /// Puts something on its way over a connection: it arrives after what was sent before.
  private mutating func send(_ content: InFlightItem.Content, over number: Int, toServer: Bool) {
    guard let line = lines[number] else { return }
    let earliest = now + drawLatency(of: line.client)
    if toServer {
      let due = max(line.lastToServer, earliest)
      lines[number]?.lastToServer = due
      schedule(content, of: line.client, at: due)
    } else {
      let due = max(line.lastToClient, earliest)
      lines[number]?.lastToClient = due
      schedule(content, of: line.client, at: due)
    }
  }

  mutating func schedule(_ content: InFlightItem.Content, of client: Int?, at due: Instant) {
    lastFlight += 1
    agenda.insert(InFlightItem(due: due, number: lastFlight, client: client, content: content))
  }

  mutating func drawLatency(of client: Int) -> Interval {
    takeEffect(servedClients[client].network.latencyMark)
    servedClients[client].network.latencyMark = nil
    return servedClients[client].drawLatency()
  }

  /// Takes out what is on its way, or waits, and never arrives.
  mutating func lose(where condition: (InFlightItem) -> Bool) -> [InFlightItem] {
    var lost = agenda.remove(where: condition)
    for index in servedClients.indices where !servedClients[index].held.isEmpty {
      lost += servedClients[index].held.filter(condition)
      servedClients[index].held.removeAll(where: condition)
    }
    return lost
  }

  /// The client knows that a connection is not open any more.
  mutating func release(_ number: Int) {
    discount(number)
    lines[number]?.isGone = true
  }

  mutating func discount(_ number: Int) {
    guard let line = lines[number], line.isCounted else { return }
    servedClients[line.client].open -= 1
    lines[number]?.isCounted = false
  }
}

// What arrives.

extension FaultyServer {
  /// Whether something that would arrive now waits because its direction is stalled.
  func stall(of flight: InFlightItem) -> Stalls.Stall? {
    guard let client = flight.client else { return nil }
    // The server finds out about a dead connection by itself.
    if case let .leave(number) = flight.content, lines[number]?.isDead == true { return nil }
    return flight.content.need.flatMap { servedClients[client].network.stalls.stall(of: $0) }
  }

  mutating func run(_ flight: InFlightItem) {
    if let stall = stall(of: flight) { return hold(flight, stall) }
    guard !faults.armed.isEmpty, let messageDelivery = messageDelivery(of: flight) else {
      return carryOut(flight)
    }
    fireArmed(at: messageDelivery, .before)
    guard let number = flight.connection, let line = lines[number], !line.isDead else { return }
    if case .toClient = flight.content, line.isGone { return }
    if let stall = stall(of: flight) { return hold(flight, stall) }
    carryOut(flight)
    fireArmed(at: messageDelivery, .after)
  }

  private mutating func hold(_ flight: InFlightItem, _ stall: Stalls.Stall) {
    takeEffect(stall.mark)
    if let client = flight.client { servedClients[client].held.append(flight) }
  }

  /// The message that arrives next, if it is one.
  private func messageDelivery(of flight: InFlightItem) -> MessageDelivery? {
    guard let client = flight.client.map({ ClientIndex($0) }) else { return nil }
    switch flight.content {
    case let .toServer(_, message):
      return MessageDelivery(
        client: client, message: .toServer(message), cause: flight.number, answered: nil)
    case let .toClient(number, message):
      var answered: Request.Action?
      if case let .response(response) = message {
        answered = lines[number]?.asked[response.request]
      }
      return MessageDelivery(
        client: client, message: .toClient(message), cause: flight.number, answered: answered)
    case .attempt, .leave, .request, .response, .fault: return nil
    }
  }

  private mutating func carryOut(_ flight: InFlightItem) {
    switch flight.content {
    case let .attempt(number): answerAttempt(number)
    case let .toServer(number, message):
      if !faults.armed.isEmpty, case let .request(id, request) = message {
        lines[number]?.asked[id] = request.action
      }
      if server.recordsBothEnds { server.record(.arrived(message), number) }
      act { $0.deliver(message, from: number) }
    case let .toClient(number, message):
      let outgoing = ReferenceServer.Outgoing(.init(number), message)
      act { $0.emit(outgoing) }
      if case let .response(response) = message { lines[number]?.asked[response.request] = nil }
      if message.isHello || lines[number]?.isStream == true {
        let now = now
        script?.begin(at: now)
      }
    case let .leave(number): notice(number)
    case let .request(socket, request):
      answer(socket, flight.client) { $0.handle(request, from: socket) }
    case let .response(socket, effect):
      if requests.removeValue(forKey: socket) != nil { server.effects.append(effect) }
    case let .fault(mark): fireArmed(mark)
    }
  }

  private mutating func answerAttempt(_ number: Int) {
    guard let client = lines[number]?.client else { return }
    if let refusal = refusal(of: client) {
      takeEffect(refusal.mark)
      act {
        $0.abandon(number)
        $0.finish(number, .lost)
      }
      return
    }
    if server.skew != .zero { skewTakesEffect() }
    act { $0.sendHello(number) }
    if let home = servedClients[client].network.home, home.host != server.links[number]?.host {
      notify(number, .reset(host: home.host), home.mark)
    }
  }

  /// The server notices that a connection has ended.
  private mutating func notice(_ number: Int) {
    guard let line = lines[number] else { return }
    takeEffect(line.lateMark)
    if line.isDead, !line.isGone { keepStaleSocket(number) }
    if server.leavesTimestamp(number) { skewTakesEffect() }
    let ending = server.links[number]?.ending ?? .lost
    act { $0.finish(number, ending) }
  }

  /// The client keeps the sockets of a connection that the server forgets now.
  mutating func keepStaleSocket(_ number: Int) {
    guard let line = lines[number] else { return }
    for socket in server.sockets(of: number) {
      staleSockets[socket] = StaleSocket(client: line.client, mark: line.deathMark)
    }
  }

  /// The server sends something on a connection without a request.
  mutating func notify(_ number: Int, _ message: ServerMessage, _ mark: Int?) {
    takeEffect(mark)
    act { $0.transmit([.init(.init(number), message)]) }
  }

  /// Who or what refuses a client a connection now; `nil` when no server does.
  func refusal(of client: Int) -> Refusal? {
    servedClients[client].network.refusal ?? serverFaults.refusal(at: now)
  }
}

extension ServerMessage {
  fileprivate var isHello: Bool {
    if case .hello = self { true } else { false }
  }

  /// Whether a stream of events reports it.
  fileprivate var isForStreams: Bool {
    switch self {
    case .put, .merge, .revoked, .credentialRevoked: true
    case .hello, .response, .shutdown, .reset, .pong, .notice, .other: false
    }
  }
}
