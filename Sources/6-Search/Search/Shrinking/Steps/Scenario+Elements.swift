internal import ClientInterface
internal import Document
internal import Faults
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
  /// Whether it makes things worse for a client, or better again.
  var isFault: Bool {
    fault != nil || call?.operation.isOnline != nil
  }
}

extension Scenario {
  /// The scenario without what is not possible in it any more: whatever needs something that is
  /// gone goes with it.
  func tidied() -> Scenario {
    var copy = self
    var tidying = Tidying(clients: clients, calls: calls)
    copy.steps = tidying.kept(steps)
    copy.persistence = persistence.filter { clients.contains($0.key) }
    copy.choices?.removeAll { $0.client.map { !clients.contains($0) } ?? false }
    copy.latency.overrides.removeAll { !clients.contains($0.client) }
    return judging == .expectations ? copy.closed(by: "") : copy
  }
}

/// Walks through the steps with what the steps before have left.
private struct Tidying {
  let clients: [String]
  private var stopped: Set<String> = []
  /// Those whose process ends when something happens, which is unknown here.
  private var removed: Set<String> = []
  /// The listeners of the process that runs, removed or not.
  private var listeners: [String: Set<String>] = [:]
  /// All that any step gives a name to, by client.
  private var names: [String: Set<String>] = [:]

  init(clients: [String], calls: [Action.Call]) {
    self.clients = clients
    for call in calls {
      names[call.client, default: []].formUnion(
        [call.id.name] + call.operation.nestedCalls.map(\.id.name))
    }
  }

  mutating func kept(_ steps: [Step]) -> [Step] {
    var result: [Step] = []
    for var step in steps {
      guard case let .together(members) = step.action else {
        if keeps(step) { result.append(step) }
        continue
      }
      let kept = kept(members)
      if kept.count > 1 {
        step.action = .together(kept)
        result.append(step)
      } else {
        result += kept
      }
    }
    for index in result.indices { clean(&result[index].expectation) }
    return result
  }

  private func clean(_ expectation: inout Expectation?) {
    expectation?.frames.removeAll { !clients.contains($0.client) }
    expectation?.order.removeAll {
      !clients.contains($0.first.client) || !clients.contains($0.second.client)
    }
    expectation?.listeners.removeAll { !clients.contains($0.client) }
    expectation?.outcomes.removeAll { !clients.contains($0.client) }
  }

  private mutating func keeps(_ step: Step) -> Bool {
    if let client = step.action.client, !clients.contains(client) { return false }
    if let client = step.trigger?.client, !clients.contains(client) { return false }
    if let call = step.action.call { return !stopped.contains(call.client) && keeps(call) }
    if let fault = step.action.fault { return keeps(fault, waits: step.trigger != nil) }
    if case let .wait(interval) = step.action { return interval > .zero }
    return true
  }

  private mutating func keeps(_ fault: NamedFault, waits: Bool) -> Bool {
    switch fault {
    case let .kill(client):
      if stopped.contains(client) || removed.contains(client) { return false }
      if waits {
        removed.insert(client)
      } else {
        stopped.insert(client)
        listeners[client] = []
      }
      return true
    case let .start(client, _):
      if removed.remove(client) != nil {
        listeners[client] = []
        return true
      }
      return stopped.remove(client) != nil
    default: return true
    }
  }

  private mutating func keeps(_ call: Action.Call) -> Bool {
    if let new = call.operation.registration {
      listeners[call.client, default: []].insert(new.listener.name)
      return true
    }
    if case let .on(reaction) = call.operation { return keeps(reaction, of: call.client) }
    let given = call.operation.arguments
    var used = given.listener
    if case let .snapshot(listener, _)? = given.inspection?.subject { used = listener }
    if case let .completion(id)? = given.inspection?.subject {
      return names[call.client]?.contains(id.name) ?? false
    }
    return used.map { listeners[call.client]?.contains($0.name) ?? false } ?? true
  }

  private mutating func keeps(_ reaction: Reaction, of client: String) -> Bool {
    let known = names[client] ?? []
    for call in reaction.calls {
      if let new = call.operation.registration {
        listeners[client, default: []].insert(new.listener.name)
      } else if let used = call.operation.arguments.listener, !known.contains(used.name) {
        return false
      }
    }
    return known.contains(reaction.callback.name)
  }
}
