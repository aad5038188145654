import ClientInterface
import Conformance
import Hunting
import ReferenceClient
import Trace

/// Scenarios as a hunt draws them, each judged by all invariants.
struct HuntedRuns {
  /// What some runs came to.
  private(set) var scenarios = 0
  /// The events of their traces.
  private(set) var events = 0
  /// What was taken out of their queues.
  private(set) var queueSteps = 0
  private(set) var virtualNanoseconds: Int64 = 0

  /// Draws the scenarios with the given seeds and runs them.
  init(_ seeds: Range<UInt64>) {
    let runner = ScenarioRunner { ReferenceClient(profile: $1) }
    let generator = Generator(profile: .firebase)
    for seed in seeds {
      let result = runner.run(generator.scenario(seed: seed).scenario, in: .firebase)
      scenarios += 1
      events += result.trace.count
      queueSteps += result.queueSteps
      virtualNanoseconds += result.duration.nanoseconds
    }
  }
}
