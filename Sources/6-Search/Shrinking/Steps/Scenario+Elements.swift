internal import ClientInterface
internal import Scenario

/// A step, or one of several that happen together.
struct Element: Hashable {
  var step: Int
  /// Its number among those that happen together; `nil` for a step of its own.
  var member: Int?
}

extension Scenario {
  /// Everything that is done, in the order of the file.
  var elements: [Element] {
    steps.enumerated().flatMap { index, step -> [Element] in
      guard case let .together(members) = step.action else { return [Element(step: index)] }
      return members.indices.map { Element(step: index, member: $0) }
    }
  }

  subscript(_ element: Element) -> Action {
    get { self[step: element].action }
    set { self[step: element].action = newValue }
  }

  subscript(step element: Element) -> Step {
    get {
      let step = steps[element.step]
      guard let member = element.member, case let .together(members) = step.action else {
        return step
      }
      return members[member]
    }
    set {
      guard let member = element.member,
        case var .together(members) = steps[element.step].action
      else {
        steps[element.step] = newValue
        return
      }
      members[member] = newValue
      steps[element.step].action = .together(members)
    }
  }

  /// The scenario without some of what is done.
  func without(_ elements: some Sequence<Element>) -> Scenario {
    let removed = Set(elements)
    var copy = self
    copy.steps = []
    for (index, step) in steps.enumerated() {
      if removed.contains(Element(step: index)) { continue }
      guard case let .together(members) = step.action else {
        copy.steps.append(step)
        continue
      }
      let kept = members.indices.filter { !removed.contains(Element(step: index, member: $0)) }
      var changed = step
      changed.action = .together(kept.map { members[$0] })
      copy.steps.append(changed)
    }
    return copy
  }
}

extension Action {
  /// The client that does it or that it befalls; `nil` for what is about none, or about all.
  var client: String? {
    switch self {
    case let .call(call): call.client
    case let .process(action): action.client
    case let .network(action): action.client
    case let .server(action): action.client
    case .wait, .settle, .disarm, .together, .expect: nil
    }
  }

  /// What kind of thing it is, so that all of a kind can be left out at once.
  var kind: String {
    switch self {
    case let .call(call): call.operation.name
    case let .process(action): action.kind
    case let .network(action): action.kind
    case let .server(action): action.kind
    case .wait: "wait"
    case .settle, .expect: "settle"
    case .disarm: "disarm"
    case .together: "together"
    }
  }

  /// Whether it is done by nobody but to somebody.
  var isFault: Bool {
    switch self {
    case .process, .network, .server: true
    case let .call(call): [.goOffline, .goOnline].contains(call.operation)
    case .wait, .settle, .disarm, .expect, .together: false
    }
  }
}

extension ProcessAction {
  /// What ends processes and what begins them goes together.
  fileprivate var kind: String {
    switch self {
    case .kill, .start: "process"
    case .clock: "clock"
    case .storage: "storage"
    }
  }
}

extension NetworkAction {
  /// What breaks connections and what mends them goes together.
  fileprivate var kind: String {
    switch self {
    case .latency: "latency"
    case .stall, .resume: "stall"
    case .halfOpen: "half-open"
    case .closeAfter, .loseAcknowledgement, .lateClose, .drop: "close"
    case .cut, .heal, .refuse: "network"
    }
  }
}

extension ServerAction {
  fileprivate var kind: String {
    switch self {
    case .set, .update, .remove: "server write"
    case .reject: "reject"
    case .revoke: "revoke"
    case .revokeCredential: "revoke-auth"
    case .restart: "restart"
    case .redirect: "redirect"
    case .shutdown: "shutdown"
    case .clock: "server clock"
    case .stale: "stale"
    }
  }
}
