public import ClientInterface
internal import Faults
internal import Trace

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
