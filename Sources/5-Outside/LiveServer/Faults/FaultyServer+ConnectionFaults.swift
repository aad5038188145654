package import ClientInterface
package import Faults
internal import Trace
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

  package mutating func changeNetwork(
    of client: Int, _ change: (inout ClientNetwork) -> Void
  ) {
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
