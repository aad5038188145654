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
    if let move = nextMove {
      perform(move)
      return true
    }
    return goOnUnlessOver()
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
