internal import ClientInterface
internal import Conformance
internal import Mutants
internal import ReferenceClient
internal import Scenario
import ScenarioFiles
internal import Shrinking

// What was found, made small.

extension Detector {
  /// The path of the file that a small scenario could become.
  private static let file = "Scenarios/found/small.yaml"

  /// Makes small what the hunt has found, or else the first scenario of the suite that fails.
  ///
  /// The latter also where the former needs a shadow to be seen.
  func shrink(_ mutant: Mutant, _ evidence: inout MutantResult) {
    let start = clock()
    var result: (small: ShrunkFailure, failingSetup: FailingSetup)?
    for (scenario, failingSetup) in failures(of: mutant, evidence)
    where result?.small.needsShadow ?? true {
      guard let small = failingSetup.shrink(scenario, file: Self.file) else { continue }
      if result == nil || !small.needsShadow { result = (small, failingSetup) }
    }
    guard let (small, failingSetup) = result else { return }
    evidence.times.shrinking = clock() - start
    var shrunk = MutantResult.Shrunk(steps: small.stepsAfter, executions: small.executions)
    shrunk.isMinimal = small.isMinimal
    shrunk.needsShadow = small.needsShadow
    shrunk.text = small.scenario.yaml()
    shrunk.profile = failingSetup.profile.name
    shrunk.seed = failingSetup.runner.seed
    shrunk.signature = small.signature
    evidence.shrunk = shrunk
  }

  private func failures(of mutant: Mutant, _ evidence: MutantResult) -> [(Scenario, FailingSetup)] {
    var failures: [(Scenario, FailingSetup)] = []
    if let seed = evidence.hunt?.seed {
      let (scenario, profile) = drawn(for: mutant, seed)
      let failingSetup = FailingSetup(
        Self.hunter(of: mutant, seed: seed), reference: Self.reference(seed), profile: profile)
      failures.append((scenario, failingSetup))
    }
    if let first = evidence.suite.first, let profile = Profile(named: first.profile),
      let scenario = scenarios.first(where: { $0.id == first.scenario })
    {
      let failingSetup = FailingSetup(
        Self.runner(mutant), reference: Self.reference(0), profile: profile)
      failures.append((scenario, failingSetup))
    }
    return failures
  }

  private static func reference(_ seed: UInt64) -> ScenarioRunner {
    ScenarioRunner(seed: seed) { ReferenceClient(profile: $1) }
  }

  /// Whether the file of a small scenario fails here as it did where it was made, and the reference
  /// client passes it.
  public static func confirms(_ evidence: MutantResult) -> Bool {
    guard let shrunk = evidence.shrunk, let profile = Profile(named: shrunk.profile) else {
      return false
    }
    let read = ScenarioReader.read(
      file: file, bytes: Array(shrunk.text.utf8), load: { _ in nil })
    guard let scenario = read.scenarios.first else { return false }
    let runner =
      shrunk.needsShadow
      ? hunter(of: evidence.mutant, seed: shrunk.seed)
      : runner(evidence.mutant, seed: shrunk.seed)
    let result = runner.run(scenario, in: profile)
    return result.signature == shrunk.signature
      && reference(shrunk.seed).run(scenario, in: profile).verdict == .pass
  }
}
