internal import ClientInterface
internal import Trace
internal import Tree

/// What a client and its shadow have let their applications see since both were last found to
/// agree.
struct ShadowObservations {
  private var listeners: [ListenerID: Sides<[Seen]>] = [:]
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

    /// What one of the two has shown, to be changed where it is.
    subscript(side: Side) -> Content {
      _read { if side == .shadow { yield expected } else { yield observed } }
      _modify { if side == .shadow { yield &expected } else { yield &observed } }
    }
  }

  /// What a listener was called with; it becomes an observation where it differs.
  fileprivate struct Seen {
    var output: ClientOutput
    var sequence: Int
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

  /// Records what one of the two has done; `sequence` is where it shows in the trace.
  mutating func record(_ output: ClientOutput, by side: Side, at sequence: Int) {
    switch output {
    case let .event(event): record(Seen(output: output, sequence: sequence), event.listener, side)
    case let .cancelled(listener, _):
      record(Seen(output: output, sequence: sequence), listener, side)
    case let .completed(call, completion):
      record(call, side, sequence) { if $0.end == nil { $0.end = .completed(completion) } }
    case let .threw(call, error): record(call, side, sequence) { $0.end = .threw(error) }
    case let .answered(call, value): record(call, side, sequence) { $0.end = .answered(value) }
    case let .updateRan(call, input): record(call, side, sequence) { $0.inputs.append(input) }
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

  /// Where the lists are: taking them out of the dictionary and putting them back takes longer.
  private mutating func record(_ seen: Seen, _ listener: ListenerID, _ side: Side) {
    if listeners.index(forKey: listener) == nil {
      listeners[listener] = Sides(expected: [], observed: [])
      order.append(.listener(listener))
    }
    if let index = listeners.index(forKey: listener) { listeners.values[index][side].append(seen) }
  }

  private mutating func record(
    _ call: CallID, _ side: Side, _ sequence: Int, _ change: (inout Outcome) -> Void
  ) {
    if calls.index(forKey: call) == nil {
      calls[call] = Sides(expected: nil, observed: nil)
      order.append(.call(call))
    }
    guard let index = calls.index(forKey: call) else { return }
    var outcome = calls.values[index][side] ?? Outcome()
    change(&outcome)
    outcome.sequence = sequence
    calls.values[index][side] = outcome
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
    listeners.removeAll(keepingCapacity: true)
    return found
  }

  private func difference(
    at listener: ListenerID, _ extent: Extent, _ client: ClientIndex
  ) -> ShadowDifference? {
    guard let sides = listeners[listener] else { return nil }
    var (expected, observed) = (sides.expected, sides.observed)
    if freeMoves.contains(listener) {
      expected.removeAll(where: \.isFreeMove)
      observed.removeAll(where: \.isFreeMove)
    }
    let common = min(expected.count, observed.count)
    var agreed = 0
    while agreed < common, expected[agreed].agrees(with: observed[agreed]) { agreed += 1 }
    if agreed == expected.count, agreed == observed.count { return nil }
    if extent == .soFar, agreed == common { return nil }
    return ShadowDifference(
      client: client, label: listener.name,
      about: .listener(
        expected: expected.compactMap { $0.observation(of: client) },
        observed: observed.compactMap { $0.observation(of: client) }),
      evidence: agreed < observed.count ? observed[agreed].sequence : expected[agreed].sequence)
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

extension ShadowObservations.Seen {
  /// Whether it is a move that may be left out where moves are free.
  fileprivate var isFreeMove: Bool {
    guard case let .event(event) = output, event.type == .childMoved else { return false }
    return !event.value.isScalar || event.value.priority != nil
  }

  fileprivate func agrees(with other: Self) -> Bool {
    switch (output, other.output) {
    case let (.event(a), .event(b)): a.agrees(with: b)
    case let (.cancelled(_, a), .cancelled(_, b)): a == b
    case (_, _): false
    }
  }

  fileprivate func observation(of client: ClientIndex) -> Observation? {
    switch output {
    case let .event(event):
      Observation(client: client, label: event.listener.name, .event(event), sequence: sequence)
    case let .cancelled(listener, error):
      Observation(client: client, label: listener.name, .cancelled(error), sequence: sequence)
    default: nil
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
