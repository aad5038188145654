package import ClientInterface
internal import Document
internal import Scenario
internal import Trace
internal import Tree

/// What a client and its shadow have let their applications see since both were last found to
/// agree.
struct ShadowObservations {
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

  private let client: ClientIndex
  /// In the order in which listeners and calls were first learned of.
  private var shown: [ShadowDifference] = []
  private var indices: [Recipient: Int] = [:]
  /// Calls of which it does not matter what their functions get, and listeners at which only moves of
  /// leaves without a priority matter.
  private var free: Set<Recipient> = []
  /// Listeners of which it does not matter in which order they are shown children.
  private var unordered: Set<Recipient> = []
  /// How the application learns that calls are done.
  private var endings: [CallID: Operation.Ending] = [:]

  init(of client: ClientIndex) { self.client = client }

  /// Forgets what both have shown: another process begins.
  mutating func clear() { (shown, indices, free, unordered) = ([], [:], [], []) }

  /// The application makes a call. A push of nothing only makes a key, whether or not it ends.
  mutating func begin(_ call: CallID, _ operation: Operation) {
    endings[call] = operation.ending
    if case let .push(_, node?) = operation, node.isEmpty { endings[call] = .answer }
  }

  /// Records what one of the two has done; `sequence` is where it shows in the trace.
  mutating func record(_ output: ClientOutput, by side: Side, at sequence: Int) {
    guard let recipient = output.recipient else { return }
    var ending: Operation.Ending?
    if case let .call(call) = recipient { ending = endings[call] }
    // Such an end is no observation.
    if case .completed = output, ending == Operation.Ending.none { return }
    let index = indices[recipient] ?? shown.count
    if index == shown.count {
      shown.append(ShadowDifference(of: client, recipient))
      indices[recipient] = index
    }
    switch side {
    case .shadow: shown[index].expected.take(output, of: client, at: sequence, ending)
    case .client: shown[index].observed.take(output, of: client, at: sequence, ending)
    }
  }

  /// A listener was removed from inside a callback: what it has not received it must not receive
  /// any more (CBK-6).
  mutating func forgetOwed(to listener: ListenerID) {
    guard let index = indices[.listener(listener)] else { return }
    let owed = shown[index].expected.seen.count - shown[index].observed.seen.count
    shown[index].expected.seen.removeLast(max(0, owed))
  }

  /// Does not compare what the function of a call gets, or which mappings, and which children with a
  /// priority, move at a listener.
  mutating func leaveFree(_ recipient: Recipient) { free.insert(recipient) }

  /// Does not compare in which order a listener is shown its children.
  mutating func leaveOrderFree(_ listener: ListenerID) { unordered.insert(.listener(listener)) }

  /// Whether a function was first given something else than that of the shadow, where that is free
  /// (TXN-1): then what follows from it is something else too.
  var hasFreeDifference: Bool {
    !free.isEmpty
      && shown.contains { sides in
        guard free.contains(sides.recipient), let expected = sides.expected.outcome?.inputs.first,
          let observed = sides.observed.outcome?.inputs.first
        else { return false }
        return expected != observed
      }
  }

  /// Finds what differs, and forgets it and what agrees.
  ///
  /// A call that has not ended on both sides stays: how often the function of a transaction runs is
  /// reported at its end.
  mutating func differences(_ extent: Extent) -> [ShadowDifference] {
    var (found, rest): ([ShadowDifference], [ShadowDifference]) = ([], [])
    for sides in shown {
      var difference = sides
      if unordered.contains(sides.recipient) {
        // Which of the events the one that is behind lacks is not known.
        if extent == .soFar { continue }
        difference.forgetOrder()
      }
      if difference.find(extent, isFree: free.contains(sides.recipient)) {
        found.append(difference)
      } else if sides.isOpen {
        rest.append(sides)
      }
    }
    shown = rest
    indices = Dictionary(uniqueKeysWithValues: zip(rest.map(\.recipient), rest.indices))
    return found
  }
}

/// Where an application learns what its client has done: at a listener, or from a call.
package enum Recipient: Hashable {
  case listener(ListenerID)
  case call(CallID)

  /// The name that the scenario gives it.
  package var name: String {
    switch self {
    case let .listener(listener): listener.name
    case let .call(call): call.name
    }
  }
}

extension ClientOutput {
  /// Whether a transaction ends because a later write has overtaken it (TXN-9).
  var isOvertaken: Bool {
    if case let .completed(_, completion) = self { completion.error == "set" } else { false }
  }

  /// Where the application learns of it; `nil` for what no application sees.
  package var recipient: Recipient? {
    switch topic {
    case let .listener(listener, _): .listener(listener)
    case let .call(call, _): .call(call)
    case .connect, .send, .disconnect, .timer, .storage, .nesting, .uncaught, .remark: nil
    }
  }
}

/// What a client and its shadow have shown at one listener or of one call, where they may differ.
struct ShadowDifference: Equatable {
  let recipient: Recipient
  /// That of the listener or call.
  let name: ObservationLog.Name
  /// What the shadow has shown.
  var expected = Shown()
  var observed = Shown()
  /// The event of the trace in which the difference became apparent.
  private(set) var evidence = 0

  /// What one of the two has shown.
  struct Shown: Equatable {
    /// What the listener was called with.
    var seen: [Observation] = []
    /// What the call has come to; `nil` as long as nothing is known of it.
    var outcome: Outcome?
  }

  fileprivate init(of client: ClientIndex, _ recipient: Recipient) {
    self.recipient = recipient
    name = .init(client: client, label: recipient.name)
  }

  /// Whether it is a call that has not ended on both sides.
  fileprivate var isOpen: Bool {
    if case .listener = recipient { return false }
    return expected.outcome?.end == nil || observed.outcome?.end == nil
  }

  /// Brings what both have shown into one order, and forgets what each stood behind.
  fileprivate mutating func forgetOrder() {
    expected.forgetOrder()
    observed.forgetOrder()
  }

  /// Finds out whether the two differ. What is free, or does not count, is left out from then on.
  fileprivate mutating func find(_ extent: ShadowObservations.Extent, isFree: Bool) -> Bool {
    switch recipient {
    case .listener:
      if isFree {
        expected.seen.removeAll(where: \.isFreeMove)
        observed.seen.removeAll(where: \.isFreeMove)
      }
      let (wanted, found) = (expected.seen, observed.seen)
      let agreed = zip(wanted, found).prefix { $0.content.agrees(with: $1.content) }.count
      if agreed == (extent == .all ? max : min)(wanted.count, found.count) { return false }
      evidence = (agreed < found.count ? found : wanted)[agreed].sequence
      return true
    case .call:
      expected.outcome?.endWithKey(beside: observed.outcome)
      observed.outcome?.endWithKey(beside: expected.outcome)
      let wanted = expected.outcome ?? Outcome()
      var found = observed.outcome ?? Outcome()
      if isFree { found.inputs = wanted.inputs }
      evidence = max(wanted.sequence, found.sequence)
      if extent == .soFar, wanted.end == nil || found.end == nil { return false }
      return !wanted.agrees(with: found)
    }
  }
}

extension ShadowDifference.Shown {
  fileprivate mutating func forgetOrder() {
    for index in seen.indices {
      guard case var .event(event) = seen[index].content else { continue }
      if event.type != .value { event.previous = .none }
      event.order = .unstated
      seen[index].content = .event(event)
    }
    // What came to one child stays in its order.
    let order = seen.indices.sorted { (seen[$0].child, $0) < (seen[$1].child, $1) }
    seen = order.map { seen[$0] }
  }

  fileprivate mutating func take(
    _ output: ClientOutput, of client: ClientIndex, at sequence: Int, _ ending: Operation.Ending?
  ) {
    func see(_ content: Observation.Content, at listener: ListenerID) {
      seen.append(
        Observation(client: client, label: listener.name, content, sequence: sequence))
    }
    switch output {
    case let .event(event): see(.event(event), at: event.listener)
    case let .cancelled(listener, error): see(.cancelled(error), at: listener)
    default:
      var taken = outcome ?? Outcome()
      taken.take(output, ending)
      // Of two completions the first one counts.
      if case .completed = output, let end = outcome?.end { taken.end = end }
      taken.sequence = sequence
      outcome = taken
    }
  }
}

extension Observation {
  /// The child that it is about; that of no key is the location itself.
  fileprivate var child: Text {
    guard case let .event(event) = content, event.type != .value else { return Text("") }
    return event.key.map { Text($0.string) } ?? Text("")
  }

  /// Whether it is a move that may be left out where moves are free.
  fileprivate var isFreeMove: Bool {
    guard case let .event(event) = content, event.type == .childMoved else { return false }
    return !event.value.isScalar || event.value.priority != nil
  }
}

extension Observation.Content {
  fileprivate func agrees(with other: Self) -> Bool {
    guard case let (.event(a), .event(b)) = (self, other) else { return self == other }
    return a.agrees(with: b)
  }
}

extension Outcome {
  /// A push that only the other one refused has come to its key, whether or not it goes on.
  fileprivate mutating func endWithKey(beside other: Outcome?) {
    guard case .threw? = other?.end, let key else { return }
    if case .threw? = end { return }
    (end, self.key) = (.answered(key), nil)
  }

  fileprivate func agrees(with other: Outcome) -> Bool {
    // A function may have to run before its result can be refused: nothing comes of that.
    if case .threw? = end, end == other.end { return key == other.key }
    let isGiven = other.wasGiven(inputs.count) { inputs[$0] == $1 }
    guard isGiven, key == other.key else { return false }
    guard case let (.completed(a)?, .completed(b)?) = (end, other.end) else {
      return end == other.end
    }
    if a.error != nil || b.error != nil { return a.error == b.error }
    return a.committed == b.committed && (a.committed == nil || a.value == b.value)
  }
}

extension ObservationLog {
  /// What a client does otherwise than its shadow as a divergence: what the shadow did is what was
  /// expected.
  func divergence(_ difference: ShadowDifference) -> Divergence {
    let (name, position) = (difference.name, Position(line: 1, column: 1))
    switch difference.recipient {
    case .listener:
      let (expected, observed) = (difference.expected.seen, difference.observed.seen)
      let events = expected.map { ExpectedEvent($0.content) }
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
    case .call:
      var (expected, observed) = (difference.expected.outcome, difference.observed.outcome)
      // A push of the shadow has the key that the client has made.
      expected?.key = nil
      observed?.key = nil
      var rows: [Divergence.Row] = []
      if let expected, let observed {
        rows = .pair(.outcome(ExpectedOutcome(expected)), .outcome(ExpectedOutcome(observed)))
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
    case let (expected?, observed?) where (expected.end == nil) == (observed.end == nil):
      let isEnd = expected.end != nil && expected.inputs == observed.inputs
      self = .call(isEnd ? .end : .inputs, ExpectedOutcome(expected), observed)
    case let (expected?, observed) where observed?.end == nil:
      self = .call(.missing, ExpectedOutcome(expected), Outcome())
    case let (_, observed):
      self = .call(.unexpected, ExpectedOutcome(end: nil), observed ?? Outcome())
    }
  }
}
