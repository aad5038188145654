public import ClientInterface
package import Faults
public import ReferenceServer
public import Trace
public import Tree
internal import Wire

/// A run: clients, network and server in virtual time.
///
/// Everything that happens, happens in here and in a stated order: there are no threads, no clock
/// but `now`, no randomness but the tape. The same configuration and the same calls give the same
/// trace, in every process.
///
/// A simulator is a value. A copy goes its own way from where it was taken, with everything that is
/// in flight, which is how orders are explored; this needs clients that are values too.
public struct Simulator {
  /// Time since the start of the run.
  public internal(set) var now = Interval.zero
  /// What has happened so far, as far as the configuration's `retention` keeps it.
  public internal(set) var trace: Trace
  /// The choices, with those that were made so far.
  public internal(set) var tape: ChoiceTape
  /// The names of the clients, in order of their index.
  public internal(set) var names: [String]
  /// Why the run cannot go on: more and more happens without time moving. `nil` normally.
  public internal(set) var runaway: UnsettledReason?
  /// How many things were taken out of the queue: messages that arrived, timers that fired, answers
  /// to attempts to connect, and ends of connections that the server noticed. The unit in which the
  /// cost of runs is stated.
  public internal(set) var queueSteps = 0

  /// What clients whose clocks were wrong were given as the time, by the event of the input.
  public internal(set) var wrongTimes: [Int: Instant] = [:]

  var participants: [Participant]
  var server: ReferenceServer
  var connections = SimulatedConnections()
  var queue = EventQueue()
  package var faults = FaultRegister()
  package var serverFaults = ServerFaults()
  package var serverSkew = Interval.zero
  /// Where the fault comes from that happens now.
  var faultCause = FaultCause()
  /// Where the server serves clients besides its own host.
  var hosts: [String] = []
  /// What is under way when the order of deliveries is open; `nil` when time orders them.
  var order: OpenOrder?
  /// The clients that were sent something or closed their connection since what happens now began,
  /// a bit for each.
  var recipients: UInt64 = 0
  /// Whether the network of any client was ever stalled.
  var hasStalled = false
  /// How many messages, requests for a connection and endings of one are under way.
  var inFlight = 0
  var step = -1
  /// How many events happened since time moved last.
  var eventsAtThisInstant = 0
  /// Buffers that are kept for their capacity.
  var outputs: [ClientOutput] = []
  var outgoing: [ReferenceServer.Outgoing] = []

  let form: WireForm?
  let host: String
  let epoch: Instant
  let eventLimit: Int

  /// A run at time zero, before its first step; the seed of its tape is that of the configuration.
  public init(_ configuration: Configuration) {
    trace = Trace(retention: configuration.retention)
    tape = configuration.tape
    tape.seed = configuration.seed
    names = configuration.clients.map(\.name)
    participants = configuration.clients.map {
      Participant($0, latency: configuration.latency)
    }
    server = ReferenceServer(
      data: configuration.data, security: configuration.security, tokens: configuration.tokens,
      dialect: configuration.profile.dialect, host: configuration.host,
      ranges: configuration.profile.ranges)
    server.rules = configuration.databaseRules
    form = configuration.form
    server.offersForms = form.map { $0 != .asWritten } ?? tape.isOpen(.form)
    host = configuration.host
    epoch = configuration.epoch
    eventLimit = configuration.eventLimit
  }

  /// What the server does wrong from now on; `nil` for nothing.
  public var serverDefect: ServerDefect? {
    get { server.defect }
    set { server.defect = newValue }
  }

  /// The rules of the database, for requests from now on; `nil` for none.
  package var databaseRules: SecurityRules? {
    get { server.rules }
    set { server.rules = newValue }
  }

  /// The tokens with which clients can sign in.
  package var tokens: [String: TokenClaims] {
    get { server.tokens }
    set { server.tokens = newValue }
  }

  /// Everything that the server stores.
  public var serverTree: Node { server.tree }

  /// Whether the client has a connection that works and over which it got the server's hello.
  public func isConnected(_ client: ClientIndex) -> Bool {
    guard case .helloReceived = participants[client.number].connection else { return false }
    return !participants[client.number].isHalfOpen
      && participants[client.number].network.stalls.isEmpty
  }

  /// The time of day.
  package var clock: Instant { epoch + now }

  /// Has something happen later.
  mutating func schedule(_ scheduled: ScheduledEvent) {
    if order == nil { queue.insert(scheduled) } else { order?.pending.append(scheduled) }
  }

  /// Adds an event to the trace.
  @discardableResult
  mutating func record(_ kind: consuming TraceEvent.Kind, cause: Int?) -> Int {
    trace.append(kind, cause: cause, time: now, step: step)
  }
}

// What the steps of a scenario do. Their consequences at the same instant have happened when the
// call returns; everything else takes until time moves.

extension Simulator {
  /// Starts every client, in order of their index. No connection is up yet.
  public mutating func open() {
    for index in participants.indices { open(index) }
  }

  /// Adds a client to a run that has begun, and starts it.
  ///
  /// - Returns: Its index.
  package mutating func join(_ setup: ClientSetup) -> ClientIndex {
    names.append(setup.name)
    participants.append(Participant(setup, latency: .standard))
    open(participants.count - 1)
    return ClientIndex(participants.count - 1)
  }

  /// Says which step begins; what follows is stamped with its number.
  ///
  /// - Parameters:
  ///   - number: From 0.
  ///   - text: The step as reports show it.
  public mutating func beginStep(_ number: Int, _ text: String) {
    step = number
    record(.step(text), cause: nil)
  }

  /// Has the application call its client. A client that was killed cannot be called.
  public mutating func call(_ client: ClientIndex, _ id: CallID, _ operation: Operation) {
    guard participants[client.number].process.isRunning else {
      record(.fault(.futile(.deadCall, client)), cause: nil)
      return
    }
    give(.call(id, operation), to: client.number, cause: nil)
  }
}

extension Simulator {
  /// Hands a client an input and does what it asks for in consequence.
  ///
  /// Nothing that it asks for comes back at once, so clients are never called from within a call. The
  /// calls that its application makes from inside callbacks are recorded as inputs that a callback
  /// caused.
  mutating func give(_ input: ClientInput, to index: Int, cause: Int?) {
    let sequence = record(.input(ClientIndex(index), input), cause: cause)
    if case let .call(_, operation) = input { follow(operation, of: index) }
    let shown = readClock(of: index)
    if shown != clock { wrongTimes[sequence] = shown }
    participants[index].client.handle(input, at: shown, into: &outputs)
    var causes = OutputCauses(input: sequence)
    for position in outputs.indices {
      let output = outputs[position]
      let event = record(.output(ClientIndex(index), output), cause: causes.cause(of: output))
      act(on: output, of: index, cause: event)
      if causes.take(output, as: event), case let .calling(call) = output {
        let nested = recordNested(call, of: index, cause: event)
        if shown != clock { wrongTimes[nested] = shown }
        causes.begin(nested)
      }
    }
    outputs.removeAllKeepingStorage()
  }

  private mutating func follow(_ operation: Operation, of index: Int) {
    if let isOnline = operation.isOnline {
      participants[index].requestedState = isOnline ? .online : .offline
    }
    for call in operation.nestedCalls {
      participants[index].nestedCalls[call.id] = call.operation
    }
  }

  /// Records a call that an application makes from inside a callback.
  private mutating func recordNested(_ call: CallID, of index: Int, cause: Int) -> Int {
    guard let operation = participants[index].nestedCalls[call] else {
      return record(futile(.unknownCall(call), index), cause: cause)
    }
    follow(operation, of: index)
    return record(.input(ClientIndex(index), .call(call, operation)), cause: cause)
  }

  private mutating func act(on output: ClientOutput, of index: Int, cause: Int) {
    switch output.topic {
    case let .connect(other): connect(index, to: other ?? host, cause: cause)
    case let .send(message): send(message, from: index, cause: cause)
    case .disconnect: disconnect(index, cause: cause)
    case let .timer(id, (after, purpose)?):
      let due = now + min(max(.zero, after), Self.longestTimer)
      participants[index].set(ActiveTimer(id: id, cause: cause, due: due, purpose: purpose))
      schedule(ScheduledEvent(due: due, cause: cause, client: Int32(index), kind: .timer))
    case let .timer(id, nil): participants[index].cancel(id)
    case let .storage(key, text?): store(text, under: key, by: index, cause: cause)
    case let .storage(key, nil): participants[index].process.storage[key] = nil
    case .listener, .call, .nesting, .uncaught, .remark: break
    }
  }

  /// About thirty years: longer waits are as good as for ever, and would overflow in the end.
  private static let longestTimer = Interval.seconds(1_000_000_000)

  private mutating func connect(_ index: Int, to host: String, cause: Int) {
    guard participants[index].connection == .none else {
      record(futile(.secondConnection, index), cause: cause)
      return
    }
    participants[index].connection = .connecting(cause: cause)
    participants[index].dialled = host
    participants[index].isTakenOffline = false
    let due = now + attemptLatency(of: index)
    schedule(ScheduledEvent(due: due, cause: cause, client: Int32(index), kind: .attempt))
    inFlight += 1
  }

  private mutating func send(_ message: ClientMessage, from index: Int, cause: Int) {
    if participants[index].isHalfOpen {
      takeEffect(participants[index].halfOpenMark)
      record(.lostToServer(ClientIndex(index), message), cause: cause)
      return
    }
    guard let number = participants[index].connection.number,
      let position = connections.index(of: number)
    else {
      record(futile(.unconnectedMessage, index), cause: cause)
      return
    }
    let latency = latencyToServer(of: index)
    let due = connections[position].toServer.due(after: latency, at: now)
    connections[position].toServer.append(message, cause: cause)
    inFlight += 1
    schedule(
      ScheduledEvent(due: due, cause: cause, client: Int32(index), kind: .toServer(Int32(number))))
  }

  /// The client closes its end: what is under way to it is lost, what it sent still arrives, and
  /// then the server notices.
  private mutating func disconnect(_ index: Int, cause: Int) {
    if participants[index].requestedState == .offline { participants[index].isTakenOffline = true }
    let state = participants[index].connection
    participants[index].connection = .none
    touchLink(to: index)
    switch state {
    case .none: return
    case .connecting: inFlight -= 1
    case let .opened(number), let .helloReceived(number):
      let wasHalfOpen = participants[index].isHalfOpen
      participants[index].isHalfOpen = false
      if wasHalfOpen { takeEffect(participants[index].halfOpenMark) }
      guard let position = connections.index(of: number) else { return }
      connections[position].clientSide = .closed
      if wasHalfOpen { return }
      connections[position].isEnding = true
      lose(connections[position].toClient.removeAll(), to: index)
      let due = connections[position].toServer.due(after: latencyToServer(of: index), at: now)
      inFlight += 1
      schedule(
        ScheduledEvent(due: due, cause: cause, client: Int32(index), kind: .leave(Int32(number))))
    }
  }

  private mutating func store(_ text: String, under key: String, by index: Int, cause: Int) {
    let outcome = participants[index].process.store(text, under: key)
    guard case let .refused(mark) = outcome else { return }
    takeEffect(mark)
    record(futile(.lostRecord(key: key), index), cause: cause)
  }

  private func futile(_ act: Incident.FutileAct, _ index: Int) -> TraceEvent.Kind {
    .fault(.futile(act, ClientIndex(index)))
  }

  /// Records messages that no longer reach a client.
  mutating func lose(_ flights: [DirectedLink<ServerMessage>.InFlightMessage], to index: Int) {
    inFlight -= flights.count
    for flight in flights {
      record(.lostToClient(ClientIndex(index), flight.message), cause: flight.cause)
    }
  }

  /// Records messages that no longer reach the server.
  mutating func lose(_ flights: [DirectedLink<ClientMessage>.InFlightMessage], from index: Int) {
    inFlight -= flights.count
    for flight in flights {
      record(.lostToServer(ClientIndex(index), flight.message), cause: flight.cause)
    }
  }
}

// How long things take. A choice is drawn for each message of a link, in the order of sending.

extension Simulator {
  mutating func latencyToServer(of index: Int) -> Interval {
    let ordinal = participants[index].sent.toServer
    participants[index].sent.toServer += 1
    return draw(.latency, entity: 2 * index, ordinal: ordinal, of: index)
  }

  mutating func latencyToClient(of index: Int) -> Interval {
    let ordinal = participants[index].sent.toClient
    participants[index].sent.toClient += 1
    return draw(.latency, entity: 2 * index + 1, ordinal: ordinal, of: index)
  }

  private mutating func attemptLatency(of index: Int) -> Interval {
    let ordinal = participants[index].sent.attempts
    participants[index].sent.attempts += 1
    return draw(.connecting, entity: index, ordinal: ordinal, of: index)
  }

  private mutating func draw(
    _ domain: ChoiceTape.Domain, entity: Int, ordinal: Int, of index: Int
  ) -> Interval {
    let latency = participants[index].network.latency
    if let mark = participants[index].network.latencyMark {
      takeEffect(mark)
      participants[index].network.latencyMark = nil
    }
    guard latency.arity > 1 else { return latency.lowest }
    return latency.interval(
      of: tape.draw(domain, entity: entity, ordinal: ordinal, arity: latency.arity))
  }
}

extension Simulator {
  /// Lets time pass; everything that is due until then happens, also what is due exactly then.
  ///
  /// It ends early only when the run cannot go on; see `runaway`.
  public mutating func advance(by interval: Interval) {
    let end = now + interval
    while let due = nextDue(), due <= end, runaway == nil { runNext() }
    if runaway == nil { move(to: end) }
  }

  /// When the next thing happens, or `nil` when nothing is scheduled.
  public mutating func nextDue() -> Interval? {
    while let first = queue.first {
      if isStillValid(first) { return first.due }
      _ = queue.removeFirst()
    }
    return nil
  }

  /// Lets the next thing happen, and time move to it.
  ///
  /// - Returns: `false` when nothing is scheduled or the run cannot go on.
  @discardableResult
  public mutating func runNext() -> Bool {
    guard runaway == nil, nextDue() != nil, let next = queue.removeFirst() else { return false }
    move(to: next.due)
    eventsAtThisInstant += 1
    if eventsAtThisInstant > eventLimit {
      runaway = .init([.standstill(count: eventLimit, at: now, next: outlook(next))])
      return false
    }
    run(next)
    return true
  }

  mutating func run(_ next: ScheduledEvent) {
    if hasStalled, isStalled(next) { return hold(next) }
    if faults.armed.isEmpty { carryOut(next) } else { carryOutObserved(next) }
  }

  mutating func carryOut(_ next: ScheduledEvent) {
    queueSteps += 1
    switch next.kind {
    case let .toServer(number):
      guard let position = connections.index(of: Int(number)) else { return }
      deliverToServer(at: position)
    case let .toClient(number):
      guard let position = connections.index(of: Int(number)) else { return }
      announceNext(over: next, at: position)
      deliverToClient(at: position)
    case .attempt: answerAttempt(of: Int(next.client), cause: next.cause)
    case let .leave(number):
      guard let position = connections.index(of: Int(number)) else { return }
      inFlight -= 1
      takeEffect(connections[position].lateMark)
      closeServerSide(at: position, cause: next.cause)
    case .timer:
      let index = Int(next.client)
      guard let id = participants[index].fire(cause: next.cause, at: now) else { return }
      give(.timer(id), to: index, cause: next.cause)
    case let .fault(mark): fireArmed(mark: Int(mark), cause: next.cause)
    }
  }

  /// Whether what was scheduled still has a meaning. Inlined, because a call from where the
  /// simulator changes needs a copy of it.
  @inline(__always) func isStillValid(_ scheduled: ScheduledEvent) -> Bool {
    let index = Int(scheduled.client)
    return switch scheduled.kind {
    case let .toServer(number): connections.isAlive(Int(number))
    case let .leave(number): connections.index(of: Int(number)) != nil
    case let .toClient(number):
      participants[index].connection.number == Int(number) && !participants[index].isHalfOpen
    case let .fault(mark): faults.armed.contains { $0.mark == Int(mark) }
    case .attempt: participants[index].connection == .connecting(cause: scheduled.cause)
    case .timer: participants[index].timers.contains { $0.cause == scheduled.cause }
    }
  }

  /// Moves the clock, never back.
  mutating func move(to time: Interval) {
    guard time > now else { return }
    now = time
    eventsAtThisInstant = 0
  }
}

/// How a run settled.
public enum SettleResult: Hashable, Sendable {
  case settled
  /// It did not, because of who waits for what.
  case unsettled(UnsettledReason)
}

extension Simulator {
  /// Lets time pass until the run has settled.
  ///
  /// When a run has settled no message is in flight; every client whose network is up and that was
  /// not taken offline is connected, or has nothing that would make it connect; and no timer is due
  /// within the quiet horizon, nor a fault that waits for its time. Keep-alive timers do not count,
  /// nor do back-off timers of a client whose network is down. Time stands where the last thing
  /// happened.
  ///
  /// What is stalled counts as little as what was never sent: only a fault lets it go on. But a
  /// half-open connection has not settled before both ends have noticed, for as long as that takes.
  ///
  /// - Parameters:
  ///   - quiet: For how long nothing must be going to happen.
  ///   - deadline: How much virtual time may pass.
  /// - Returns: `unsettled` at the deadline, and as soon as it is certain that rest is not reached.
  public mutating func settle(
    quiet: Interval = .seconds(2), deadline: Interval = .seconds(600)
  ) -> SettleResult {
    let end = now + deadline
    var events = 0
    while !isSettled(quiet: quiet) {
      guard let due = nextDue() else {
        var reason = unsettledReason(quiet: quiet)
        reason.parts.append(.nothingScheduled)
        return .unsettled(reason)
      }
      if due > end { move(to: end) }
      if due > end || events > eventLimit {
        return .unsettled(unsettledReason(quiet: quiet))
      }
      guard runNext() else { break }
      events += 1
    }
    for index in participants.indices { participants[index].process.rememberStorage() }
    return runaway.map { .unsettled($0) } ?? .settled
  }

  /// Whether nothing but keep-alives is left to happen. It changes nothing; a function that says so
  /// would be called with a copy of the simulator.
  package mutating func isSettled(quiet: Interval) -> Bool {
    if inFlight > 0 {
      guard hasStalled, inFlight == stalledCount else { return false }
    }
    let horizon = now + quiet
    if !faults.armed.isEmpty,
      faults.armed.contains(where: { $0.due.map { $0 <= horizon } ?? false })
    {
      return false
    }
    for index in participants.indices {
      if isUnsettled(index, before: horizon) { return false }
      // Every other client has no need of a look at all that is known of it.
      if case .helloReceived = participants[index].connection, !participants[index].isHalfOpen {
        continue
      }
      if participants[index].awaitsConnection { return false }
    }
    return true
  }

  /// Whether a client is not connected although its network is up, and nothing is going to change
  /// that.
  public func isStranded(_ client: ClientIndex) -> Bool {
    let index = client.number
    return participants[index].connection == .none && participants[index].network.access == .up
      && participants[index].network.stalls.isEmpty && !participants[index].awaitsConnection
  }

  /// Whether a timer of a client that counts is due within the horizon.
  @inline(__always) private func isUnsettled(_ index: Int, before horizon: Interval) -> Bool {
    let isReachable =
      participants[index].network.access == .up && participants[index].network.stalls.isEmpty
    for timer in participants[index].timers where timer.due <= horizon {
      if timer.counts(isReachable: isReachable) { return true }
    }
    return false
  }

  /// Who waits for what, in order of the clients.
  package func unsettledReason(quiet: Interval) -> UnsettledReason {
    var reason = UnsettledReason([])
    for (index, participant) in participants.enumerated() {
      if let part = participant.awaitedConnection(at: now)
        ?? participant.awaitedTimer(at: now, before: now + quiet)
      {
        reason.parts.append(part)
      }
      if let message = lastMessage(of: index) {
        reason.parts.append(.messages(client: participant.name, last: message))
      }
    }
    return reason
  }

  private func lastMessage(of client: Int) -> UnsettledReason.Message? {
    for number in connections.numbers(of: client).reversed() {
      guard let position = connections.index(of: number) else { continue }
      if let message = connections[position].toServer.last { return .toServer(message) }
      if let message = connections[position].toClient.last { return .toClient(message) }
    }
    return nil
  }

  /// What would happen next in a run that cannot go on.
  func outlook(_ scheduled: ScheduledEvent) -> UnsettledReason.Next {
    if case let .fault(mark) = scheduled.kind { return .fault(faultMarks[Int(mark)].fault) }
    let client = participants[Int(scheduled.client)]
    switch scheduled.kind {
    case .toServer: return .messageToServer(client: client.name)
    case .toClient: return .messageToClient(client: client.name)
    case .attempt: return .answer(client: client.name)
    case .leave: return .end(client: client.name)
    case .timer, .fault:
      let timer = client.timers.first { $0.cause == scheduled.cause }
      return timer.map { .timer(client.named($0)) } ?? .someTimer(client: client.name)
    }
  }
}

extension Participant {
  private func counts(_ timer: ActiveTimer) -> Bool {
    timer.counts(isReachable: network.access == .up && network.stalls.isEmpty)
  }

  /// Whether the client is not connected and going to be. Inlined, because a call needs a copy of
  /// the participant.
  @inline(__always) var awaitsConnection: Bool {
    if isHalfOpen { return true }
    guard network.access == .up, network.stalls.isEmpty, !isTakenOffline else { return false }
    switch connection {
    case .helloReceived: return false
    case .connecting, .opened: return true
    case .none: return timers.contains { $0.purpose == .backOff }
    }
  }

  /// The first timer that could make the client connect.
  private var nextAttempt: ActiveTimer? {
    timers.filter { $0.purpose == .backOff }.min { ($0.due, $0.cause) < ($1.due, $1.cause) }
  }

  func awaitedConnection(at now: Interval) -> UnsettledReason.Part? {
    guard awaitsConnection else { return nil }
    if isHalfOpen { return .unnoticedEnd(client: name) }
    switch connection {
    case .helloReceived: return nil
    case .connecting: return .attempt(client: name)
    case .opened: return .hello(client: name)
    case .none:
      guard let timer = nextAttempt else { return nil }
      if let gap = gap(between: timer) { return .repeatedAttempts(named(timer), every: gap) }
      return .nextAttempt(client: name, in: timer.due - now)
    }
  }

  func awaitedTimer(at now: Interval, before horizon: Interval) -> UnsettledReason.Part? {
    guard let timer = timers.first(where: { counts($0) && $0.due <= horizon }) else { return nil }
    if let gap = gap(between: timer) { return .repeatedTimer(named(timer), every: gap) }
    return .timer(named(timer), in: timer.due - now)
  }

  /// How long after each other a timer fires that fires again and again.
  private func gap(between timer: ActiveTimer) -> Interval? {
    lastFiring.flatMap { $0.id == timer.id ? $0.gap : nil }
  }

  func named(_ timer: ActiveTimer) -> UnsettledReason.Timer {
    .init(of: name, timer.id, timer.purpose)
  }
}

extension ActiveTimer {
  /// Whether a client that waits for it has not settled. One that only keeps its connection alive,
  /// or tries again where it cannot succeed, has.
  func counts(isReachable: Bool) -> Bool {
    switch purpose {
    case .keepAlive, .idle: false
    case .backOff: isReachable
    case .other: true
    }
  }
}
