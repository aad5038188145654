import ClientInterface
import Conformance
import Hunting
import ReferenceClient

/// Scenarios as a hunt draws them, each judged by all invariants.
struct HuntedRuns {
  /// What some runs came to.
  private(set) var scenarios = 0
  private(set) var steps = 0
  private(set) var virtualNanoseconds: Int64 = 0

  /// Draws the scenarios with the given seeds and runs them.
  init(_ seeds: Range<UInt64>) {
    let runner = ScenarioRunner { ReferenceClient(profile: $1) }
    let generator = Generator(profile: .firebase)
    for seed in seeds {
      let result = runner.run(generator.scenario(seed: seed).scenario, in: .firebase)
      scenarios += 1
      steps += result.queueSteps
      virtualNanoseconds += result.duration.nanoseconds
    }
  }
}
