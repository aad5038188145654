package import ClientInterface
internal import Faults
internal import ReferenceServer
package import Trace
internal import Tree
internal import Wire

// A run in which every order of deliveries is possible that keeps what one link carries in order.
// Latencies then say how soon something can arrive, not when. Timers fire when nothing is under
// way.

extension Simulator {
  /// Begins to leave the order of deliveries to the caller. From now on time does not pass by
  /// itself: only `perform`, `settleFurther` and `advanceFurther` let anything happen.
  package mutating func openOrder() {
    var pending: [ScheduledEvent] = []
    while let next = queue.removeFirst() { if isStillValid(next) { pending.append(next) } }
    pending.sort { $0.cause < $1.cause }
    order = OpenOrder(pending, clients: participants.count, at: now)
  }

  /// Which of several moves is made, by the tape.
  ///
  /// - Parameters:
  ///   - ordinal: How many points with several moves there were before.
  ///   - entity: What of the run is open, as a number.
  ///   - count: How many moves there are.
  /// - Returns: The position of the move.
  package mutating func chooseMove(_ ordinal: Int, entity: Int, of count: Int) -> Int {
    tape.choose(.order, entity: entity, ordinal: ordinal, arity: count)
  }

  /// Whether no client is an object that copies of the run would share.
  package var clientsAreValues: Bool {
    participants.allSatisfy { !(type(of: $0.client) is any AnyObject.Type) }
  }

  /// What can happen next, without timers.
  ///
  /// - Parameter end: When given, only what can happen until then.
  /// - Returns: In front what would happen first by time.
  package func deliveries(until end: Interval? = nil) -> [Delivery] {
    guard let order, runaway == nil else { return [] }
    var taken: Set<Int32> = []
    var found: [(time: Interval, delivery: Delivery)] = []
    for scheduled in order.pending where !scheduled.kind.waitsForTime && isStillValid(scheduled) {
      if isStalled(scheduled) { continue }
      guard taken.insert(scheduled.lane).inserted else { continue }
      let delivery = Delivery(scheduled: scheduled, reach: reach(of: scheduled))
      let time = order.time(of: delivery.reach, due: scheduled.due)
      if time <= end ?? time { found.append((time, delivery)) }
    }
    return found.sorted { a, b in
      (a.time, a.delivery.scheduled.due, a.delivery.scheduled.cause)
        < (b.time, b.delivery.scheduled.due, b.delivery.scheduled.cause)
    }.map(\.delivery)
  }

  /// Lets one of `deliveries` happen.
  package mutating func perform(_ delivery: Delivery) {
    guard let index = order?.pending.firstIndex(of: delivery.scheduled) else { return }
    order?.pending.remove(at: index)
    guard canGoOn(with: delivery.scheduled) else { return }
    enter(delivery.reach, due: delivery.scheduled.due)
    run(delivery.scheduled)
  }

  /// What the last thing that happened has touched, of which this was known before.
  package func touched(_ reach: Footprint) -> Footprint {
    var touched = reach
    touched.recipients = recipients
    return touched
  }

  /// Records that what can reach a client changes. With more than 64 clients some share a bit, which
  /// only adds conflicts.
  mutating func touchLink(to client: Int) { recipients |= 1 << UInt64(client % 64) }

  /// Makes it as late as it is where the next thing happens, or when that is due, if that is later.
  package mutating func enter(_ reach: Footprint, due: Interval = .zero) {
    recipients = 0
    guard let time = order?.time(of: reach, due: due) else { return }
    now = time
    order?.move(reach, to: time)
  }

  /// What the delivery is, as an event of the trace contains it; `nil` when it is none any more.
  package func event(of delivery: Delivery) -> TraceEvent? {
    let client = ClientIndex(Int(delivery.scheduled.client))
    let kind: TraceEvent.Kind
    switch delivery.scheduled.kind {
    case let .toServer(number):
      guard let position = connections.index(of: Int(number)),
        let message = connections[position].toServer.first
      else { return nil }
      kind = .serverReceived(client, message)
    case let .toClient(number):
      guard let position = connections.index(of: Int(number)),
        let message = connections[position].toClient.first
      else { return nil }
      kind = .input(client, .frame(message))
    case .attempt:
      kind = .input(client, refusal(of: client.number) == nil ? .opened : .refused)
    case let .leave(number): kind = .serverClosed(client, session: "session\(number)")
    case .timer, .fault: return nil
    }
    return TraceEvent(sequence: trace.count, cause: nil, time: now, step: step, kind: kind)
  }
}

extension Simulator {
  /// Goes on where `deliveries` is empty: fires the next timer, if the run has not settled.
  ///
  /// - Returns: How the run settled, or `nil` when it goes on.
  package mutating func settleFurther(quiet: Interval, until end: Interval) -> SettleResult? {
    meet()
    stallsTakeEffect()
    if let runaway { return .unsettled(runaway) }
    if isSettled(quiet: quiet) {
      order?.count = 0
      for index in participants.indices { participants[index].process.rememberStorage() }
      return .settled
    }
    if fireTimer(until: end) { return nil }
    return .unsettled(runaway ?? unsettledReason(quiet: quiet))
  }

  /// Goes on where `deliveries` is empty: fires the next timer that is due until `end`, or moves
  /// time there.
  ///
  /// - Returns: `false` when time has come to `end`.
  package mutating func advanceFurther(to end: Interval) -> Bool {
    meet()
    if fireTimer(until: end) { return true }
    if runaway == nil { move(to: end) }
    stallsTakeEffect(until: now)
    order?.join(at: now)
    return false
  }

  /// Makes it equally late everywhere, as it is before something that concerns everyone.
  package mutating func meet() {
    guard let latest = order?.latest else { return }
    move(to: latest)
    now = latest
    order?.join(at: latest)
  }

  /// Counts something that is about to happen; ends a run in which too much does.
  private mutating func canGoOn(with next: ScheduledEvent) -> Bool {
    order?.count += 1
    guard let count = order?.count, count > OpenOrder.countLimit else { return true }
    runaway = .init([.noRest(count: OpenOrder.countLimit, next: outlook(next))])
    return false
  }

  private mutating func fireTimer(until end: Interval) -> Bool {
    guard runaway == nil, let order else { return false }
    let timers = order.pending.filter { $0.kind.waitsForTime && isStillValid($0) }
    // Not by cause: its number depends on the order of things that do not concern the timer.
    let first = timers.min { ($0.due, $0.client, $0.cause) < ($1.due, $1.client, $1.cause) }
    guard let first, max(first.due, now) <= end else { return false }
    guard canGoOn(with: first) else { return false }
    self.order?.pending.removeAll { $0 == first }
    move(to: first.due)
    self.order?.join(at: now)
    run(first)
    return true
  }

  private func reach(of scheduled: ScheduledEvent) -> Footprint {
    let client = Int(scheduled.client)
    // An armed fault can do anything to anybody.
    if !faults.armed.isEmpty { return .anything }
    switch scheduled.kind {
    case .fault: return .anything
    case .timer, .toClient: return Footprint(client: client, touchesClient: true, server: .nothing)
    case .attempt: return Footprint(client: client, touchesClient: true, server: .everything)
    case .leave: return Footprint(client: client, touchesClient: false, server: .everything)
    case let .toServer(number):
      guard let position = connections.index(of: Int(number)),
        case let .request(_, request)? = connections[position].toServer.first
      else { return Footprint(client: client, touchesClient: false, server: .ownSide) }
      return Footprint(
        client: client, touchesClient: false,
        server: answersByPath ? request.access : .everything)
    }
  }

  /// Whether the answer to a request depends on what is stored at the locations that it names, and
  /// on nothing else that other clients can change.
  private var answersByPath: Bool {
    server.defect == nil && server.rules == nil && server.staleRefusalsLeft == 0
      && !serverFaults.waits
  }
}

extension Request {
  /// What the server reads or changes for it, beside what it sends.
  fileprivate var access: Footprint.Server {
    switch self {
    case let .listen(listen): .reads(listen.path)
    case let .unlisten(path, _, _), let .get(path, _): .reads(path)
    case let .put(path, node, _): Self.writing([(path, node)])
    case let .merge(path, assignments, _):
      Self.writing(assignments.map { (path.appending($0.path), $0.node) })
    case .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel, .stats: .ownSide
    case .authenticate, .unauthenticate: .everything
    }
  }

  /// A removal can take the locations above with it, and their priorities; a priority holds only
  /// where something is (PRI-8).
  private static func writing(_ writes: [(path: Path, node: Node)]) -> Footprint.Server {
    let isLocal = writes.allSatisfy { !$0.node.isEmpty && $0.path.key != .priority }
    return isLocal ? .writes(writes.map(\.path)) : .everything
  }
}

extension ScheduledEvent.Kind {
  /// Whether only time lets it happen, and not the caller who orders deliveries.
  fileprivate var waitsForTime: Bool {
    switch self {
    case .timer, .fault: true
    case .toServer, .toClient, .attempt, .leave: false
    }
  }
}

extension ScheduledEvent {
  /// What carries it: things in one lane happen in the order in which they came into it.
  fileprivate var lane: Int32 {
    switch kind {
    case let .toServer(number), let .leave(number): 3 * number
    case let .toClient(number): 3 * number + 1
    case .attempt, .timer, .fault: 3 * client + 2
    }
  }
}
