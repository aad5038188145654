internal import ClientInterface
internal import Document
internal import Invariants
internal import RunModel
internal import Scenario
internal import Trace
internal import Tree
internal import Wire

/// What the applications of a run have asked for and seen, event by event: all their listeners and
/// calls, with what has become of them, and what was observed since the last expectation.
///
/// The model of a client knows the listeners and calls of its present process, turn by turn.
/// Scenarios speak of those of all processes, by name, also of the refused ones, and of periods
/// between expectations: that is what is kept here, and no more.
struct ObservationLog {
  /// What a listener or call is known by.
  struct Name: Hashable {
    var client: ClientIndex
    var label: String

    static func == (a: Name, b: Name) -> Bool {
      a.client == b.client && Text(a.label) == Text(b.label)
    }

    func _rawHashValue(seed: Int) -> Int { Text(label)._rawHashValue(seed: seed) }
  }

  struct Listener {
    let registration: Operation.Registration
    var state = State.live
    /// How many events it received in the whole run.
    var eventCount = 0
    /// What its events add up to; `nil` before the first one.
    var view: Node?

    var target: Operation.Target { registration.target }

    enum State: Equatable {
      case live
      case removed(step: Int)
      case cancelled
      /// Its process was killed, in this event of the trace.
      case killed(step: Int, sequence: Int)
    }
  }

  struct Call {
    var isNamed: Bool
    var operation: Operation
    /// The event of the trace in which the call was made.
    var sequence: Int
    /// What has come of it so far; `nil` for nothing.
    var outcome: Outcome?
    /// Whether the process in which it was made was killed: nothing more may come of it.
    var isFinished = false
  }

  /// All that was observed between two expectations; the rest is in the trace.
  struct Period {
    /// When the expectation before it was checked, or the first step began.
    var start: Interval
    /// The position of its first event in the trace.
    var first = 0
    /// Calls of listeners, in order.
    var observations: [Observation] = []
    /// Ends and answers of calls, in order, each with all that was known by then.
    var outcomes: [Ending] = []
    /// What is never allowed, in order, at no position so far.
    var breaches: [Divergence] = []
    /// The last event in which a client was given something.
    var lastInput: Int?
  }

  struct Ending {
    var name: Name
    var outcome: Outcome
    /// Whether the call had ended before.
    var isRepeated: Bool
    /// Whether the process in which the call was made had been killed.
    var isLate: Bool
  }

  let clients: [String]
  private(set) var listeners: [Name: Listener] = Dictionary(minimumCapacity: 6)
  private(set) var calls: [Name: Call] = Dictionary(minimumCapacity: 24)
  /// The listeners in the order of their registration, to be walked in.
  private(set) var order: [Name] = []
  private(set) var period = Period(start: .zero)
  /// How many events of the trace were taken.
  private(set) var position = 0
  /// Whether observations are kept. Where nothing is expected, a run needs what is never allowed,
  /// and what listeners and calls are about.
  var keepsObservations = true
  /// The positions of the clients, where there are many.
  private let positions: [Text: Int]

  init(clients: [String]) {
    self.clients = clients
    let names = clients.count > 32 ? clients : []
    positions = Dictionary(zip(names.map { Text($0) }, names.indices)) { first, _ in first }
  }

  /// Begins a new period: what was observed so far has been judged.
  mutating func beginWindow(at time: Interval) {
    period = Period(start: time, first: position)
  }

  /// Sets what times are measured from, without forgetting what was observed.
  mutating func restartClock(at time: Interval) { period.start = time }

  /// Adds what is never allowed. Some of what is found on the wire the server did, as the client
  /// sees it.
  mutating func addBreach(_ kind: Divergence.Kind, of client: ClientIndex, at sequence: Int) {
    var subject = Subject.client(name(of: client))
    if case let .protocolBreach(finding) = kind, finding.sender == .server { subject = .server }
    period.breaches.append(Divergence(kind, of: subject, at: Self.nowhere, evidence: sequence))
  }

  /// Hands out what is never allowed, of all that was observed.
  mutating func takeBreaches() -> [Divergence] {
    if period.breaches.isEmpty { return [] }
    defer { period.breaches = [] }
    return period.breaches
  }
}

// MARK: - Names

extension ObservationLog {
  func index(of client: String) -> ClientIndex? {
    let index = positions.isEmpty ? clients.firstIndex(of: client) : positions[Text(client)]
    return index.map { ClientIndex($0) }
  }

  func name(of client: ClientIndex) -> String {
    clients.indices.contains(client.number) ? clients[client.number] : "client \(client.number)"
  }

  /// What a scenario calls so; `nil` for a client that there is not.
  func name(_ label: String, of client: String) -> Name? {
    index(of: client).map { Name(client: $0, label: label) }
  }

  func subject(of name: Name) -> Subject {
    guard let listener = listeners[name] else { return callSubject(of: name) }
    return .listener(client: self.name(of: name.client), name: name.label, listener.target)
  }

  /// Like `subject(of:)`, for the outcome of a call: a refused registration is a call as well.
  func callSubject(of name: Name) -> Subject {
    let client = self.name(of: name.client)
    if let call = calls[name] { return .call(client: client, id: name.label, call.operation) }
    guard let listener = listeners[name] else { return .client(client) }
    return .listener(client: client, name: name.label, listener.target)
  }

  /// What a listener received in this period.
  func observations(of name: Name) -> [Observation] {
    period.observations.filter { $0.client == name.client && $0.label == name.label }
  }

  /// The events in which messages were sent in this period that an expectation counts.
  func frames(like expected: FrameExpectation, in trace: Trace) -> [Int] {
    let client = index(of: expected.client)
    return trace.events[period.first..<position].filter { event in
      guard case let .output(sender, .send(.request(_, request))) = event.kind else { return false }
      return sender == client && request.action.rawValue == expected.kind
    }.map(\.sequence)
  }

  /// The latest thing given to a client that can have concerned a location; failing that, the
  /// latest thing given to it at all.
  func lastArrival(at client: ClientIndex, about path: Path? = nil, in trace: Trace) -> Int? {
    let related = path.flatMap { path in
      last(in: trace) { $0.input(of: client)?.path?.isRelated(to: path) ?? false }
    }
    return related ?? last(in: trace) { $0.input(of: client) != nil }
  }

  /// The latest change of the server's tree, or what was to change it; with a path only if that can
  /// have concerned the location.
  func lastWrite(about path: Path? = nil, in trace: Trace) -> Int? {
    last(in: trace) { $0.writtenPath.map { $0.isRelated(to: path ?? $0) } ?? false }
  }

  private func last(in trace: Trace, where holds: (TraceEvent.Kind) -> Bool) -> Int? {
    trace.events[period.first..<position].last { holds($0.kind) }?.sequence
  }
}

extension TraceEvent {
  /// Whether it is what a client shows its application, a call from inside a callback, or the end
  /// of a process.
  fileprivate var concernsApplications: Bool {
    switch kind {
    case .input(_, .call): cause != nil
    case .input(_, .close), .output(_, .event), .output(_, .cancelled), .output(_, .completed),
      .output(_, .threw), .output(_, .answered), .output(_, .updateRan), .output(_, .uncaught):
      true
    default: false
    }
  }
}

extension TraceEvent.Kind {
  fileprivate func input(of client: ClientIndex) -> ClientInput? {
    if case .input(client, let input) = self { input } else { nil }
  }

  /// Where the server's tree changes, or is to change.
  fileprivate var writtenPath: Path? {
    switch self {
    case let .serverWrite(path, _), let .serverUpdate(path, _),
      let .serverReceived(_, .request(_, .put(path, _, _))),
      let .serverReceived(_, .request(_, .merge(path, _, _))):
      path
    default: nil
    }
  }
}

// MARK: - Calls and listeners

extension ObservationLog {
  /// Records that a call is about to be made.
  ///
  /// `sequence` is the event of the trace that the call will be.
  mutating func add(
    _ id: CallID, isNamed: Bool, _ operation: Operation, of client: ClientIndex, step: Int,
    sequence: Int
  ) {
    calls[Name(client: client, label: id.name)] = Call(
      isNamed: isNamed, operation: operation, sequence: sequence)
    guard let change = operation.listenerChange else { return }
    if case let .registers(registration) = change {
      let name = Name(client: client, label: registration.listener.name)
      let count = listeners.count
      listeners[name] = Listener(registration: registration)
      if listeners.count > count { order.append(name) }
      return
    }
    for name in order where name.client == client {
      guard let listener = listeners[name], listener.state == .live,
        listener.registration.isRemovable,
        change.removes(listener.registration.listener, at: listener.target)
      else { continue }
      listeners[name]?.state = .removed(step: step)
    }
  }

  /// Records that the process of a client was killed, and its listeners and calls with it.
  private mutating func end(_ client: ClientIndex, step: Int, sequence: Int) {
    for name in order where name.client == client {
      listeners[name]?.state = .killed(step: step, sequence: sequence)
    }
    for name in calls.keys where name.client == client { calls[name]?.isFinished = true }
  }
}

extension ObservationLog.Listener {
  /// Adds something to what the listener has shown.
  mutating func take(_ content: Observation.Content) {
    guard case let .event(event) = content else {
      if state == .live { state = .cancelled }
      return
    }
    eventCount += 1
    let isRemoval = event.type == .childRemoved
    if event.type == .value {
      view = event.value
    } else if let key = event.key, isRemoval || !registration.events.contains(.value) {
      view = (view ?? .empty).setting(isRemoval ? .empty : event.value, at: key)
    }
  }

  /// Whether `view` is the whole of what the client knows at the location.
  var showsEverything: Bool {
    let types = registration.events
    return types.contains(.value)
      || types.isSuperset(of: [.childAdded, .childChanged, .childRemoved])
  }
}

extension ObservationLog.Call {
  /// Whether its success is an observation.
  var mustBeListed: Bool { isNamed && operation.ending != .none }

  /// Whether an end of it is still to come.
  var isOpen: Bool { outcome?.end == nil && !isFinished && operation.isWrite }

  /// Takes what the client says of the call.
  ///
  /// - Returns: What has come of the call, if that ends it.
  fileprivate mutating func take(_ output: ClientOutput, _ event: TraceEvent) -> Outcome? {
    var known = outcome ?? Outcome()
    (known.sequence, known.time) = (event.sequence, event.time)
    defer { outcome = known }
    return known.take(output, operation.kind == .inspect ? .answer : .completion) ? known : nil
  }
}

// MARK: - Reading

extension ObservationLog {
  /// Passes over the event of a step, of which nothing follows.
  mutating func skipEvent() { position += 1 }

  /// Takes the next event of the trace: also a call that no step of the scenario has announced, and
  /// what ends with a process.
  mutating func take(_ event: UnsafePointer<TraceEvent>) {
    let sequence = event.pointee.sequence
    position = sequence + 1
    if case .input = event.pointee.kind { period.lastInput = sequence }
    // Most events are nothing that applications see, and need not be copied to be taken apart.
    guard event.pointee.concernsApplications else { return }
    switch event.pointee.kind {
    case let .input(client, .call(id, operation)):
      add(
        id, isNamed: Reaction.Call(id, operation).isNamed, operation, of: client,
        step: event.pointee.step, sequence: sequence)
    case let .input(client, _): end(client, step: event.pointee.step, sequence: sequence)
    case let .output(client, .event(raised)):
      take(.event(raised), at: raised.listener, of: client, event)
    case let .output(client, .cancelled(listener, error)):
      take(.cancelled(error), at: listener, of: client, event)
    case let .output(client, .uncaught(exception)):
      addBreach(.uncaught(exception), of: client, at: sequence)
    case let .output(client, output): take(output, of: client, event)
    default: break
    }
  }

  private mutating func take(
    _ content: Observation.Content, at listener: ListenerID, of client: ClientIndex,
    _ event: UnsafePointer<TraceEvent>
  ) {
    guard let index = listeners.index(forKey: Name(client: client, label: listener.name)) else {
      return addBreach(.unknownLabel(listener.name), of: client, at: event.pointee.sequence)
    }
    guard keepsObservations else { return }
    period.observations.append(
      Observation(
        client: client, label: listener.name, content, sequence: event.pointee.sequence,
        time: event.pointee.time))
    listeners.values[index].take(content)
  }

  private mutating func take(
    _ output: ClientOutput, of client: ClientIndex, _ event: UnsafePointer<TraceEvent>
  ) {
    guard case let .call(id)? = output.recipient else { return }
    let name = Name(client: client, label: id.name)
    guard let index = calls.index(forKey: name) else {
      return addBreach(.unknownLabel(name.label), of: client, at: event.pointee.sequence)
    }
    guard keepsObservations else { return }
    let call = calls.values[index]
    guard let outcome = calls.values[index].take(output, event.pointee) else { return }
    period.outcomes.append(
      Ending(
        name: name, outcome: outcome, isRepeated: call.outcome?.end != nil,
        isLate: call.isFinished))
  }
}

// MARK: - Divergences

extension ObservationLog {
  /// Where something stands that no expectation is about, until its step is known.
  private static let nowhere = Position(line: 1, column: 1)

  /// A divergence about a call.
  func divergence(
    _ kind: Divergence.Kind, ofCall name: Name, at position: Position, evidence: Int? = nil,
    rows: [Divergence.Row] = []
  ) -> Divergence {
    var divergence = Divergence(
      kind, of: callSubject(of: name), at: position, evidence: evidence, rows: rows)
    divergence.origin = calls[name]?.sequence
    return divergence
  }

  /// A broken invariant as a divergence of a scenario.
  func divergence(
    _ finding: InvariantViolation, at position: Position = nowhere
  ) -> Divergence {
    let subject: Subject =
      switch finding.about {
      case let .listener(client, id, target):
        .listener(client: name(of: client), name: id.name, target)
      case let .call(client, id, operation):
        .call(client: name(of: client), id: id.name, operation)
      case let .client(client): .client(name(of: client))
      case .server: .server
      }
    var divergence = Divergence(
      .broken(finding.invariant, finding.sentence), of: subject, at: position,
      evidence: finding.evidence)
    divergence.details = finding.details
    if case let .call(client, id, _) = finding.about {
      divergence.origin = calls[Name(client: client, label: id.name)]?.sequence
    }
    return divergence
  }
}
