internal import ClientInterface
internal import Trace
internal import Tree

/// What a client and its shadow have let their applications see since both were last found to
/// agree.
struct ShadowObservations {
  private var listeners: [ListenerID: Sides<[Observation]>] = [:]
  private var calls: [CallID: Sides<Outcome?>] = [:]
  /// In the order in which they were first learned of, to be walked in.
  private var order: [Name] = []
  /// Calls of which it does not matter what their functions get.
  private var freeInputs: Set<CallID> = []
  /// Listeners at which only moves of leaves without a priority matter.
  private var freeMoves: Set<ListenerID> = []

  private struct Sides<Content> {
    var expected: Content
    var observed: Content
  }

  private enum Name {
    case listener(ListenerID)
    case call(CallID)
  }

  /// Who has done something.
  enum Side {
    case shadow
    case client
  }

  /// How much is compared.
  enum Extent {
    /// Everything: nothing more will come of what has happened.
    case all
    /// What both have done: the one may be behind the other.
    case soFar
  }

  /// Notes what one of the two has done; `sequence` is where it shows in the trace.
  mutating func note(_ output: ClientOutput, by side: Side, _ client: ClientIndex, at sequence: Int)
  {
    switch output {
    case let .event(event): note(.event(event), event.listener, side, client, sequence)
    case let .cancelled(listener, error):
      note(.cancelled(error), listener, side, client, sequence)
    case let .completed(call, completion):
      note(call, side, sequence) { if $0.end == nil { $0.end = .completed(completion) } }
    case let .threw(call, error): note(call, side, sequence) { $0.end = .threw(error) }
    case let .answered(call, value): note(call, side, sequence) { $0.end = .answered(value) }
    case let .updateRan(call, input): note(call, side, sequence) { $0.inputs.append(input) }
    case .connect, .connectTo, .send, .disconnect, .setTimer, .cancelTimer, .calling, .returned,
      .store, .erase, .uncaught, .log:
      break
    }
  }

  /// A listener was removed from inside a callback: what it has not received it must not receive
  /// any more (CBK-6).
  mutating func forgetOwed(to listener: ListenerID) {
    guard let sides = listeners[listener] else { return }
    listeners[listener]?.expected = Array(sides.expected.prefix(sides.observed.count))
  }

  private mutating func note(
    _ content: Observation.Content, _ listener: ListenerID, _ side: Side, _ client: ClientIndex,
    _ sequence: Int
  ) {
    let observation = Observation(
      client: client, label: listener.name, content, sequence: sequence)
    if listeners[listener] == nil {
      listeners[listener] = Sides(expected: [], observed: [])
      order.append(.listener(listener))
    }
    switch side {
    case .shadow: listeners[listener]?.expected.append(observation)
    case .client: listeners[listener]?.observed.append(observation)
    }
  }

  private mutating func note(
    _ call: CallID, _ side: Side, _ sequence: Int, _ change: (inout Outcome) -> Void
  ) {
    var sides = calls[call] ?? Sides(expected: nil, observed: nil)
    if calls[call] == nil { order.append(.call(call)) }
    var outcome = (side == .shadow ? sides.expected : sides.observed) ?? Outcome()
    change(&outcome)
    outcome.sequence = sequence
    if side == .shadow { sides.expected = outcome } else { sides.observed = outcome }
    calls[call] = sides
  }

  /// Whether a function was first given something else than that of the shadow, where that is free
  /// (TXN-1): then what follows from it is something else too.
  var hasFreeDifference: Bool {
    freeInputs.contains { call in
      guard let sides = calls[call], let expected = sides.expected?.inputs.first,
        let observed = sides.observed?.inputs.first
      else { return false }
      return expected != observed
    }
  }

  /// Does not compare what the function of a call gets.
  mutating func leaveOutInputs(of call: CallID) { freeInputs.insert(call) }

  /// Does not compare which mappings, and which children with a priority, move at a listener.
  mutating func leaveOutMoves(at listener: ListenerID) { freeMoves.insert(listener) }

  /// Finds what differs, and forgets it and what agrees.
  ///
  /// A transaction that both have only begun stays: how often its function runs is reported at its
  /// end.
  mutating func differences(_ extent: Extent, of client: ClientIndex) -> [ShadowDifference] {
    var found: [ShadowDifference] = []
    var rest: [Name] = []
    for name in order {
      switch name {
      case let .listener(listener):
        if let difference = difference(at: listener, extent, client) { found.append(difference) }
      case let .call(call):
        guard let sides = calls[call] else { continue }
        if let difference = difference(sides, call, extent, client) {
          found.append(difference)
        } else if sides.expected?.end == nil || sides.observed?.end == nil {
          rest.append(name)
          continue
        }
        calls[call] = nil
      }
    }
    order = rest
    listeners = [:]
    return found
  }

  private func difference(
    at listener: ListenerID, _ extent: Extent, _ client: ClientIndex
  ) -> ShadowDifference? {
    guard let sides = listeners[listener] else { return nil }
    let isCompared = { (seen: Observation) in
      guard freeMoves.contains(listener), case let .event(event) = seen.content else { return true }
      return event.type != .childMoved || event.value.isScalar && event.value.priority == nil
    }
    let (expected, observed) = (
      sides.expected.filter(isCompared), sides.observed.filter(isCompared)
    )
    let agreed = zip(expected, observed).prefix { $0.content.agrees(with: $1.content) }.count
    if agreed == expected.count, agreed == observed.count { return nil }
    if extent == .soFar, agreed == min(expected.count, observed.count) { return nil }
    let evidence =
      agreed < observed.count ? observed[agreed].sequence : expected[agreed].sequence
    return ShadowDifference(
      client: client, label: listener.name,
      about: .listener(expected: expected, observed: observed), evidence: evidence)
  }

  private func difference(
    _ sides: Sides<Outcome?>, _ call: CallID, _ extent: Extent, _ client: ClientIndex
  ) -> ShadowDifference? {
    let expected = sides.expected ?? Outcome()
    var observed = sides.observed ?? Outcome()
    if freeInputs.contains(call) { observed.inputs = expected.inputs }
    if extent == .soFar, expected.end == nil || observed.end == nil { return nil }
    if expected.agrees(with: observed) { return nil }
    return ShadowDifference(
      client: client, label: call.name,
      about: .call(expected: sides.expected, observed: sides.observed),
      evidence: max(expected.sequence, observed.sequence))
  }
}

extension Observation.Content {
  /// Whether an application cannot distinguish the two. What a client does not report is no
  /// difference.
  func agrees(with other: Observation.Content) -> Bool {
    switch (self, other) {
    case let (.event(a), .event(b)):
      return a.type == b.type && a.key == b.key && a.value == b.value
        && (a.previous == b.previous || b.previous == .none)
        && (a.order == b.order || b.order == .unstated || a.childKeys == b.childKeys)
    case let (.cancelled(a), .cancelled(b)): return a == b
    case (.event, .cancelled), (.cancelled, .event): return false
    }
  }
}

extension Outcome {
  func agrees(with other: Outcome) -> Bool {
    guard inputs == other.inputs else { return false }
    switch (end, other.end) {
    case (nil, nil): return true
    case let (.threw(a)?, .threw(b)?): return a == b
    case let (.answered(a)?, .answered(b)?): return a == b
    case let (.completed(a)?, .completed(b)?):
      if a.error != nil || b.error != nil { return a.error == b.error }
      return a.committed == b.committed && (a.committed == nil || a.value == b.value)
    case (_, _): return false
    }
  }
}
