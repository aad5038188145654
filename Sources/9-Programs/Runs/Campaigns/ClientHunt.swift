public import ClientInterface
import Conformance
import Hunting
import ReferenceClient

/// What a hunt for failures of a client came to.
public struct ClientHunt: Sendable {
  /// Whether no invariant was broken.
  public let passed: Bool
  /// The report on the failures, by their kinds.
  public let text: String
  /// For each kind of failure the shortest scenario that shows it, made small, as YAML.
  public let scenarios: [String]
}

/// Runs scenarios that are drawn at random, with faults, against a client in this process, as
/// `kennel hunt` does with one process.
///
/// - Parameters:
///   - seeds: The seeds; each is one scenario, the same on every machine.
///   - profile: The profile to run; nil has the seeds take turns.
///   - makeClient: Makes each client of each run.
/// - Returns: What was found, by kinds of failure.
/// - Complexity: O(scenarios); about a millisecond each, and more for those that fail.
public func huntClient(
  seeds: ClosedRange<UInt64>, profile: Profile? = nil,
  makeClient: @escaping (Profile) -> any SyncClient
) -> ClientHunt {
  let hunter = Hunter(HuntSettings(profile: profile?.name)) { seed in
    var runner = ScenarioRunner(seed: seed) { makeClient($1) }
    runner.shadows = ReferenceClient.shadows(in:)
    return runner
  }
  var results = HuntResults()
  results.add(hunter.run(seeds))
  let scenarios = results.findings.map { finding in
    hunter.shrunk(finding.shortest.seed, signature: finding.signature, name: "found.yaml").text
  }
  return ClientHunt(
    passed: results.findings.isEmpty,
    text: HuntReport(of: results, lacks: hunter.lacks) { _ in [] }.text(), scenarios: scenarios)
}
