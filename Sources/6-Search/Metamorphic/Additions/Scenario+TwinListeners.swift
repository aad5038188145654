internal import ClientInterface
internal import Scenario

extension Scenario {
  /// With a second listener beside each, which is registered and removed with it and receives the
  /// same.
  func withTwinListeners() throws(UnsupportedReason) -> Scenario {
    if let delicateFault { throw UnsupportedReason(delicateFault) }
    if calls.flatMap(\.operation.nestedCalls).contains(where: { $0.operation.removesListeners }) {
      throw UnsupportedReason("a callback removes a listener, whose twin it does not know")
    }
    var twins = TwinListeners()
    for call in calls { twins.add(call) }
    guard !twins.isEmpty else { throw UnsupportedReason("nothing is listened to") }
    var changed = self
    changed.steps = steps.flatMap { twins.steps(of: $0) }
    return changed
  }
}

extension ClientInterface.Operation {
  fileprivate var removesListeners: Bool {
    switch listenerChange {
    case .removes, .removesAll: true
    case .registers, nil: false
    }
  }
}

/// The second listeners of a scenario.
private struct TwinListeners {
  private var labels: Set<Label> = []

  private struct Label: Hashable {
    var client: String
    var name: String
  }

  var isEmpty: Bool { labels.isEmpty }

  mutating func add(_ call: Action.Call) {
    guard case let .listen(id, _, _) = call.operation else { return }
    labels.insert(Label(client: call.client, name: id.name))
  }

  /// No label of a file contains an apostrophe.
  private func twin(of name: String, _ client: String) -> String? {
    labels.contains(Label(client: client, name: name)) ? name + "'" : nil
  }

  /// The step, with the same for the second listener behind it.
  func steps(of step: Step) -> [Step] {
    var step = step
    let expectation = step.expectation.map(expectation)
    if case let .together(steps) = step.action {
      step.action = .together(steps.flatMap { self.steps(of: $0) })
    }
    guard case let .call(call) = step.action, let twin = twin(of: call) else {
      step.expectation = expectation
      return [step]
    }
    step.expectation = nil
    var second = step
    second.action = .call(twin)
    second.expectation = expectation
    return [step, second]
  }

  private func twin(of call: Action.Call) -> Action.Call? {
    switch call.operation.listenerChange {
    case let .registers(new) where !new.isOnce: break
    case let .removes(id, _) where twin(of: id.name, call.client) != nil: break
    case .registers, .removes, .removesAll, nil: return nil
    }
    var second = renaming.call(call)
    second.id = CallID(call.id.name + "'")
    return second
  }

  /// Names the second listeners in place of the first ones.
  private var renaming: ScenarioRenaming {
    var renaming = ScenarioRenaming()
    renaming.label = { twin(of: $0, $1) ?? $0 }
    return renaming
  }

  private func expectation(_ expectation: Expectation) -> Expectation {
    let second = renaming.expectation(expectation)
    var doubled = expectation
    doubled.listeners = zip(expectation.listeners, second.listeners).flatMap {
      $0.listener == $1.listener ? [$0] : [$0, $1]
    }
    doubled.outcomes = zip(expectation.outcomes, second.outcomes).flatMap {
      $0.call == $1.call ? [$0] : [$0, $1]
    }
    doubled.alternatives = expectation.alternatives.map(self.expectation)
    return doubled
  }
}
