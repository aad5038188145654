internal import ClientInterface
internal import Scenario

extension Scenario {
  /// All calls of clients, in the order of the file.
  var calls: [Action.Call] {
    actions.compactMap { if case let .call(call) = $0 { call } else { nil } }
  }

  /// All that the steps do, in the order of the file, concurrent steps one by one.
  var actions: [Action] { steps.flatMap(\.actions) }

  /// Why a message or a connection more could be noticed by a fault, or `nil`.
  var delicateFault: String? {
    if steps.contains(where: \.waits) { return "a fault waits for something" }
    return actions.contains(where: \.isDelicate) ? "a fault counts messages or connections" : nil
  }

  /// All expectations and alternatives of them.
  var expectations: [Expectation] {
    steps.compactMap(\.expectation).flatMap { $0.alternatives.isEmpty ? [$0] : $0.alternatives }
  }

  /// Whether lists are compared where lists are not the same as mappings.
  var showsLists: Bool {
    let inspects = calls.contains { if case .inspect = $0.operation { true } else { false } }
    return inspects
      || expectations.contains { expectation in
        expectation.outcomes.contains { $0.outcome.inputs?.contains { $0.hasList } ?? false }
      }
  }

  /// A name that no client has and none of its listeners and calls.
  func unusedName(like name: String) -> String {
    let used = Set(clients).union(calls.map(\.id.name))
    let names = [name] + (2...used.count + 2).map { "\(name)-\($0)" }
    return names.first { !used.contains($0) } ?? name
  }
}

extension Step {
  fileprivate var waits: Bool {
    if case let .together(steps) = action { return steps.contains(where: \.waits) }
    return trigger != nil
  }

  fileprivate var actions: [Action] {
    if case let .together(steps) = action { steps.flatMap(\.actions) } else { [action] }
  }
}

extension Action {
  /// Whether what it does depends on which messages there are, or ends with the connection.
  fileprivate var isDelicate: Bool {
    switch self {
    case let .network(action):
      switch action {
      case .cut, .drop, .heal, .refuse, .latency: false
      case .stall, .resume, .halfOpen, .closeAfter, .loseAcknowledgement, .lateClose: true
      }
    case let .process(action):
      switch action {
      case .kill, .start: false
      case .clock, .storage: true
      }
    case let .server(action):
      switch action {
      case .set, .update, .remove, .reject, .revoke, .revokeCredential: false
      case .restart, .redirect, .shutdown, .clock, .stale: true
      }
    case .call, .wait, .settle, .disarm, .together, .expect: false
    }
  }

  static func call(_ client: String, _ id: String, _ operation: ClientInterface.Operation) -> Action
  {
    .call(.init(client: client, id: CallID(id), isNamed: false, operation: operation))
  }
}
