public import ClientInterface
internal import Document
public import Scenario
public import Trace
public import Tree
internal import Wire

extension Scenario {
  /// Fills in what the scenario expects: what the clients of a session that was recorded have
  /// shown.
  ///
  /// - Parameters:
  ///   - session: The recorded events of the clients, in the order in which they happened.
  ///   - bounds: For each step of the scenario, how many events of the session there were before
  ///     it, and before the next one.
  ///   - times: What clocks showed at the start and at the end of the session.
  ///   - server: What the server stored in the end.
  /// - Returns: The scenario, as ``ScenarioRunner/expecting(_:in:)`` returns it for a run.
  public func witnessed(
    by session: Trace, _ bounds: [Range<Int>], times: ClosedRange<Instant>, server: Node
  ) -> Scenario {
    var log = ObservationLog(clients: clients)
    var recorder = Recorder(self)
    recorder.serverTimes = [times.lowerBound.milliseconds...times.upperBound.milliseconds]
    for (index, step) in steps.enumerated() {
      log.take(session, upTo: bounds[index].lowerBound)
      for call in step.parts.compactMap(\.action.call) {
        guard let client = log.index(of: call.client) else { continue }
        log.add(
          call.id, isNamed: call.isNamed, call.operation, of: client, step: index + 1,
          sequence: log.position)
      }
      guard step.expectation != nil else { continue }
      log.take(session, upTo: bounds[index].upperBound)
      recorder.fill(index, log, session, server: server)
      let last = session.events[..<log.position].last
      log.beginWindow(at: last?.time ?? .zero)
    }
    return recorder.recorded
  }
}

extension ObservationLog {
  /// Takes the events of a session up to a bound, from the one after those that were taken.
  fileprivate mutating func take(_ session: Trace, upTo bound: Int) {
    while position < min(bound, session.count) {
      withUnsafePointer(to: session.events[position]) { take($0) }
    }
  }
}

/// Writes down what was observed as what is expected.
struct Recorder {
  private var scenario: Scenario
  /// What the server's clock has shown so far.
  var serverTimes: [ClosedRange<Double>] = []
  /// The names of keys that clients have made, in the order in which they were seen.
  private var madeKeys: [Key] = []

  /// Fills in the expectations of a scenario, wherever it expects something.
  init(_ scenario: Scenario) {
    self.scenario = scenario
  }

  /// The scenario with what was observed as its expectations. Exactly those calls have names whose
  /// outcome is listed; what listens is named as it was.
  var recorded: Scenario {
    let listed = scenario.steps.flatMap { $0.expectation?.outcomes ?? [] }
    let named = Set(listed.map { [$0.client, $0.call.name] })
    var copy = scenario
    copy.steps = scenario.steps.map { step in
      step.mapActions(call: { call in
        if call.operation.kind.registersListener { return call }
        var copy = call
        copy.isNamed = named.contains([call.client, call.id.name])
        return copy
      })
    }
    return copy
  }

  /// Writes down what the expectation of a step has to say so that this run passes. It is about the
  /// same kinds of thing: the server's tree and messages are looked at only where they were before.
  mutating func fill(_ index: Int, _ log: ObservationLog, _ trace: Trace, server: Node) {
    guard let template = scenario.steps[index].expectation else { return }
    var result = Expectation(position: template.position, timing: template.timing)
    result.listeners = listeners(log)
    result.outcomes = outcomes(log, after: result.listeners.count)
    if template.server != nil { result.server = pattern(server) }
    result.isConverged = template.isConverged
    result.order = template.order.filter(result.lists)
    result.frames = template.frames.map { frame in
      var copy = frame
      copy.count = log.frames(like: frame, in: trace).count
      return copy
    }
    scenario.steps[index].expectation = result
  }

  private mutating func listeners(_ log: ObservationLog) -> [ListenerExpectation] {
    let received = log.order.map { ($0, log.observations(of: $0)) }.filter { !$1.isEmpty }
    return zip(1..., received).map { line, received in
      ListenerExpectation(
        client: log.name(of: received.0.client), listener: ListenerID(received.0.label),
        position: Position(line: line, column: 1), items: received.1.map { .event(event($0)) })
    }
  }

  /// The ends of calls; their locations are behind those of so many listeners, as in a file.
  private mutating func outcomes(
    _ log: ObservationLog, after count: Int
  ) -> [OutcomeExpectation] {
    var result: [OutcomeExpectation] = []
    for ending in log.period.outcomes where !ending.isRepeated && !ending.isLate {
      guard let call = log.calls[ending.name], call.isNamed || !ending.outcome.isSuccess else {
        continue
      }
      result.append(
        OutcomeExpectation(
          client: log.name(of: ending.name.client), call: CallID(ending.name.label),
          position: Position(line: count + result.count + 1, column: 1),
          outcome: outcome(ending.outcome)))
    }
    return result
  }

  private mutating func event(_ observation: Observation) -> ExpectedEvent {
    ExpectedEvent(observation.content, key: { pattern($0) }, value: { pattern($0) })
  }

  private mutating func outcome(_ outcome: Outcome) -> ExpectedOutcome {
    var expected = ExpectedOutcome(
      outcome, input: { isDistinctive(Node(json: $0)) ? .any : .exactly($0) },
      value: { $0.map { pattern($0) } })
    expected.key = outcome.key?.string.map { pattern(Key($0)) }
    return expected
  }
}

// What was observed as what is expected.

extension ExpectedEvent {
  /// Exactly this, unless keys and values are given other patterns.
  package init(
    _ content: Observation.Content,
    key pattern: (Key) -> Pattern = { .exactly(.string($0.string)) },
    value: (Node) -> Pattern = { .exactly($0.json) }
  ) {
    let position = Position(line: 1, column: 1)
    switch content {
    case let .cancelled(error): self.init(position: position, kind: .cancelled(error))
    case let .event(event):
      self.init(position: position, kind: .event(event.type))
      key = event.type == .value ? nil : event.key.map(pattern)
      self.value = value(event.value)
      switch event.previous {
      case .none: break
      case .first: previous = .first
      case let .key(key): previous = .key(pattern(key))
      }
    }
  }
}

extension ExpectedOutcome {
  /// Exactly this, unless inputs and values are given other patterns.
  package init(
    _ outcome: Outcome, input: (JSON) -> Pattern = { .exactly($0) },
    value: (Node?) -> Pattern? = { .exactly(($0 ?? .empty).json) }
  ) {
    self.init(
      end: outcome.end.map { End($0, value: value) }, key: outcome.key.map { .exactly($0) },
      inputs: outcome.inputs.isEmpty ? nil : outcome.inputs.map(input))
  }
}

extension ExpectedOutcome.End {
  /// Exactly this, unless the value of a transaction is given another pattern.
  init(
    _ end: Outcome.End, value pattern: (Node?) -> Pattern? = { .exactly(($0 ?? .empty).json) }
  ) {
    switch end {
    case let .threw(code): self = .threw(code)
    case let .answered(value): self = .answered(.exactly(value))
    case let .completed(completion):
      if let error = completion.error {
        self = .error(error)
      } else if let committed = completion.committed {
        let value = pattern(completion.value)
        self = committed ? .committed(value) : .notCommitted(value)
      } else {
        self = .ok
      }
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
