public import ClientInterface
internal import Document
internal import Faults
internal import Scenario
internal import ScenarioFiles
internal import Tree
internal import Wire

extension Case {
  /// The case as a scenario file, with one client.
  ///
  /// - Parameter profiles: The profiles for which the case holds.
  /// - Returns: The text of the file.
  /// - Throws: The first step that no scenario can express.
  public func scenarioText(for profiles: [Profile]) throws(UntranslatableCase) -> String {
    var translation = CaseTranslation(self)
    for step in steps {
      do throws(Obstacle) {
        try translation.add(step)
      } catch {
        throw UntranslatableCase(self, at: step.position, error.rawValue)
      }
    }
    let text = translation.text(for: profiles)
    let result = ScenarioReader.read(file: "case.yaml", bytes: Array(text.utf8)) { _ in nil }
    if let problem = result.problems.first {
      throw UntranslatableCase(self, at: position, problem.message)
    }
    return text
  }
}

/// The steps of a scenario that does what a case does.
///
/// A stall holds up what the client sends, so that the server is asked only when the case has it
/// answer; the server's data are writes of another client.
struct CaseTranslation {
  private let subject: Case
  private var server = CaseServer()
  private var listeners = CaseListeners(client: client)
  private var steps: [Step] = []
  private var rules: Set<String> = []

  private static let client = "client"

  init(_ subject: Case) {
    self.subject = subject
  }

  /// The whole file.
  func text(for profiles: [Profile]) -> String {
    var scenario = Scenario(
      id: "case", file: "case.yaml", title: subject.name, clients: [Self.client])
    scenario.rules = rules.sorted().map { .init(id: $0, position: subject.position) }
    scenario.profiles = profiles
    scenario.tags = ["sync-point"]
    scenario.steps = steps
    let file = subject.file.split(separator: "/").last.map(String.init) ?? subject.file
    return scenario.yaml(comment: "From \(file), line \(subject.position.line).")
  }

  /// Adds what has the effect of a step of the case, and what must be observed after it.
  mutating func add(_ step: CaseStep) throws(Obstacle) {
    let count = steps.count
    var expectation = Expectation(position: step.position, timing: .settled)
    var listener: ListenerID?
    switch step.action {
    case let .listen(target, tag, callback): listener = listen(target, tag: tag, callback)
    case let .unlisten(path, callback): unlisten(path, callback)
    case let .serverUpdate(path, node, tag):
      let passage = try server.send([(path, node)], isWhole: true, tag: tag)
      append(stored(at: path))
      pass(passage)
    case let .serverMerge(path, parts, tag):
      let passage = try server.send(parts.sets(below: path), isWhole: false, tag: tag)
      append(.write(.update(path, parts)))
      pass(passage)
    case let .write(write): try call(write)
    case .hiddenWrite: throw .hiddenWrite
    case let .acknowledge(write, isAccepted):
      try acknowledge(write, isAccepted, &expectation)
    case .suppressWarning: break
    }
    try listeners.add(step, to: &expectation, newListener: listener)
    if steps.count == count {
      guard step.events.isEmpty else { throw .unclearListener }
      return
    }
    cite(step, expectation)
    steps[steps.count - 1].expectation = expectation
  }

  private mutating func append(_ action: Action, _ trigger: Step.Trigger? = nil) {
    steps.append(
      Step(
        file: subject.file, position: subject.position, text: "", action: action,
        trigger: trigger))
  }

  private mutating func append(_ fault: NamedFault, _ trigger: Step.Trigger? = nil) {
    append(Action(fault), trigger)
  }
}

// MARK: - The server

extension CaseTranslation {
  private mutating func hold() {
    if server.hold() { append(.stall(Self.client, .toServer)) }
  }

  /// Lets requests of the client arrive.
  private mutating func pass(_ passage: CaseServer.Passage?) {
    guard let passage else { return }
    if let (kind, number) = passage.end {
      append(
        .stall(Self.client, .toServer),
        .frame(.init(kind: kind, client: Self.client, count: number, edge: .before)))
    }
    append(.resume(Self.client, .toServer))
  }

  /// A write after which the server has what it has now. A priority is written with its node.
  private func stored(at path: Path) -> NamedFault {
    let owner = path.key == .priority ? path.parent ?? path : path
    let node = server.tree[owner]
    return .write(node.isEmpty ? .remove(owner) : .set(owner, node))
  }

  private mutating func acknowledge(
    _ number: Int, _ isAccepted: Bool, _ expectation: inout Expectation
  ) throws(Obstacle) {
    let (write, passage) = try server.answer(number, isAccepted: isAccepted)
    if !isAccepted { append(.reject(SecurityRule(write.path, deny: [.write]))) }
    pass(passage)
    let error = ErrorCode(SecurityRule.permissionDenied)
    expectation.outcomes = [
      OutcomeExpectation(
        client: Self.client, call: write.call, position: expectation.position,
        outcome: ExpectedOutcome(end: isAccepted ? .ok : .error(error)))
    ]
  }
}

// MARK: - Calls

extension CaseTranslation {
  private mutating func listen(
    _ target: Operation.Target, tag: Int?, _ callback: Int?
  ) -> ListenerID {
    if server.listen(target, tag: tag) { hold() }
    let listener = listeners.register(target, callback: callback)
    append(.listen(listener, target, Set(EventType.allCases)), CallID(listener.name))
    return listener
  }

  private mutating func unlisten(_ path: Path, _ callback: Int) {
    for (listener, target) in listeners.remove(callback, at: path) {
      server.unlisten(target)
      append(.unlisten(listener), CallID("un\(listener.name)"))
    }
  }

  /// A write, which has a name where the case has it answered.
  private mutating func call(_ write: CaseWrite) throws(Obstacle) {
    try server.write(write)
    hold()
    let isAnswered = subject.steps.contains {
      if case .acknowledge(write.number, _) = $0.action { true } else { false }
    }
    append(write.operation, write.call, isNamed: isAnswered)
  }

  private mutating func append(
    _ operation: ClientInterface.Operation, _ id: CallID, isNamed: Bool = false
  ) {
    append(
      .call(.init(client: Self.client, id: id, isNamed: isNamed, operation: operation)))
  }

  /// Cites what the step is evidence for.
  private mutating func cite(_ step: CaseStep, _ expectation: Expectation) {
    rules.insert(step.events.isEmpty ? "EVT-12" : "EVT-8")
    if !expectation.order.isEmpty { rules.insert("EVT-15") }
    switch step.action {
    case let .listen(target, _, _):
      if target.query.filters { rules.insert("QRY-20") }
      if !step.events.isEmpty { rules.insert("OBS-2") }
    case .unlisten: rules.insert("OBS-8")
    case .write, .hiddenWrite: rules.insert("WRT-8")
    case let .acknowledge(_, isAccepted): rules.insert(isAccepted ? "WRT-9" : "WRT-14")
    case .serverUpdate, .serverMerge: rules.insert("EVT-14")
    case .suppressWarning: break
    }
  }
}

extension CaseWrite {
  fileprivate var call: CallID { CallID("write\(number)") }
}
