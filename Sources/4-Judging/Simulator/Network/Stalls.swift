internal import ClientInterface
internal import Faults
internal import Trace

/// Which directions of a client's network are stalled, and what waits because of it.
struct Stalls {
  /// A stalled direction, with the mark of the fault.
  struct Stall {
    var mark: Int?
  }

  var toServer: Stall?
  var toClient: Stall?
  /// What would have arrived, in the order in which it would have. Empty when the order of
  /// deliveries is open: then it stays with everything else that is under way.
  var waiting: [ScheduledEvent] = []

  var isEmpty: Bool { toServer == nil && toClient == nil }

  /// The stall that keeps something from arriving; a request for a connection needs both ways.
  func stall(of kind: ScheduledEvent.Kind) -> Stall? {
    switch kind {
    case .toServer, .leave: toServer
    case .toClient: toClient
    case .attempt: toServer ?? toClient
    case .timer, .fault: nil
    }
  }

  mutating func begin(_ flow: FaultDirection, mark: Int?) {
    if flow != .toClient, toServer == nil { toServer = Stall(mark: mark) }
    if flow != .toServer, toClient == nil { toClient = Stall(mark: mark) }
  }

  mutating func end(_ flow: FaultDirection) {
    if flow != .toClient { toServer = nil }
    if flow != .toServer { toClient = nil }
  }
}

extension Simulator {
  /// Whether something would arrive now, but waits because its direction is stalled.
  func isStalled(_ scheduled: ScheduledEvent) -> Bool {
    stall(of: scheduled) != nil
  }

  private func stall(of scheduled: ScheduledEvent) -> Stalls.Stall? {
    let index = Int(scheduled.client)
    guard participants.indices.contains(index), !participants[index].stalls.isEmpty else {
      return nil
    }
    // The server finds out about a dead connection by itself.
    if case let .leave(number) = scheduled.kind, connections.isDead(Int(number)) { return nil }
    return participants[index].stalls.stall(of: scheduled.kind)
  }

  /// Keeps back what would arrive now.
  mutating func hold(_ scheduled: ScheduledEvent) {
    takeEffect(stall(of: scheduled)?.mark)
    if order != nil { return schedule(scheduled) }
    participants[Int(scheduled.client)].stalls.waiting.append(scheduled)
  }

  /// Whether any direction of anybody's network is stalled. By index: a participant is too large to
  /// be copied for a question that is asked after every step.
  private var hasStalls: Bool {
    for index in participants.indices where !participants[index].stalls.isEmpty { return true }
    return false
  }

  /// How much of what is in flight waits because of a stall.
  var stalledCount: Int {
    guard hasStalls else { return 0 }
    let held = order?.pending ?? participants.flatMap(\.stalls.waiting)
    return held.count { isStalled($0) && isStillValid($0) }
  }

  mutating func stall(_ index: Int, _ flow: FaultDirection, _ origin: Origin) {
    note(.fault("stall \(flow.text)", ClientIndex(index)), cause: origin.cause)
    participants[index].stalls.begin(flow, mark: origin.mark)
    stallsTakeEffect(until: now)
  }

  /// Lets what waits arrive now, in order.
  mutating func resume(_ index: Int, _ flow: FaultDirection, _ origin: Origin) {
    note(.fault("resume \(flow.text)", ClientIndex(index)), cause: origin.cause)
    endStalls(index, flow, origin)
  }

  mutating func endStalls(_ index: Int, _ flow: FaultDirection, _ origin: Origin) {
    if participants[index].stalls.isEmpty { return }
    if stalledCount > 0 { takeEffect(origin.mark) }
    participants[index].stalls.end(flow)
    let held = participants[index].stalls.waiting
    participants[index].stalls.waiting = []
    for scheduled in held where isStillValid(scheduled) {
      if isStalled(scheduled) {
        participants[index].stalls.waiting.append(scheduled)
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
