internal import ClientInterface
internal import Faults
internal import ReferenceServer
internal import Trace
internal import Wire

// What happens to connections.

extension FaultyServer {
  mutating func fireAtConnection(
    _ fault: IndexedFault, _ mark: Int, _ now: Instant, _ effects: inout [Effect]
  ) {
    if fault.kind != .drop { note(fault.text, fault.client, into: &effects) }
    switch fault {
    case let .cut(client):
      networkStates[client.number].network = .cut
      networkStates[client.number].networkMark = mark
      if breakOff(client.number, now, &effects) { takeEffect(mark) }
    case let .drop(client): drop(client.number, mark, now, &effects)
    case let .heal(client): heal(client.number, mark, now, &effects)
    case let .refuse(client):
      networkStates[client.number].network = .refusing
      networkStates[client.number].networkMark = mark
    case let .latency(latency, client): setLatency(latency, client, mark)
    case let .halfOpen(client, side): halfOpen(client.number, side, mark, now, &effects)
    case let .stall(client, flow):
      networkStates[client.number].beginStall(flow, mark: mark)
      showStall(client.number, &effects)
    case let .resume(client, flow): endStalls(client.number, flow, mark, now, &effects)
    case let .lateClose(client, interval):
      closeLate(client.number, after: interval, mark, now, &effects)
    case let .redirect(client, host):
      for index in indices(of: client) { redirect(index, to: host, mark, now, &effects) }
    case let .shutdown(client, reason):
      for index in indices(of: client) {
        for number in open(of: index) where lines[number]?.isStream == false {
          notify(number, .shutdown(reason), mark, now, &effects)
        }
      }
    default: break
    }
  }

  mutating func drop(
    _ client: Int, _ mark: Int, _ now: Instant, _ effects: inout [Effect]
  ) {
    note("drop", ClientIndex(client), into: &effects)
    if breakOff(client, now, &effects) { takeEffect(mark) }
  }

  mutating func heal(
    _ client: Int, _ mark: Int?, _ now: Instant, _ effects: inout [Effect]
  ) {
    if networkStates[client].network != .up { takeEffect(mark) }
    networkStates[client].network = .up
    endStalls(client, .both, mark, now, &effects)
  }

  private mutating func setLatency(_ latency: Latency, _ client: ClientIndex?, _ mark: Int) {
    if client == nil { self.latency = latency }
    for index in indices(of: client) {
      if networkStates[index].latency != latency { networkStates[index].latencyMark = mark }
      networkStates[index].latency = latency
    }
  }

  /// The client with this index, or every client.
  private func indices(of client: ClientIndex?) -> Range<Int> {
    client.map { $0.number..<$0.number + 1 } ?? networkStates.indices
  }

  private mutating func redirect(
    _ client: Int, to host: String, _ mark: Int, _ now: Instant, _ effects: inout [Effect]
  ) {
    networkStates[client].home = (host, mark)
    for number in open(of: client) where lines[number]?.isStream == false {
      notify(number, .reset(host: host), mark, now, &effects)
    }
  }

  /// Lets what waits arrive now, in order.
  private mutating func endStalls(
    _ client: Int, _ flow: FaultDirection, _ mark: Int?, _ now: Instant, _ effects: inout [Effect]
  ) {
    guard networkStates[client].isStalled else { return }
    if !networkStates[client].held.isEmpty { takeEffect(mark) }
    networkStates[client].endStall(flow)
    let held = networkStates[client].held
    networkStates[client].held = []
    for var flight in held {
      if stall(of: flight) != nil {
        networkStates[client].held.append(flight)
      } else {
        flight.due = max(flight.due, now)
        agenda.insert(flight)
      }
    }
    showStall(client, &effects)
  }

  /// Lets keep-alives wait as messages do.
  private mutating func showStall(_ client: Int, _ effects: inout [Effect]) {
    for number in lines.keys.sorted() where lines[number]?.client == client {
      server.stall(number, networkStates[client].isStalled, into: &effects)
    }
  }

  /// The connections of a client that the server knows of and that let messages through.
  private func open(of client: Int) -> [Int] {
    lines.keys.sorted().filter { number in
      guard let line = lines[number], line.client == client, !line.isDead, !line.isGone else {
        return false
      }
      return server.links[number]?.hasReceivedHello == true
    }
  }
}

// Ends of connections, of which one side may know less than the other.

extension FaultyServer {
  /// Ends the connections of a client at both ends, now, with the requests that wait for an answer.
  /// Of those that are dead already the server does not notice.
  ///
  /// - Returns: Whether there was something to end.
  mutating func breakOff(
    _ client: Int, _ now: Instant, _ effects: inout [Effect]
  ) -> Bool {
    var isSomething = false
    for number in lines.keys.sorted() {
      guard let line = lines[number], line.client == client,
        server.links[number]?.hasReceivedHello == true
      else { continue }
      isSomething = true
      release(number)
      act(now, &effects) { server, effects in
        server.abandon(number, into: &effects)
        if !line.isDead { server.finish(number, .lost, at: now, into: &effects) }
      }
    }
    for socket in staleSockets.keys.sorted() where staleSockets[socket]?.client == client {
      isSomething = true
      staleSockets[socket] = nil
      effects.append(.close(socket, code: 1006, reason: ""))
    }
    return breakRequests(of: client, &effects) || isSomething
  }

  /// Breaks off the requests of REST; `nil` stands for everyone.
  mutating func breakRequests(of client: Int?, _ effects: inout [Effect]) -> Bool {
    let broken = requests.keys.sorted().filter { client == nil || requests[$0] == client }
    for socket in broken {
      requests[socket] = nil
      effects.append(.close(socket, code: 1006, reason: ""))
    }
    _ = lose { flight in
      switch flight.content {
      case let .request(socket, _), let .response(socket, _): broken.contains(socket)
      default: false
      }
    }
    return !broken.isEmpty
  }

  private mutating func halfOpen(
    _ client: Int, _ side: FaultSide, _ mark: Int, _ now: Instant, _ effects: inout [Effect]
  ) {
    for number in open(of: client) {
      die(number, mark)
      switch side {
      case .nobody: schedule(.leave(number), of: client, at: now + longestSilence)
      case .client:
        takeEffect(mark)
        schedule(.leave(number), of: client, at: now + longestSilence)
        loseConnection(number, now, &effects)
      case .server:
        takeEffect(mark)
        keepStaleSocket(number)
        act(now, &effects) { $0.finish(number, .lost, at: now, into: &$1) }
      }
    }
  }

  private mutating func closeLate(
    _ client: Int, after interval: Interval, _ mark: Int, _ now: Instant,
    _ effects: inout [Effect]
  ) {
    for number in open(of: client) {
      die(number, mark)
      lines[number]?.lateMark = mark
      schedule(.leave(number), of: client, at: now + max(.zero, interval))
      loseConnection(number, now, &effects)
    }
  }

  /// Lets nothing through a connection any more.
  private mutating func die(_ number: Int, _ mark: Int) {
    lines[number]?.isDead = true
    lines[number]?.deathMark = mark
    server.links[number]?.isDead = true
    let lost = lose { $0.connection == number }
    if lost.contains(where: \.isMessage) { takeEffect(mark) }
    // Its client may come again without saying who it is.
    discount(number)
  }

  /// The client sees its connection close; the server does not.
  private mutating func loseConnection(
    _ number: Int, _ now: Instant, _ effects: inout [Effect]
  ) {
    release(number)
    act(now, &effects) { $0.abandon(number, into: &$1) }
  }
}
