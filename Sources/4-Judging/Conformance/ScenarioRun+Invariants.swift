internal import ClientInterface
internal import Document
import Invariants
internal import Scenario
internal import Simulator
internal import Trace
internal import Tree
internal import Wire
internal import WireMonitor

// What is judged whatever the steps expect.

extension ScenarioRun {
  /// In a scenario without expectations: adds what went wrong since the last call. The run is over
  /// then, because nothing that follows says more.
  mutating func judgeInvariants() {
    read()
    differences += shadows?.judgeEnd() ?? []
    let position = Position(line: 1, column: 1)
    let breaches = evaluation.observationLog.takeBreaches()
    let registry = evaluation.observationLog.registry
    var found = breaches.map { registry.divergence($0, at: position) }
    if judgesInvariants {
      found.add(evaluation.takeFindings().map { registry.divergence($0, at: position) })
    }
    found.add(takeDifferences())
    if found.isEmpty { return }
    addAtTheirSteps(found)
    isFinished = true
  }

  /// Adds divergences that are no expectation's at the steps in which they became apparent.
  mutating func addAtTheirSteps(_ found: [Divergence]) {
    for var divergence in found {
      let evidence = divergence.evidence
      let number = evidence.map { simulator.trace.events[$0].step } ?? evaluation.stepsRun + 1
      let step = scenario.steps[max(1, min(number, scenario.steps.count)) - 1]
      divergence.position = step.position
      evaluation.add([divergence], step: max(1, number), file: step.file)
    }
  }

  /// What clients did otherwise than their shadows.
  mutating func takeDifferences() -> [Divergence] {
    if differences.isEmpty { return [] }
    defer { differences = [] }
    let registry = evaluation.observationLog.registry
    return differences.filter { !isUntold($0, registry) }.map {
      registry.divergence($0, at: Position(line: 1, column: 1))
    }
  }

  /// Whether a client does not learn how a call like this ended, although its shadow does; or whether the two
  /// may differ because one asks the server and the other one need not (GET-6).
  private func isUntold(_ difference: ShadowDifference, _ registry: Registry) -> Bool {
    let name = Registry.Name(client: difference.client, label: difference.label)
    if registry.listeners[name]?.isRemovable == false { return true }
    return lacks[difference.client.number].contains(.authEnds)
      && registry.calls[name]?.operation.kind.family == .credential
  }

  /// Has each client compared with another one that sees the same.
  mutating func watchShadows(_ make: (() -> any SyncClient)?) {
    shadows = make.map {
      ShadowMonitor(clients: scenario.clients.count, epoch: epoch, make: $0)
    }
  }
}

extension Registry {
  /// A broken invariant as a divergence of a scenario.
  func divergence(_ finding: InvariantViolation, at position: Position) -> Divergence {
    let subject: Subject =
      switch finding.about {
      case let .listener(client, id, target):
        .listener(client: name(of: client), name: id.name, target)
      case let .call(client, id, operation):
        .call(client: name(of: client), id: id.name, operation)
      case let .client(client): .client(name(of: client))
      case .server: .server
      }
    var divergence = Divergence(
      .broken(finding.invariant, finding.sentence), of: subject, at: position,
      evidence: finding.evidence)
    divergence.details = finding.details
    if case let .call(client, id, _) = finding.about {
      divergence.origin = calls[Name(client: client, label: id.name)]?.sequence
    }
    return divergence
  }
}

extension Registry {
  /// What is never allowed, as a divergence of a scenario.
  func divergence(_ breach: ObservationWindow.Breach, at position: Position) -> Divergence {
    let kind: Divergence.Kind =
      switch breach.kind {
      case let .wire(breach): .protocolBreach(breach)
      case let .unknownLabel(label): .unknownLabel(label)
      case let .uncaught(exception): .uncaught(exception)
      }
    return Divergence(
      kind, of: breach.isOfServer ? .server : .client(name(of: breach.client)), at: position,
      evidence: breach.sequence)
  }
}

extension Divergence {
  var isBrokenInvariant: Bool {
    if case .broken = kind { true } else { false }
  }
}

extension ObservationWindow.Breach {
  /// Whether the server did it, as the client sees it.
  fileprivate var isOfServer: Bool {
    if case let .wire(finding) = kind { finding.sender == .server } else { false }
  }
}
