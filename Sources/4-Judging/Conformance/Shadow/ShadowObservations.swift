internal import ClientInterface
internal import Document
internal import Scenario
internal import Trace
internal import Tree

/// What a client and its shadow have let their applications see since both were last found to
/// agree.
struct ShadowObservations {
  /// What is compared by itself.
  enum Subject: Hashable {
    case listener(ListenerID)
    case call(CallID)

    fileprivate var label: String {
      switch self {
      case let .listener(listener): listener.name
      case let .call(call): call.name
      }
    }
  }

  private var shown: [Subject: Sides] = [:]
  /// In the order in which they were first learned of, to be walked in.
  private var order: [Subject] = []
  /// Calls of which it does not matter what their functions get, and listeners at which only moves of
  /// leaves without a priority matter.
  private var free: Set<Subject> = []

  private struct Sides {
    var expected = Shown()
    var observed = Shown()

    /// Changes what one of the two has shown where it is.
    mutating func change(_ side: Side, _ change: (inout Shown) -> Void) {
      if side == .shadow { change(&expected) } else { change(&observed) }
    }
  }

  private struct Shown {
    /// What a listener was called with.
    var seen: [Seen] = []
    /// What a call has come to; `nil` as long as nothing is known of it.
    var outcome: Outcome?
  }

  /// What a listener was called with; it becomes an observation where it differs.
  fileprivate struct Seen {
    var content: Observation.Content
    var sequence: Int
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
    case let .event(event): record(.event(event), at: event.listener, side, sequence)
    case let .cancelled(listener, error): record(.cancelled(error), at: listener, side, sequence)
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

  private mutating func record(
    _ content: Observation.Content, at listener: ListenerID, _ side: Side, _ sequence: Int
  ) {
    let index = index(of: .listener(listener))
    shown.values[index].change(side) {
      $0.seen.append(Seen(content: content, sequence: sequence))
    }
  }

  private mutating func record(
    _ call: CallID, _ side: Side, _ sequence: Int, _ change: (inout Outcome) -> Void
  ) {
    let index = index(of: .call(call))
    shown.values[index].change(side) {
      var outcome = $0.outcome ?? Outcome()
      change(&outcome)
      outcome.sequence = sequence
      $0.outcome = outcome
    }
  }

  /// Where what is known of a subject is: taking it out of the dictionary and putting it back takes
  /// longer.
  private mutating func index(of subject: Subject) -> Dictionary<Subject, Sides>.Index {
    while true {
      if let index = shown.index(forKey: subject) { return index }
      shown[subject] = Sides()
      order.append(subject)
    }
  }

  /// A listener was removed from inside a callback: what it has not received it must not receive
  /// any more (CBK-6).
  mutating func forgetOwed(to listener: ListenerID) {
    guard let index = shown.index(forKey: .listener(listener)) else { return }
    let received = shown.values[index].observed.seen.count
    let owed = shown.values[index].expected.seen.count - received
    if owed > 0 { shown.values[index].expected.seen.removeLast(owed) }
  }

  /// Does not compare what the function of a call gets, or which mappings, and which children with a
  /// priority, move at a listener.
  mutating func leaveFree(_ subject: Subject) { free.insert(subject) }

  /// Whether a function was first given something else than that of the shadow, where that is free
  /// (TXN-1): then what follows from it is something else too.
  var hasFreeDifference: Bool {
    free.contains { subject in
      guard let sides = shown[subject], let expected = sides.expected.outcome?.inputs.first,
        let observed = sides.observed.outcome?.inputs.first
      else { return false }
      return expected != observed
    }
  }

  /// Finds what differs, and forgets it and what agrees.
  ///
  /// A transaction that both have only begun stays: how often its function runs is reported at its
  /// end.
  mutating func differences(_ extent: Extent, of client: ClientIndex) -> [ShadowDifference] {
    var found: [ShadowDifference] = []
    var rest: [Subject] = []
    for subject in order {
      guard let sides = shown[subject] else { continue }
      let name = ObservationLog.Name(client: client, label: subject.label)
      let isFree = free.contains(subject)
      switch subject {
      case .listener:
        let (expected, observed) = (sides.expected.seen, sides.observed.seen)
        if let difference = difference(expected, observed, name, extent, isFree: isFree) {
          found.append(difference)
        }
      case .call:
        let (expected, observed) = (sides.expected.outcome, sides.observed.outcome)
        if let difference = difference(expected, observed, name, extent, isFree: isFree) {
          found.append(difference)
        } else if expected?.end == nil || observed?.end == nil {
          rest.append(subject)
          continue
        }
      }
      shown[subject] = nil
    }
    order = rest
    return found
  }

  private func difference(
    _ expected: [Seen], _ observed: [Seen], _ name: ObservationLog.Name, _ extent: Extent,
    isFree: Bool
  ) -> ShadowDifference? {
    let expected = isFree ? expected.filter { !$0.isFreeMove } : expected
    let observed = isFree ? observed.filter { !$0.isFreeMove } : observed
    let common = min(expected.count, observed.count)
    var agreed = 0
    while agreed < common, expected[agreed].content.agrees(with: observed[agreed].content) {
      agreed += 1
    }
    if agreed == expected.count, agreed == observed.count { return nil }
    if extent == .soFar, agreed == common { return nil }
    return ShadowDifference(
      name: name,
      about: .listener(
        expected: expected.map { $0.observation(at: name) },
        observed: observed.map { $0.observation(at: name) }),
      evidence: agreed < observed.count ? observed[agreed].sequence : expected[agreed].sequence)
  }

  private func difference(
    _ expected: Outcome?, _ observed: Outcome?, _ name: ObservationLog.Name, _ extent: Extent,
    isFree: Bool
  ) -> ShadowDifference? {
    let wanted = expected ?? Outcome()
    var found = observed ?? Outcome()
    if isFree { found.inputs = wanted.inputs }
    if extent == .soFar, wanted.end == nil || found.end == nil { return nil }
    if wanted.agrees(with: found) { return nil }
    return ShadowDifference(
      name: name, about: .call(expected: expected, observed: observed),
      evidence: max(wanted.sequence, found.sequence))
  }
}

extension ShadowObservations.Seen {
  /// Whether it is a move that may be left out where moves are free.
  fileprivate var isFreeMove: Bool {
    guard case let .event(event) = content, event.type == .childMoved else { return false }
    return !event.value.isScalar || event.value.priority != nil
  }

  fileprivate func observation(at name: ObservationLog.Name) -> Observation {
    Observation(client: name.client, label: name.label, content, sequence: sequence)
  }
}

extension Observation.Content {
  fileprivate func agrees(with other: Self) -> Bool {
    switch (self, other) {
    case let (.event(a), .event(b)): a.agrees(with: b)
    case let (.cancelled(a), .cancelled(b)): a == b
    case (.event, .cancelled), (.cancelled, .event): false
    }
  }
}

extension Outcome {
  fileprivate func agrees(with other: Outcome) -> Bool {
    guard inputs == other.inputs else { return false }
    guard case let (.completed(a)?, .completed(b)?) = (end, other.end) else {
      return end == other.end
    }
    if a.error != nil || b.error != nil { return a.error == b.error }
    return a.committed == b.committed && (a.committed == nil || a.value == b.value)
  }
}

/// What a client and its shadow let their applications see differently.
struct ShadowDifference {
  /// That of a listener or of a call.
  var name: ObservationLog.Name
  var about: About
  /// The event of the trace in which it became apparent.
  var evidence: Int

  enum About {
    case listener(expected: [Observation], observed: [Observation])
    case call(expected: Outcome?, observed: Outcome?)
  }
}

extension ObservationLog {
  /// What a client does otherwise than its shadow as a divergence: what the shadow did is what was
  /// expected.
  func divergence(_ difference: ShadowDifference) -> Divergence {
    let (name, position) = (difference.name, Position(line: 1, column: 1))
    switch difference.about {
    case let .listener(expected, observed):
      let events = expected.map { ExpectedEvent($0.content, at: position) }
      var bindings = Bindings()
      let match = EventMatch(
        target: listeners[name]?.target ?? Operation.Target(.root), start: .zero)
      let comparison = EventComparison(events.map { .event($0) }, observed, match, &bindings)
      let found = comparison.divergence()
      // The two can differ in what no scenario can say, such as the priority of an order.
      let kind = found?.kind ?? observed.first.map { .unexpected($0, .notHere) }
      return Divergence(
        .shadow(kind ?? .unknownLabel(name.label)), of: subject(of: name), at: position,
        evidence: difference.evidence, rows: found?.rows ?? [],
        counts: .init(expected: expected.count, observed: observed.count))
    case let .call(expected, observed):
      var rows: [Divergence.Row] = []
      if let expected, let observed {
        rows = .pair(.expectedOutcome(ExpectedOutcome(expected)), .outcome(observed))
      }
      return divergence(
        .shadow(Divergence.Kind(expected: expected, observed: observed)), ofCall: name,
        at: position, evidence: difference.evidence, rows: rows)
    }
  }
}

extension Divergence.Kind {
  fileprivate init(expected: Outcome?, observed: Outcome?) {
    switch (expected, observed) {
    case let (expected?, observed?) where expected.end != nil && observed.end != nil:
      let isEnd = expected.inputs == observed.inputs
      self = .outcomeDifferent(ExpectedOutcome(expected), observed, isEnd ? .end : .inputs)
    case let (expected?, observed?) where expected.end == nil && observed.end == nil:
      self = .outcomeDifferent(ExpectedOutcome(expected), observed, .inputs)
    case let (_, observed?) where observed.end != nil: self = .outcomeUnexpected(observed)
    case let (expected?, _): self = .outcomeMissing(ExpectedOutcome(expected))
    case let (nil, observed): self = .outcomeUnexpected(observed ?? Outcome())
    }
  }
}
