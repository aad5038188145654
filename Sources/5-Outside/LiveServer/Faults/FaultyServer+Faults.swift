package import ClientInterface
public import Faults
internal import ReferenceServer
package import Tree
package import Wire

// How faults are done between real clients and the server.

extension FaultyServer: FaultCarrier {
  package var clientIndices: Range<Int> { servedClients.indices }

  package var clock: Instant { now }

  package var serverSkew: Interval {
    get { server.skew }
    set { server.skew = newValue }
  }

  package func network(of client: Int) -> ClientNetwork { servedClients[client].network }

  package mutating func changeNetwork(of client: Int, _ change: (inout ClientNetwork) -> Void) {
    change(&servedClients[client].network)
  }

  package mutating func setLatencyOfNewClients(_ latency: Latency) { self.latency = latency }

  package func canHappen(_ fault: IndexedFault) -> Bool {
    Self.unsupportedReason(to: fault) == nil
      && fault.client.map { servedClients.indices.contains($0.number) } ?? true
  }

  package mutating func setCause(_ event: Int) {}

  package func parts(of fault: IndexedFault) -> [IndexedFault] { [fault] }

  package mutating func announce(_ fault: IndexedFault) { record(fault) }

  package func announceArming(of fault: IndexedFault) {}

  package mutating func schedule(_ mark: Int, after interval: Interval) -> Interval? {
    schedule(.fault(mark), of: nil, at: now + interval)
    return nil
  }

  package mutating func didStall(_ client: Int) { showStall(client) }

  package mutating func endStalls(of client: Int, _ direction: FaultDirection, mark: Int?) {
    guard !servedClients[client].network.stalls.isEmpty else { return }
    if !servedClients[client].held.isEmpty { takeEffect(mark) }
    servedClients[client].network.stalls.end(direction)
    let held = servedClients[client].held
    servedClients[client].held = []
    for var flight in held {
      if stall(of: flight) != nil {
        servedClients[client].held.append(flight)
      } else {
        flight.due = max(flight.due, now)
        agenda.insert(flight)
      }
    }
    showStall(client)
  }

  /// Lets keep-alives wait as messages do.
  private mutating func showStall(_ client: Int) {
    for number in lines.keys.sorted() where lines[number]?.client == client {
      server.stall(number, !servedClients[client].network.stalls.isEmpty)
    }
  }

  /// The connections that the server knows of and that let messages through.
  package func openConnections(of client: Int) -> [Int] {
    lines.keys.sorted().filter { number in
      guard let line = lines[number], line.client == client, !line.isDead, !line.isGone else {
        return false
      }
      return server.links[number]?.hasReceivedHello == true
    }
  }

  package mutating func notify(_ client: Int, _ message: ServerMessage, mark: Int?) {
    for number in openConnections(of: client) where lines[number]?.isStream == false {
      notify(number, message, mark)
    }
  }

  /// The machine of a client is its own.
  package func disturbMachine(_ fault: IndexedFault, mark: Int?) {
    preconditionFailure("\(fault.kind.name) was let happen to a live client")
  }
}

// Ends of connections, of which one side may know less than the other.

extension FaultyServer {
  /// Ends the connections of a client at both ends, now, with the requests that wait for an answer.
  /// Of those that are dead already the server does not notice.
  ///
  /// - Returns: Whether there was something to end.
  package mutating func breakOff(_ client: Int) -> Bool {
    var isSomething = false
    for number in lines.keys.sorted() {
      guard let line = lines[number], line.client == client,
        server.links[number]?.hasReceivedHello == true
      else { continue }
      isSomething = true
      release(number)
      act {
        $0.abandon(number)
        if !line.isDead { $0.finish(number, .lost) }
      }
    }
    for socket in staleSockets.keys.sorted() where staleSockets[socket]?.client == client {
      isSomething = true
      staleSockets[socket] = nil
      server.effects.append(.close(socket, code: 1006, reason: ""))
    }
    return breakRequests(of: client) || isSomething
  }

  /// Breaks off the requests of REST; `nil` stands for everyone.
  mutating func breakRequests(of client: Int?) -> Bool {
    let broken = requests.keys.sorted().filter { client == nil || requests[$0] == client }
    for socket in broken {
      requests[socket] = nil
      server.abandonRelayed(socket)
      server.effects.append(.close(socket, code: 1006, reason: ""))
    }
    _ = lose { flight in
      switch flight.content {
      case let .request(socket, _), let .response(socket, _): broken.contains(socket)
      case .attempt, .toServer, .toClient, .leave, .fault: false
      }
    }
    return !broken.isEmpty
  }

  package mutating func die(_ connection: Int, mark: Int?) -> Bool {
    lines[connection]?.isDead = true
    lines[connection]?.deathMark = mark
    server.links[connection]?.isDead = true
    let lost = lose { $0.connection == connection }
    // Its client may come again without saying who it is.
    discount(connection)
    return lost.contains(where: \.isMessage)
  }

  package mutating func endLater(_ connection: Int, after interval: Interval, lateMark: Int?) {
    lines[connection]?.lateMark = lateMark
    guard let client = lines[connection]?.client else { return }
    schedule(.leave(connection), of: client, at: now + interval)
  }

  package mutating func closeClientSide(of connection: Int) {
    release(connection)
    act { $0.abandon(connection) }
  }

  package mutating func closeServerSide(of connection: Int) {
    keepStaleSocket(connection)
    act { $0.finish(connection, .lost) }
  }

  /// Nothing is to be done: the sockets of its client stay open.
  package func leaveUnnoticed(_ connection: Int) {}
}

// Of the server there is one for each namespace: what affects it affects all of them.

extension FaultyServer {
  package mutating func enforce(_ rule: SecurityRule) {
    server.settings.security.append(rule)
    _ = everywhere { server, _ in server.deny(rule) }
  }

  package mutating func endListens(at path: Path) -> Bool {
    if server.settings.isRelay {
      server.relay(.denied(.revocation(of: path)), 0)
      return true
    }
    return everywhere { $0.revoke(path, into: &$1) }
  }

  package mutating func withdrawCredential(of client: Int) -> Bool {
    let own = lines.keys.sorted().filter { lines[$0]?.client == client }
    return everywhere { server, out in
      for number in own { server.revokeCredential(of: .init(number), into: &out) }
    }
  }

  package mutating func refuseAsStale(next count: Int, _ data: StaleData) {
    server.staleness = count > 0 ? (count, data) : nil
    _ = everywhere { server, _ in server.refuseAsStale(next: count, data) }
  }

  package mutating func change(_ write: ServerWrite) {
    if server.settings.isRelay { return server.relay(.change(write), 0) }
    let time = server.time
    _ = everywhere { $0.write(ReferenceServer.Write(write), at: time, into: &$1) }
  }

  /// Lets every namespace do something.
  ///
  /// - Returns: Whether a client is notified.
  private mutating func everywhere(
    _ body: (inout ReferenceServer, inout [ReferenceServer.Outgoing]) -> Void
  ) -> Bool {
    var isReceived = false
    act { isReceived = $0.everywhere(body) }
    return isReceived
  }

  package func addHost(_ host: String) {}

  package mutating func restart(_ fate: OnDisconnectFate) -> Bool {
    var wasConnected = !lines.isEmpty
    if breakRequests(of: nil) { wasConnected = true }
    for number in lines.keys.sorted() {
      guard let line = lines[number] else { continue }
      // One whose connection is half-open does not learn of it.
      if line.isDead, !line.isGone {
        keepStaleSocket(number)
      } else {
        server.abandon(number)
      }
    }
    act { $0.restart(fate) }
    return wasConnected
  }

  /// Sets the marks of faults because of which a request was answered as it was.
  mutating func judge(_ request: Request, _ response: ServerMessage.Response) {
    if serverFaults.skewMark != nil, request.holdsTimestamp { skewTakesEffect() }
    takeEffect(serverFaults.takeRefusal(of: request, by: response))
  }

  mutating func skewTakesEffect() { takeEffect(serverFaults.takeSkewMark()) }
}

extension FaultyServer {
  /// Why a fault cannot happen between real clients and a server, in one sentence; `nil` for those
  /// that can.
  ///
  /// Those are the faults of what a client has for itself: its process, its clock, its storage.
  public static func unsupportedReason(to fault: IndexedFault) -> String? {
    let name = fault.kind.name
    return switch fault.kind.live {
    case .ownProcess:
      "a live client's process belongs to its user, so \(name) is not possible"
    case .ownClock:
      "a live client reads the clock of its own machine, so \(name) is not possible"
    case .ownStorage: "a live client stores on a disk of its own, so \(name) is not possible"
    case .possible: nil
    }
  }
}
