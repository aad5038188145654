internal import ClientInterface
internal import Document
internal import Invariants
internal import Scenario
internal import Trace
internal import Tree
internal import Wire
internal import WireMonitor

/// What the applications of a run have asked for and seen, event by event: all their listeners and calls,
/// with what has become of them, and what was observed since the last expectation.
///
/// The model of a client knows the listeners and calls of its present process, turn by turn. Scenarios
/// speak of those of all processes, by name, also of the refused ones, and of periods between
/// expectations: that is what is kept here, and no more.
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
    var target: Operation.Target
    var types: Set<EventType>
    var isOnce: Bool
    var isRemovable: Bool
    var state = State.live
    /// How many events it received in the whole run.
    var eventCount = 0
    /// What its events add up to; `nil` before the first one.
    var view: Node?

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
    var outcome = Outcome()
    /// Whether the process in which it was made was killed: nothing more may come of it.
    var isFinished = false
  }

  /// All that was observed between two expectations.
  struct Period {
    /// When the expectation before it was checked, or the first step began.
    var start: Interval
    /// Calls of listeners, in order.
    var observations: [Observation] = []
    /// Ends and answers of calls, in order, each with all that was known by then.
    var outcomes: [Ending] = []
    /// Requests sent, in order.
    var frames: [(client: ClientIndex, action: Request.Action, sequence: Int)] = []
    /// What is never allowed, in order.
    var breaches: [(kind: Divergence.Kind, client: ClientIndex, sequence: Int)] = []
    /// What the clients were given, in order, and the location that it is about, if any: candidates
    /// for the cause of something that is missing.
    var arrivals: [(client: ClientIndex, sequence: Int, path: Path?)] = []
    /// What changed the server's tree, or was to change it, in order.
    var serverWrites: [(path: Path, sequence: Int)] = []
  }

  struct Ending {
    var name: Name
    var outcome: Outcome
    /// Whether the call had ended before.
    var isRepeated: Bool
    /// Whether the process in which the call was made had been killed.
    var isLate: Bool
  }

  /// How much is recorded.
  enum Retention {
    case everything
    /// What is never allowed, and what listeners and calls are about: all that a run needs in which
    /// nothing is expected.
    case breaches
  }

  let clients: [String]
  private(set) var listeners: [Name: Listener] = Dictionary(minimumCapacity: 6)
  private(set) var calls: [Name: Call] = Dictionary(minimumCapacity: 24)
  /// The listeners in the order of their registration, to be walked in.
  private(set) var order: [Name] = []
  private(set) var period = Period(start: .zero)
  var retention = Retention.everything
  /// The positions of the clients, where there are many.
  private let positions: [Text: Int]

  init(clients: [String]) {
    self.clients = clients
    let names = clients.count > 32 ? clients : []
    positions = Dictionary(zip(names.map { Text($0) }, names.indices)) { first, _ in first }
  }

  /// Begins a new period: what was observed so far has been judged.
  mutating func beginWindow(at time: Interval) { period = Period(start: time) }

  /// Sets what times are measured from, without forgetting what was observed.
  mutating func restartClock(at time: Interval) { period.start = time }

  /// Adds what was found on the wire.
  mutating func add(_ breaches: [WireBreach]) {
    for breach in breaches {
      period.breaches.append((.protocolBreach(breach.finding), breach.client, breach.sequence))
    }
  }

  /// Hands out what is never allowed, of all that was observed.
  mutating func takeBreaches() -> [Divergence] {
    if period.breaches.isEmpty { return [] }
    defer { period.breaches = [] }
    return breaches()
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
  func frames(like expected: FrameExpectation) -> [Int] {
    let client = index(of: expected.client)
    return period.frames.filter { $0.client == client && $0.action.rawValue == expected.kind }
      .map(\.sequence)
  }

  /// The latest thing given to a client that can have concerned a location; failing that, the
  /// latest thing given to it at all.
  func lastArrival(at client: ClientIndex, about path: Path? = nil) -> Int? {
    let own = period.arrivals.filter { $0.client == client }
    let related = path.flatMap { path in own.last { $0.path?.isRelated(to: path) ?? false } }
    return (related ?? own.last)?.sequence
  }

  /// The latest change of the server's tree that can have concerned a location.
  func lastWrite(about path: Path) -> Int? {
    period.serverWrites.last { $0.path.isRelated(to: path) }?.sequence
  }
}

// MARK: - Calls and listeners

extension ObservationLog {
  /// Records that a call is about to be made.
  ///
  /// `sequence` is the event of the trace that the call will be.
  mutating func add(_ call: Action.Call, of client: ClientIndex, step: Int, sequence: Int) {
    calls[Name(client: client, label: call.id.name)] = Call(
      isNamed: call.isNamed, operation: call.operation, sequence: sequence)
    guard let change = call.operation.listenerChange else { return }
    if case let .registers(registration) = change {
      let name = Name(client: client, label: registration.listener.name)
      let listener = Listener(
        target: registration.target, types: registration.events, isOnce: registration.isOnce,
        isRemovable: registration.isRemovable)
      if listeners.updateValue(listener, forKey: name) == nil { order.append(name) }
      return
    }
    for name in order where name.client == client {
      guard let listener = listeners[name], listener.state == .live, listener.isRemovable,
        change.removes(ListenerID(name.label), at: listener.target)
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
    let shown = view ?? .empty
    switch (event.type, event.key) {
    case (.value, _): view = event.value
    case (.childRemoved, let key?): view = shown.setting(.empty, at: key)
    case (.childAdded, let key?), (.childMoved, let key?), (.childChanged, let key?):
      if !types.contains(.value) { view = shown.setting(event.value, at: key) }
    case (.childAdded, nil), (.childMoved, nil), (.childChanged, nil), (.childRemoved, nil): break
    }
  }

  /// Whether `view` is the whole of what the client knows at the location.
  var showsEverything: Bool {
    types.contains(.value) || types.isSuperset(of: [.childAdded, .childChanged, .childRemoved])
  }
}

extension ObservationLog.Call {
  /// Whether its success is an observation.
  var mustBeListed: Bool { isNamed && operation.ending != .none }

  /// Whether an end of it is still to come.
  var isOpen: Bool { outcome.end == nil && !isFinished && operation.isWrite }

  /// Takes what the client says of the call.
  ///
  /// - Returns: Whether it ends the call. A push is answered with its key and goes on; an inspection
  ///   ends with its answer.
  fileprivate mutating func take(
    _ output: ClientOutput, at sequence: Int, _ time: Interval
  ) -> Bool {
    (outcome.sequence, outcome.time) = (sequence, time)
    switch output {
    case let .completed(_, completion): outcome.end = .completed(completion)
    case let .threw(_, error): outcome.end = .threw(error)
    case let .answered(_, value):
      guard case .inspect = operation else {
        outcome.key = value
        return false
      }
      outcome.end = .answered(value)
    case let .updateRan(_, input):
      outcome.inputs.append(input)
      return false
    default: return false
    }
    return true
  }
}

// MARK: - Reading

extension ObservationLog {
  /// Takes the next event of the trace.
  mutating func take(_ event: UnsafePointer<TraceEvent>) {
    switch event.pointee.kind {
    case let .input(client, input): take(input, of: client, event)
    case let .output(client, output): take(output, of: client, event)
    case .serverWrite, .serverUpdate, .serverReceived:
      if retention == .everything { takeWrite(event) }
    case .step, .serverSent, .lostToServer, .lostToClient, .serverOpened, .serverClosed, .fault:
      break
    }
  }

  private mutating func takeWrite(_ event: UnsafePointer<TraceEvent>) {
    switch event.pointee.kind {
    case let .serverWrite(path, _), let .serverUpdate(path, _),
      let .serverReceived(_, .request(_, .put(path, _, _))),
      let .serverReceived(_, .request(_, .merge(path, _, _))):
      period.serverWrites.append((path, event.pointee.sequence))
    default: break
    }
  }

  /// Takes an input, and what begins and ends with it that no step of the scenario has announced.
  private mutating func take(
    _ input: ClientInput, of client: ClientIndex, _ event: UnsafePointer<TraceEvent>
  ) {
    let (step, sequence) = (event.pointee.step, event.pointee.sequence)
    if case .close = input {
      end(client, step: step, sequence: sequence)
    } else if case let .call(id, operation) = input, event.pointee.isNestedCall {
      let call = Action.Call(
        client: name(of: client), id: id, isNamed: Reaction.Call(id, operation).isNamed,
        operation: operation)
      add(call, of: client, step: step, sequence: sequence)
    }
    if retention == .everything {
      period.arrivals.append((client, sequence, input.path))
    } else {
      period.arrivals.removeAllKeepingStorage()
      period.arrivals.append((client, sequence, nil))
    }
  }

  private mutating func take(
    _ output: ClientOutput, of client: ClientIndex, _ event: UnsafePointer<TraceEvent>
  ) {
    switch output {
    case .send:
      guard retention == .everything, case let .send(.request(_, request)) = output else { return }
      period.frames.append((client, request.action, event.pointee.sequence))
    case let .event(raised): take(.event(raised), at: raised.listener, of: client, event)
    case let .cancelled(listener, error): take(.cancelled(error), at: listener, of: client, event)
    case let .completed(call, _), let .threw(call, _), let .answered(call, _),
      let .updateRan(call, _):
      take(output, about: call, of: client, event)
    case let .uncaught(exception):
      period.breaches.append((.uncaught(exception), client, event.pointee.sequence))
    case .connect, .connectTo, .disconnect, .setTimer, .cancelTimer, .calling, .returned, .store,
      .erase, .log:
      break
    }
  }

  private mutating func take(
    _ content: Observation.Content, at listener: ListenerID, of client: ClientIndex,
    _ event: UnsafePointer<TraceEvent>
  ) {
    guard let index = listeners.index(forKey: Name(client: client, label: listener.name)) else {
      period.breaches.append((.unknownLabel(listener.name), client, event.pointee.sequence))
      return
    }
    guard retention == .everything else { return }
    period.observations.append(
      Observation(
        client: client, label: listener.name, content, sequence: event.pointee.sequence,
        time: event.pointee.time))
    listeners.values[index].take(content)
  }

  private mutating func take(
    _ output: ClientOutput, about call: CallID, of client: ClientIndex,
    _ event: UnsafePointer<TraceEvent>
  ) {
    let name = Name(client: client, label: call.name)
    guard let index = calls.index(forKey: name) else {
      period.breaches.append((.unknownLabel(call.name), client, event.pointee.sequence))
      return
    }
    guard retention == .everything else { return }
    let isRepeated = calls.values[index].outcome.end != nil
    let ends = calls.values[index].take(output, at: event.pointee.sequence, event.pointee.time)
    guard ends else { return }
    period.outcomes.append(
      Ending(
        name: name, outcome: calls.values[index].outcome, isRepeated: isRepeated,
        isLate: calls.values[index].isFinished))
  }
}

// MARK: - Divergences

extension ObservationLog {
  /// Where something stands that no expectation is about, until its step is known.
  private static let nowhere = Position(line: 1, column: 1)

  /// What is never allowed, of all that was observed, as divergences of a scenario.
  func breaches(at position: Position = nowhere) -> [Divergence] {
    period.breaches.map { breach in
      // The server did it, as the client sees it.
      let isOfServer =
        if case let .protocolBreach(finding) = breach.kind { finding.sender == .server } else {
          false
        }
      return Divergence(
        breach.kind, of: isOfServer ? .server : .client(name(of: breach.client)), at: position,
        evidence: breach.sequence)
    }
  }

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
