internal import ClientInterface
import Invariants
internal import Scenario
internal import Trace
internal import Tree
internal import Wire

/// Sorts what clients did by listener and call, event by event.
struct ObservationLog {
  var registry: Registry
  private(set) var period = ObservationWindow(start: .zero)
  /// How much is recorded.
  var retention = Retention.everything

  enum Retention {
    case everything
    /// What is never allowed, and what listeners and calls are about: all that a run needs in which
    /// nothing is expected.
    case breaches
  }

  init(clients: [String]) {
    registry = Registry(clients: clients)
  }

  /// Begins a new period: what was observed so far has been judged.
  mutating func beginWindow(at time: Interval) {
    period = ObservationWindow(start: time)
  }

  /// Sets what times are measured from, without forgetting what was observed.
  mutating func restartClock(at time: Interval) {
    period.start = time
  }

  /// Hands out what is never allowed, of all that was observed.
  mutating func takeBreaches() -> [ObservationWindow.Breach] { period.takeBreaches() }

  /// Adds what was found on the wire.
  mutating func add(_ breaches: [InvariantMonitor.WireBreach]) {
    for breach in breaches {
      period.breaches.append(
        .init(client: breach.client, kind: .wire(breach.finding), sequence: breach.sequence))
    }
  }

  /// Takes the next event of the trace.
  mutating func take(_ event: UnsafePointer<TraceEvent>) {
    switch retention {
    case .everything: takeObservation(event)
    case .breaches: takeBreach(event)
    }
  }

  private mutating func takeObservation(_ event: UnsafePointer<TraceEvent>) {
    switch event.pointee.kind {
    case let .input(client, input):
      recordLifetime(input, of: client, event)
      period.arrivals.append(
        .init(client: client, sequence: event.pointee.sequence, path: input.path))
    case let .output(client, output): take(output, of: client, event)
    case let .serverWrite(path, _), let .serverUpdate(path, _),
      let .serverReceived(_, .request(_, .put(path, _, _))),
      let .serverReceived(_, .request(_, .merge(path, _, _))):
      period.serverWrites.append((path, event.pointee.sequence))
    case .step, .serverReceived, .serverSent, .lostToServer, .lostToClient, .serverOpened,
      .serverClosed, .fault:
      break
    }
  }

  /// Records what begins and ends with an input that no step of the scenario has announced.
  private mutating func recordLifetime(
    _ input: ClientInput, of client: ClientIndex, _ event: UnsafePointer<TraceEvent>
  ) {
    let (step, sequence) = (event.pointee.step, event.pointee.sequence)
    if case .close = input {
      registry.end(client, step: step, sequence: sequence)
    } else if case let .call(id, operation) = input, event.pointee.isNestedCall {
      let call = Action.Call(
        client: registry.name(of: client), id: id,
        isNamed: Reaction.Call(id, operation).isNamed, operation: operation)
      registry.add(call, of: client, step: step, sequence: sequence)
    }
  }

  private mutating func takeBreach(_ event: UnsafePointer<TraceEvent>) {
    switch event.pointee.kind {
    case let .input(client, input):
      recordLifetime(input, of: client, event)
      period.arrivals.removeAllKeepingStorage()
      period.arrivals.append(.init(client: client, sequence: event.pointee.sequence))
    case let .output(client, .event(raised)): judge(raised.listener, of: client, event)
    case let .output(client, .cancelled(listener, _)): judge(listener, of: client, event)
    case let .output(client, .completed(call, _)), let .output(client, .threw(call, _)),
      let .output(client, .answered(call, _)), let .output(client, .updateRan(call, _)):
      if !registry.knowsCall(.init(client: client, label: call.name)) {
        breach(.unknownLabel(call.name), client, event)
      }
    case let .output(client, .uncaught(exception)): breach(.uncaught(exception), client, event)
    default: break
    }
  }

  private mutating func judge(
    _ listener: ListenerID, of client: ClientIndex, _ event: UnsafePointer<TraceEvent>
  ) {
    if !registry.knowsListener(.init(client: client, label: listener.name)) {
      breach(.unknownLabel(listener.name), client, event)
    }
  }

  private mutating func take(
    _ output: ClientOutput, of client: ClientIndex, _ event: UnsafePointer<TraceEvent>
  ) {
    switch output {
    case let .send(.request(_, request)): record(request, of: client, event)
    case let .event(raised): take(raised, of: client, event)
    case let .cancelled(listener, error):
      observe(.cancelled(error), of: client, listener, event)
      let name = Registry.Name(client: client, label: listener.name)
      registry.updateListener(name) { if $0.state == .live { $0.state = .cancelled } }
    case let .completed(call, completion): end(.completed(completion), call, of: client, event)
    case let .threw(call, error): end(.threw(error), call, of: client, event)
    case let .answered(call, value): take(value, answering: call, of: client, event)
    case let .updateRan(call, input): record(call, of: client, event) { $0.inputs.append(input) }
    case let .uncaught(exception): breach(.uncaught(exception), client, event)
    case .connect, .connectTo, .send, .disconnect, .setTimer, .cancelTimer, .calling, .returned,
      .store, .erase, .log:
      break
    }
  }

  /// A push is answered with its key and goes on; an inspection ends with its answer.
  private mutating func take(
    _ value: JSON, answering call: CallID, of client: ClientIndex,
    _ event: UnsafePointer<TraceEvent>
  ) {
    let name = Registry.Name(client: client, label: call.name)
    if case .inspect? = registry.calls[name]?.operation {
      end(.answered(value), call, of: client, event)
    } else {
      record(call, of: client, event) { $0.key = value }
    }
  }

  private mutating func record(
    _ request: Request, of client: ClientIndex, _ event: UnsafePointer<TraceEvent>
  ) {
    period.frames.append((client, request.action, event.pointee.sequence))
  }

  private mutating func take(
    _ raised: Event, of client: ClientIndex, _ event: UnsafePointer<TraceEvent>
  ) {
    observe(.event(raised), of: client, raised.listener, event)
    let name = Registry.Name(client: client, label: raised.listener.name)
    registry.updateListener(name) { $0.take(raised) }
  }

  private mutating func observe(
    _ content: Observation.Content, of client: ClientIndex, _ listener: ListenerID,
    _ event: UnsafePointer<TraceEvent>
  ) {
    let name = Registry.Name(client: client, label: listener.name)
    guard registry.listeners[name] != nil else {
      return breach(.unknownLabel(listener.name), client, event)
    }
    period.observations.append(
      Observation(
        client: client, label: listener.name, content, sequence: event.pointee.sequence,
        time: event.pointee.time))
  }

  private mutating func breach(
    _ kind: ObservationWindow.Breach.Kind, _ client: ClientIndex,
    _ event: UnsafePointer<TraceEvent>
  ) {
    period.breaches.append(.init(client: client, kind: kind, sequence: event.pointee.sequence))
  }

  private mutating func end(
    _ end: Outcome.End, _ call: CallID, of client: ClientIndex, _ event: UnsafePointer<TraceEvent>
  ) {
    let name = Registry.Name(client: client, label: call.name)
    let isRepeated = registry.calls[name]?.outcome.end != nil
    let isLate = registry.calls[name]?.isFinished ?? false
    record(call, of: client, event) { $0.end = end }
    guard let outcome = registry.calls[name]?.outcome else { return }
    period.outcomes.append(
      .init(name: name, outcome: outcome, isRepeated: isRepeated, isLate: isLate))
  }

  private mutating func record(
    _ call: CallID, of client: ClientIndex, _ event: UnsafePointer<TraceEvent>,
    _ change: (inout Outcome) -> Void
  ) {
    let name = Registry.Name(client: client, label: call.name)
    guard registry.calls[name] != nil else {
      return breach(.unknownLabel(call.name), client, event)
    }
    registry.updateCall(name) {
      change(&$0.outcome)
      $0.outcome.sequence = event.pointee.sequence
      $0.outcome.time = event.pointee.time
    }
  }
}

extension Registry.Listener {
  /// Adds an event to what the listener has shown.
  mutating func take(_ event: Event) {
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
