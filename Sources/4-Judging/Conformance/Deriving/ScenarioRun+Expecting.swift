internal import ClientInterface
internal import Document
internal import Scenario
internal import Simulator
internal import Tree
internal import Wire

extension ScenarioRun {
  /// Makes the steps and notes what was observed wherever something is expected.
  ///
  /// - Returns: The scenario with exactly that as its expectations; `nil` when the run does not
  ///   settle.
  mutating func recorded() -> Scenario? {
    var copy = scenario
    var recorder = Recorder()
    evaluation.observationLog.retention = .everything
    open()
    for (index, step) in scenario.steps.enumerated() where !isFinished {
      simulator.beginStep(index + 1, step.text)
      perform(step, number: index + 1)
      read()
      guard let expectation = step.expectation, !isFinished else { continue }
      if expectation.timing == .settled { settle(at: expectation.position, in: step.file) }
      read()
      recorder.serverTimes = shownTimes
      copy.steps[index].expectation = recorder.filled(
        expectation, evaluation.observationLog, server: simulator.serverTree)
      evaluation.observationLog.beginWindow(at: simulator.now)
    }
    if isFinished { return nil }
    copy.nameCalls(listed: recorder.named)
    return copy
  }
}

/// Writes down what was observed as what is expected.
struct Recorder {
  struct Name: Hashable {
    var client: String
    var label: String
  }

  /// The calls whose outcome is listed.
  private(set) var named: Set<Name> = []
  /// What the server's clock has shown so far.
  var serverTimes: [ClosedRange<Double>] = []
  /// The names of keys that clients have made, in the order in which they were seen.
  private var madeKeys: [Key] = []

  /// What an expectation has to say so that this run passes. It is about the same kinds of thing:
  /// the server's tree and messages are looked at only where they were before.
  mutating func filled(
    _ template: Expectation, _ observationLog: ObservationLog, server: Node
  ) -> Expectation {
    var result = Expectation(position: template.position, timing: template.timing)
    result.listeners = listeners(observationLog)
    result.outcomes = outcomes(observationLog, after: result.listeners.count)
    if template.server != nil { result.server = pattern(server) }
    result.isConverged = template.isConverged
    result.order = template.order.filter(result.lists)
    result.frames = template.frames.map { frame in
      var copy = frame
      copy.count =
        observationLog.period.frames.filter {
          observationLog.registry.name(of: $0.client) == frame.client
            && $0.action.rawValue == frame.kind
        }.count
      return copy
    }
    return result
  }

  private mutating func listeners(_ observationLog: ObservationLog) -> [ListenerExpectation] {
    var result: [ListenerExpectation] = []
    for name in observationLog.registry.order {
      let received = observationLog.period.observations.filter {
        $0.client == name.client && $0.label == name.label
      }
      if received.isEmpty { continue }
      result.append(
        ListenerExpectation(
          client: observationLog.registry.name(of: name.client), listener: ListenerID(name.label),
          position: Position(line: result.count + 1, column: 1),
          items: received.map { .event(event($0)) }))
    }
    return result
  }

  /// The ends of calls; their locations are behind those of so many listeners, as in a file.
  private mutating func outcomes(
    _ observationLog: ObservationLog, after count: Int
  ) -> [OutcomeExpectation] {
    var result: [OutcomeExpectation] = []
    for ending in observationLog.period.outcomes where !ending.isRepeated && !ending.isLate {
      guard let call = observationLog.registry.calls[ending.name],
        call.isNamed || !ending.outcome.isSuccess
      else { continue }
      let client = observationLog.registry.name(of: ending.name.client)
      named.insert(Name(client: client, label: ending.name.label))
      result.append(
        OutcomeExpectation(
          client: client, call: CallID(ending.name.label),
          position: Position(line: count + result.count + 1, column: 1),
          outcome: outcome(ending.outcome)))
      if !ending.outcome.inputs.isEmpty {
        result[result.count - 1].outcome.inputs = ending.outcome.inputs.map { input in
          isDistinctive(Node(json: input)) ? .any : .exactly(input)
        }
      }
    }
    return result
  }

  private mutating func event(_ observation: Observation) -> ExpectedEvent {
    let start = Position(line: 1, column: 1)
    guard case let .event(event) = observation.content else {
      guard case let .cancelled(error) = observation.content else {
        return ExpectedEvent(position: start, kind: .event(.value))
      }
      return ExpectedEvent(position: start, kind: .cancelled(error))
    }
    var expected = ExpectedEvent(position: start, kind: .event(event.type))
    if event.type != .value, let key = event.key { expected.key = pattern(key) }
    expected.value = pattern(event.value)
    switch event.previous {
    case .none: break
    case .first: expected.previous = .first
    case let .key(key): expected.previous = .key(pattern(key))
    }
    return expected
  }

  private mutating func outcome(_ outcome: Outcome) -> ExpectedOutcome {
    let key = outcome.key?.string.map { pattern(Key($0)) }
    switch outcome.end {
    case nil: return ExpectedOutcome(end: nil, key: key)
    case let .threw(error)?: return ExpectedOutcome(end: .threw(error))
    case let .answered(value)?: return ExpectedOutcome(end: .answered(.exactly(value)))
    case let .completed(completion)?:
      if let error = completion.error { return ExpectedOutcome(end: .error(error), key: key) }
      guard let committed = completion.committed else { return ExpectedOutcome(end: .ok, key: key) }
      let value = completion.value.map { pattern($0) }
      return ExpectedOutcome(end: committed ? .committed(value) : .notCommitted(value))
    }
  }
}

extension Expectation {
  /// Whether an order is about what stands here.
  fileprivate func lists(_ constraint: OrderConstraint) -> Bool {
    [constraint.first, constraint.second].allSatisfy { moment in
      listeners.contains { listener in
        listener.client == moment.client && listener.listener.name == moment.label
          && moment.index.map { $0 <= listener.items.count } ?? true
      }
        || outcomes.contains { $0.client == moment.client && $0.call.name == moment.label }
    }
  }
}

// Values that another client would not give in the same way.

extension Recorder {
  /// A key; one that a client has made gets a name where it first occurs.
  private mutating func pattern(_ key: Key) -> Pattern {
    guard key.isMade else { return .exactly(.string(key.string)) }
    if let index = madeKeys.firstIndex(of: key) { return .ref("key\(index + 1)") }
    madeKeys.append(key)
    return .bind("key\(madeKeys.count)")
  }

  private func pattern(_ node: Node) -> Pattern {
    guard isDistinctive(node) else { return .exactly(node.json) }
    if case .number? = node.scalar, node.priority == nil { return .serverTime }
    if node.children.contains(where: \.key.isMade) {
      let isSimple = node.priority == nil && node.children.allSatisfy(\.key.isMade)
      return isSimple ? .unordered(node.children.map { pattern($0.node) }) : .any
    }
    var members = node.children.map { Pattern.Member($0.key.string, pattern($0.node)) }
    if let scalar = node.scalar { members.append(.init(".value", pattern(Node(scalar)))) }
    if let priority = node.priority { members.append(.init(".priority", pattern(Node(priority)))) }
    return .mapping(members)
  }

  /// Whether keys that clients make or times of the server stand in it.
  private func isDistinctive(_ node: Node) -> Bool {
    isTime(node.scalar) || isTime(node.priority)
      || node.children.contains { $0.key.isMade || isDistinctive($0.node) }
  }

  private func isTime(_ scalar: Scalar?) -> Bool {
    guard case let .number(number)? = scalar else { return false }
    return serverTimes.contains { $0.contains(number) }
  }
}

extension Key {
  /// Whether it has the form of a push id.
  fileprivate var isMade: Bool {
    var bindings = Bindings()
    return Pattern.pushID.matches(.string(string), bindings: &bindings)
  }
}

extension Scenario {
  /// Names exactly those calls whose outcome is listed; what listens is named as it was.
  mutating func nameCalls(listed: Set<Recorder.Name>) {
    var mapping = ActionMapping<Never>()
    mapping.call = { call in
      if call.operation.kind.registersListener { return call }
      var copy = call
      copy.isNamed = listed.contains(.init(client: call.client, label: call.id.name))
      return copy
    }
    steps = steps.map { $0.mapped(mapping) }
  }
}
