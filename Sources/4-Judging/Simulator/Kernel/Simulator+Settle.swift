public import ClientInterface
internal import Faults
public import Trace
internal import Wire

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
        return .unsettled(reason: unsettledReason(quiet: quiet) + "; nothing is scheduled")
      }
      if due > end { move(to: end) }
      if due > end || events > eventLimit {
        return .unsettled(reason: unsettledReason(quiet: quiet))
      }
      guard runNext() else { break }
      events += 1
    }
    for index in participants.indices { participants[index].process.rememberStorage() }
    return runaway.map { .unsettled(reason: $0) } ?? .settled
  }

  func isSettled(quiet: Interval) -> Bool {
    guard inFlight == 0 || inFlight == stalledCount else { return false }
    let horizon = now + quiet
    if !faults.armed.isEmpty,
      faults.armed.contains(where: { $0.due.map { $0 <= horizon } ?? false })
    {
      return false
    }
    for index in participants.indices {
      if isUnsettled(index, before: now + quiet) { return false }
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
  private func isUnsettled(_ index: Int, before horizon: Interval) -> Bool {
    let isReachable =
      participants[index].network.access == .up && participants[index].network.stalls.isEmpty
    for timer in participants[index].timers where timer.due <= horizon {
      if timer.counts(isReachable: isReachable) { return true }
    }
    return false
  }

  /// Who waits for what, in order of the clients.
  func unsettledReason(quiet: Interval) -> String {
    var reasons: [String] = []
    for (index, participant) in participants.enumerated() {
      if let reason = participant.connectionUnsettledReason(at: now) {
        reasons.append(reason)
      } else if let reason = participant.timerUnsettledReason(at: now, before: now + quiet) {
        reasons.append(reason)
      }
      if let message = lastMessage(of: index) {
        reasons.append(
          "messages keep flowing between \(participant.name) and the server: last \(message)")
      }
    }
    return reasons.isEmpty ? "the run does not settle" : reasons.joined(separator: "; ")
  }

  private func lastMessage(of client: Int) -> String? {
    for number in connections.numbers(of: client).reversed() {
      guard let position = connections.index(of: number) else { continue }
      if let message = connections[position].toServer.last { return message.summary }
      if let message = connections[position].toClient.last { return message.summary }
    }
    return nil
  }

  /// What would happen next, for the words of a run that cannot go on.
  func name(of scheduled: ScheduledEvent) -> String {
    if case let .fault(mark) = scheduled.kind {
      return "the fault \"\(faultMarks[Int(mark)].fault.text)\""
    }
    let client = participants[Int(scheduled.client)]
    switch scheduled.kind {
    case .fault: return "a fault"

    case .toServer: return "a message from \(client.name) to the server"
    case .toClient: return "a message from the server to \(client.name)"
    case .attempt: return "the answer to \(client.name), who asked for a connection,"
    case .leave: return "the end of a connection of \(client.name)"
    case .timer:
      let timer = client.timers.first { $0.cause == scheduled.cause }
      return timer?.name(of: client.name) ?? "a timer of \(client.name)"
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

  func connectionUnsettledReason(at now: Interval) -> String? {
    guard awaitsConnection else { return nil }
    if isHalfOpen { return "\(name) has not noticed that its connection is half-open" }
    switch connection {
    case .helloReceived: return nil
    case .connecting: return "\(name) waits for a connection: an attempt is under way"
    case .opened: return "\(name) waits for the hello of the server"
    case .none:
      guard let timer = nextAttempt else { return nil }
      if let repetition = repetition(of: timer) {
        return "\(name) waits for a connection: \(repetition)"
      }
      return "\(name) waits for a connection: the next attempt is in \((timer.due - now).text)"
    }
  }

  func timerUnsettledReason(at now: Interval, before horizon: Interval) -> String? {
    guard let timer = timers.first(where: { counts($0) && $0.due <= horizon }) else { return nil }
    return repetition(of: timer) ?? "\(timer.name(of: name)) is due in \((timer.due - now).text)"
  }

  private func repetition(of timer: ActiveTimer) -> String? {
    guard let firing = lastFiring, firing.id == timer.id, let gap = firing.gap else { return nil }
    return "\(timer.name(of: name)) fires every \(gap.text)"
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

  /// `timer 3 (back-off) of alice`.
  func name(of client: String) -> String {
    let purpose = purpose == .other ? "" : " (\(purpose.rawValue))"
    return "timer \(id.number)\(purpose) of \(client)"
  }
}
