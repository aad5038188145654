package import ClientInterface
public import Faults
internal import ReferenceServer
internal import Trace
package import Tree
package import Wire

/// Where a fault comes from, by events of the trace.
struct FaultCause {
  /// The event that set it off; `nil` for a step.
  var origin: Int?
  /// The event that reports it, which causes what it does.
  var event: Int?
}

extension Simulator: FaultCarrier {
  /// What became of each fault, in the order in which they were injected or armed.
  public var faultMarks: [FaultMark] { faults.marks }

  package var clientIndices: Range<Int> { participants.indices }

  package func network(of client: Int) -> ClientNetwork { participants[client].network }

  package mutating func changeNetwork(of client: Int, _ change: (inout ClientNetwork) -> Void) {
    change(&participants[client].network)
    hasStalled = hasStalled || !participants[client].network.stalls.isEmpty
  }

  package mutating func setLatencyOfNewClients(_ latency: Latency) {}

  package func canHappen(_ fault: IndexedFault) -> Bool { true }

  package mutating func setCause(_ event: Int) { faultCause.origin = event }

  /// Lets a fault happen now.
  public mutating func inject(_ fault: IndexedFault) {
    faultCause = FaultCause()
    injectNow(fault)
  }

  package func parts(of fault: IndexedFault) -> [IndexedFault] {
    fault.forEveryone(in: participants.indices)
  }

  package mutating func announce(_ fault: IndexedFault) {
    let kind = fault.kind
    // The trace has an event of their own.
    if kind == .kill || kind == .start || kind == .write { return }
    var incident = Incident.fault(fault)
    if case let .revokeAuth(client) = fault {
      incident = .credentialRevoked(client, name: names[client.number])
    }
    faultCause.event = record(.fault(incident), cause: faultCause.origin)
  }

  package mutating func disturbMachine(_ fault: IndexedFault, mark: Int?) {
    guard let index = fault.client?.number else { return }
    switch fault {
    case .kill: kill(index, mark, cause: faultCause.origin)
    case let .start(_, condition): start(index, condition, mark, cause: faultCause.origin)
    case let .skew(_, interval):
      moveClock(of: index, mark, isRight: interval == .zero) { $0.setDeviation(interval, at: $1) }
    case let .drift(_, drift):
      moveClock(of: index, mark, isRight: drift == .none) { $0.setDrift(drift, at: $1) }
    case let .jump(_, interval):
      moveClock(of: index, mark, isRight: false) { $0.jump(by: interval, at: $1) }
    case let .writeError(_, count): participants[index].process.disk.fail(count, mark: mark)
    case let .storageFull(_, bytes): participants[index].process.disk.fill(at: bytes, mark: mark)
    case .tornRecord: participants[index].process.disk.tearLast(mark: mark)
    case .storageWorks: faults.takeEffect(mark, if: participants[index].process.disk.work())
    // The others are of the network or the server.
    default: break
    }
  }
}

extension Simulator {
  /// Lets a fault happen once, when the trigger matches. Nothing happens when it never does.
  ///
  /// Several that match at the same message happen in the order in which they were armed.
  public mutating func arm(_ fault: IndexedFault, when trigger: Trigger) {
    faultCause = FaultCause()
    armNow(fault, trigger)
  }

  /// Takes back every fault that waits for its trigger: the time of faults is over.
  public mutating func disarm() { faults.withdrawAll() }

  package mutating func announceArming(of fault: IndexedFault) {
    faultCause.event = record(.fault(.armed(fault)), cause: nil)
  }

  package mutating func schedule(_ mark: Int, after interval: Interval) -> Interval? {
    guard let event = faultCause.event else { return nil }
    let due = now + interval
    schedule(ScheduledEvent(due: due, cause: event, client: -1, kind: .fault(Int32(mark))))
    return due
  }

  /// The time for which a fault waited has come.
  mutating func fireArmed(mark: Int, cause: Int) {
    faultCause = FaultCause(origin: cause)
    fireArmed(mark)
  }

  /// Delivers something while faults wait for what is delivered.
  mutating func carryOutObserved(_ next: ScheduledEvent) {
    guard let messageDelivery = messageDelivery(of: next) else { return carryOut(next) }
    faultCause = FaultCause()
    fireArmed(at: messageDelivery, .before)
    guard isStillValid(next), self.messageDelivery(of: next) != nil else { return }
    if isStalled(next) { return hold(next) }
    carryOut(next)
    fireArmed(at: messageDelivery, .after)
  }

  /// The message that is delivered next, if it is one.
  private func messageDelivery(of next: ScheduledEvent) -> MessageDelivery? {
    let client = ClientIndex(Int(next.client))
    switch next.kind {
    case let .toServer(number):
      guard let position = connections.index(of: Int(number)),
        let message = connections[position].toServer.first
      else { return nil }
      return MessageDelivery(
        client: client, message: .toServer(message), cause: next.cause, answered: nil)
    case let .toClient(number):
      guard let position = connections.index(of: Int(number)),
        let message = connections[position].toClient.first
      else { return nil }
      var answered: Request.Action?
      if case let .response(response) = message {
        answered = connections[position].asked[response.request]
      }
      return MessageDelivery(
        client: client, message: .toClient(message), cause: next.cause, answered: answered)
    case .attempt, .leave, .timer, .fault: return nil
    }
  }
}

// What faults do to connections.

extension Simulator {
  package func openConnections(of client: Int) -> [Int] {
    guard !participants[client].isHalfOpen, let number = participants[client].connectionNumber,
      connections.index(of: number) != nil
    else { return [] }
    return [number]
  }

  package mutating func breakOff(_ client: Int) -> Bool {
    guard let event = faultCause.event else { return false }
    let wasConnected = participants[client].connectionNumber != nil
    if wasConnected { participants[client].connection = .none }
    participants[client].isHalfOpen = false
    let hadConnections = !connections.numbers(of: client).isEmpty
    breakConnections(of: client, cause: event)
    if wasConnected { give(.closed, to: client, cause: event) }
    return wasConnected || hadConnections
  }

  /// Ends all connections of a client at the server, now, with the loss of what is in flight. Of
  /// those that are dead the server does not notice.
  mutating func breakConnections(of index: Int, cause: Int) {
    for number in connections.numbers(of: index) {
      guard let position = connections.index(of: number) else { continue }
      if connections[position].isDead {
        connections[position].clientSide = .closed
        continue
      }
      endFlights(at: position)
      closeServerSide(at: position, cause: cause)
    }
  }

  /// Loses everything that is under way in a connection, with its end.
  private mutating func endFlights(at position: Int) {
    let client = connections[position].client
    if connections[position].isEnding { inFlight -= 1 }
    lose(connections[position].toServer.removeAll(), from: client)
    lose(connections[position].toClient.removeAll(), to: client)
  }

  package mutating func die(_ connection: Int, mark: Int?) -> Bool {
    guard let position = connections.index(of: connection) else { return false }
    let client = connections[position].client
    participants[client].halfOpenMark = mark
    connections[position].deathMark = mark
    let toServer = connections[position].toServer.removeAll()
    let toClient = connections[position].toClient.removeAll()
    lose(toServer, from: client)
    lose(toClient, to: client)
    connections[position].isDead = true
    return toServer.count + toClient.count > 0
  }

  package mutating func endLater(_ connection: Int, after interval: Interval, lateMark: Int?) {
    guard let position = connections.index(of: connection), let event = faultCause.event else {
      return
    }
    connections[position].lateMark = lateMark
    connections[position].isEnding = true
    inFlight += 1
    let client = Int32(connections[position].client)
    schedule(
      ScheduledEvent(
        due: now + interval, cause: event, client: client, kind: .leave(Int32(connection))))
  }

  package mutating func closeClientSide(of connection: Int) {
    guard let position = connections.index(of: connection) else { return }
    let client = connections[position].client
    connections[position].clientSide = .closed
    participants[client].connection = .none
    give(.closed, to: client, cause: faultCause.event)
  }

  package mutating func closeServerSide(of connection: Int) {
    guard let position = connections.index(of: connection), let event = faultCause.event else {
      return
    }
    closeServerSide(at: position, cause: event)
  }

  package mutating func leaveUnnoticed(_ connection: Int) {
    guard let position = connections.index(of: connection) else { return }
    participants[connections[position].client].isHalfOpen = true
  }
}

// What the server does to connections.

extension Simulator {
  package mutating func addHost(_ host: String) { hosts.append(host) }

  /// Sends a client away that has come to a host where it is not at home.
  mutating func sendHome(_ index: Int, from host: String, cause: Int) {
    guard let home = participants[index].network.home, home.host != host else { return }
    faultCause = FaultCause(event: cause)
    notify(index, .reset(host: home.host), mark: home.mark)
  }

  package mutating func notify(_ client: Int, _ message: ServerMessage, mark: Int?) {
    guard let number = participants[client].connectionNumber,
      connections.index(of: number) != nil, let event = faultCause.event
    else { return }
    takeEffect(mark)
    outgoing.append(.init(ReferenceServer.ConnectionID(number), message))
    transmit(cause: event)
  }

  /// Who or what refuses a client a connection now; `nil` when no server does.
  func refusal(of index: Int) -> Refusal? {
    if let refusal = participants[index].network.refusal { return refusal }
    if let refusal = serverFaults.refusal(at: clock) { return refusal }
    let dialled = participants[index].dialled
    if dialled != host, !hosts.contains(dialled) { return Refusal(mark: nil) }
    return nil
  }

  package mutating func restart(_ fate: OnDisconnectFate) -> Bool {
    let wasConnected = !connections.indices.isEmpty
    while let position = connections.indices.first {
      endFlights(at: position)
      let connection = connections.remove(at: position)
      let client = ClientIndex(connection.client)
      record(.serverClosed(client, session: connection.id.session), cause: faultCause.event)
    }
    server.restart(fate, at: serverClock, into: &outgoing)
    outgoing.removeAll(keepingCapacity: true)
    for index in participants.indices where participants[index].connectionNumber != nil {
      // One whose connection is half-open does not learn of it.
      if participants[index].isHalfOpen { continue }
      participants[index].connection = .none
      give(.closed, to: index, cause: faultCause.event)
    }
    return wasConnected
  }
}

extension ScheduledEvent.Kind {
  /// Which ways it needs to arrive; `nil` for what is not on its way.
  fileprivate var need: Stalls.Need? {
    switch self {
    case .toServer, .leave: .toServer
    case .toClient: .toClient
    case .attempt: .bothWays
    case .timer, .fault: nil
    }
  }
}

extension Simulator {
  /// Whether something would arrive now, but waits because its direction is stalled.
  func isStalled(_ scheduled: ScheduledEvent) -> Bool {
    stall(of: scheduled) != nil
  }

  private func stall(of scheduled: ScheduledEvent) -> Stalls.Stall? {
    let index = Int(scheduled.client)
    guard participants.indices.contains(index), !participants[index].network.stalls.isEmpty else {
      return nil
    }
    // The server finds out about a dead connection by itself.
    if case let .leave(number) = scheduled.kind, connections.isDead(Int(number)) { return nil }
    guard let need = scheduled.kind.need else { return nil }
    return participants[index].network.stalls.stall(of: need)
  }

  /// Keeps back what would arrive now.
  mutating func hold(_ scheduled: ScheduledEvent) {
    takeEffect(stall(of: scheduled)?.mark)
    if order != nil { return schedule(scheduled) }
    participants[Int(scheduled.client)].waiting.append(scheduled)
  }

  /// Whether any direction of anybody's network is stalled. By index: a participant is too large to
  /// be copied for a question that is asked after every step.
  private var hasStalls: Bool {
    if !hasStalled { return false }
    for index in participants.indices where !participants[index].network.stalls.isEmpty {
      return true
    }
    return false
  }

  /// How much of what is in flight waits because of a stall.
  var stalledCount: Int {
    guard hasStalls else { return 0 }
    let held = order?.pending ?? participants.flatMap(\.waiting)
    return held.count { isStalled($0) && isStillValid($0) }
  }

  package mutating func didStall(_ client: Int) { stallsTakeEffect(until: now) }

  package mutating func endStalls(of client: Int, _ direction: FaultDirection, mark: Int?) {
    if participants[client].network.stalls.isEmpty { return }
    if stalledCount > 0 { takeEffect(mark) }
    participants[client].network.stalls.end(direction)
    let held = participants[client].waiting
    participants[client].waiting = []
    for scheduled in held where isStillValid(scheduled) {
      if isStalled(scheduled) {
        participants[client].waiting.append(scheduled)
      } else {
        var next = scheduled
        next.due = max(next.due, now)
        schedule(next)
      }
    }
  }

  /// Sets the marks of stalls that keep something back while the order of deliveries is open.
  ///
  /// - Parameter end: When given, only what would have arrived by then.
  mutating func stallsTakeEffect(until end: Interval? = nil) {
    guard let order, hasStalls else { return }
    for scheduled in order.pending
    where scheduled.due <= end ?? scheduled.due && isStillValid(scheduled) {
      takeEffect(stall(of: scheduled)?.mark)
    }
  }
}

extension Simulator {
  /// The time as the server sees it.
  var serverClock: Instant { clock + serverSkew }

  package mutating func enforce(_ rule: SecurityRule) { server.deny(rule) }

  package mutating func endListens(at path: Path) -> Bool {
    server.revoke(path, into: &outgoing)
    return transmit()
  }

  package mutating func withdrawCredential(of client: Int) -> Bool {
    if let number = participants[client].connectionNumber {
      server.revokeCredential(of: ReferenceServer.ConnectionID(number), into: &outgoing)
    }
    return transmit()
  }

  package mutating func refuseAsStale(next count: Int, _ data: StaleData) {
    server.refuseAsStale(next: count, data)
  }

  package mutating func change(_ write: ServerWrite) {
    let write = ReferenceServer.Write(write)
    let kind: TraceEvent.Kind =
      switch write {
      case let .put(path, node): .serverWrite(path, node)
      case let .merge(path, assignments): .serverUpdate(path, assignments)
      }
    faultCause.event = record(kind, cause: faultCause.origin)
    server.write(write, at: serverClock, into: &outgoing)
    _ = transmit()
  }

  /// - Returns: Whether a client is notified.
  private mutating func transmit() -> Bool {
    guard !outgoing.isEmpty, let event = faultCause.event else { return false }
    transmit(cause: event)
    return true
  }

  /// Sets the marks of faults that changed what the server just did with a message.
  mutating func serverFaultsTakeEffect(_ message: ClientMessage, staleBefore: Int) {
    if server.staleRefusalsLeft < staleBefore { takeEffect(serverFaults.staleMark) }
    guard case let .request(number, request) = message else { return }
    if serverFaults.skewMark != nil, request.holdsTimestamp {
      takeEffect(serverFaults.takeSkewMark())
    }
    for outgoing in outgoing {
      guard case let .response(response) = outgoing.message, response.request == number else {
        continue
      }
      takeEffect(serverFaults.takeRefusal(of: request, by: response))
    }
  }
}
