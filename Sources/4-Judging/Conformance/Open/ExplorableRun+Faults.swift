package import ClientInterface
package import Faults
internal import Scenario
internal import Simulator
internal import Trace

// A run into which faults are thrown between any two things that happen.

extension ExplorableRun {
  /// Lets the next thing happen that would happen without anybody choosing.
  ///
  /// - Returns: `false` when the run is over.
  package mutating func advance() -> Bool {
    if let move = currentMoves.first {
      perform(move)
      return true
    }
    return advanceUnlessOver()
  }

  /// The move that lets faults happen now. It concerns as little as they do, so a search must try
  /// it between any two others.
  package func move(of faults: [IndexedFault]) -> Transition {
    let client = faults.first?.client
    let isLocal = faults.allSatisfy { fault in
      fault.client == client && fault.kind.group != .server
        && !fault.kind.traits.contains(.waits)
    }
    let reach = isLocal ? client.map { Footprint.fault(of: $0.number) } : nil
    return Transition(kind: .fault(faults), reach: reach ?? .anything, isTurningPoint: false)
  }

  /// The move that lets come next what does so without anybody choosing.
  package var nextMove: Transition {
    Transition(kind: .next, reach: .anything, isTurningPoint: true)
  }

  mutating func inject(_ faults: [IndexedFault], reach: Footprint) {
    run.simulator.enter(reach)
    for fault in faults { run.simulator.inject(fault) }
  }

  /// Lets a fault happen now.
  package mutating func inject(_ fault: IndexedFault) {
    advanceStep()
    run.simulator.inject(fault)
  }

  /// What has become of the faults that were thrown in.
  package var faultMarks: [FaultMark] { run.simulator.faultMarks }

  /// How many steps are over.
  package var stepsRun: Int { run.evaluation.stepsRun }

  package var now: Interval { run.simulator.now }

  /// How much has happened so far.
  package var eventCount: Int { run.simulator.trace.count }

  /// What happened last, in words; empty at the beginning.
  package var lastWords: String {
    guard let event = run.simulator.trace.events.last else { return "" }
    return event.route(names: run.scenario.clients) + "  " + event.text
  }
}
