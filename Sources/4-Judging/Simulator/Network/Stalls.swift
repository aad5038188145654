internal import ClientInterface
package import Faults

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

  package mutating func didStall(_ client: Int) {
    stallsTakeEffect(until: now)
  }

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
