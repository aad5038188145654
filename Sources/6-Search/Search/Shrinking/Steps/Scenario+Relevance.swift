internal import ClientInterface
internal import Conformance
internal import Faults
internal import Scenario
internal import Trace
internal import Tree

// What of a run its failure is likely to need.

extension ScenarioResult {
  /// Smaller scenarios that may fail in the same way.
  ///
  /// - Parameter scenario: The one that was run, judged by the invariants.
  /// - Returns: What the client did at, above and below the location of the failure until it showed; the
  ///   same with what others did there; with faults; and all that was done until then.
  func likelyCores(of scenario: Scenario) -> [Scenario] {
    guard let divergence = divergences.first, scenario.steps.count == self.scenario.steps.count
    else { return [] }
    let last = divergence.evidence.flatMap { trace.events.indices.contains($0) ? $0 : nil }
      .map { trace.events[$0].step }
    let cut = scenario.cut(after: max(1, last ?? stepsRun))
    let (client, path) = (divergence.subject.clientName, divergence.subject.path)
    return Relevance.allCases.map { relevance in
      cut.keeping { relevance.includes($0, client, path) }
    } + [cut]
  }
}

extension ScenarioResult {
  /// Whether the failure could be seen in a scenario: it needs a listener or a call such as the one that
  /// it is about.
  func canRecur(in scenario: Scenario) -> Bool {
    guard let divergence = divergences.first else { return true }
    let made = scenario.calls.flatMap { call in
      [call.operation] + call.operation.nestedCalls.map(\.operation)
    }
    switch divergence.subject {
    case let .listener(_, _, target):
      return made.contains {
        $0.registration?.target.query.circumstances == target.query.circumstances
      }
    case let .call(_, _, operation): return made.contains { $0.kind == operation.kind }
    case .client, .server: return true
    }
  }
}

/// How much of what was done matters to a failure.
private enum Relevance: CaseIterable {
  case own
  case others
  case faults

  func includes(_ action: Action, _ client: String?, _ path: Path) -> Bool {
    let isNear = action.path.map { $0.isRelated(to: path) } ?? true
    let isOwn = action.client == client
    return switch self {
    case .own: isOwn && isNear && !action.isFault
    case .others: isNear && (isOwn || action.path != nil)
    case .faults: isNear && (isOwn || action.path != nil || action.isFault)
    }
  }
}

extension Scenario {
  /// With the actions alone that are wanted, what lets time pass, and the clients that are left.
  fileprivate func keeping(_ isWanted: (Action) -> Bool) -> Scenario {
    var copy = without(
      elements.filter { element in self[element].isIntervention && !isWanted(self[element]) })
    let needed = Set(copy.actions.compactMap(\.client))
    if !needed.isEmpty { copy.clients = clients.filter(needed.contains) }
    return copy
  }
}
