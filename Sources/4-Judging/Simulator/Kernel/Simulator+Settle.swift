public import ClientInterface
internal import Faults
public import Trace
internal import Wire

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
  mutating func isSettled(quiet: Interval) -> Bool {
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
  func unsettledReason(quiet: Interval) -> UnsettledReason {
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
