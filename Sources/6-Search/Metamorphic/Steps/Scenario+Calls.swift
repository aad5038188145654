internal import ClientInterface
internal import Faults
internal import Scenario

extension Scenario {
  /// Why a message or a connection more could be noticed by a fault, or `nil`.
  var delicateFault: String? {
    if steps.flatMap(\.parts).contains(where: { $0.trigger != nil }) {
      return "a fault waits for something"
    }
    let dependsOnTraffic = actions.contains {
      $0.fault?.kind.traits.contains(.dependsOnTraffic) ?? false
    }
    return dependsOnTraffic ? "a fault counts messages or connections" : nil
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

extension Action {
  static func call(_ client: String, _ id: String, _ operation: ClientInterface.Operation) -> Action
  {
    .call(.init(client: client, id: CallID(id), isNamed: false, operation: operation))
  }
}
