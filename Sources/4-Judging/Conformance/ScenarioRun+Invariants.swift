internal import ClientInterface
internal import Document
import Invariants
internal import Scenario
internal import Simulator
internal import Trace
internal import Tree

// What is judged whatever the steps expect.

extension ScenarioRun {
  /// In a scenario without expectations: adds what went wrong since the last call. The run is over
  /// then, because nothing that follows says more.
  mutating func judgeInvariants() {
    read()
    shadows?.read(simulator.trace, wrongTimes: simulator.wrongTimes)
    differences += shadows?.judgeEnd() ?? []
    let position = Position(line: 1, column: 1)
    let breaches = evaluation.observationLog.takeBreaches()
    let registry = evaluation.observationLog.registry
    var found = breaches.map { registry.divergence($0, at: position) }
    if judgesInvariants {
      evaluation.invariants.read(simulator.trace, wrongTimes: simulator.wrongTimes)
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
