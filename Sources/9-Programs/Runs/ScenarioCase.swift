public import ClientInterface
import Document
import Reports
import Scenario
import Workspace

/// One scenario in one profile, to be run with a client of this process: the argument of a test.
public struct ScenarioCase: Sendable, CustomStringConvertible {
  /// What a run came to.
  public struct Result: Sendable {
    /// What a test does with it.
    public enum Verdict: Sendable {
      /// It passes, or violates no more than recommendations.
      case passed
      /// It fails, is listed as known and passes, or fails in another way than the list states.
      case failed
      /// It fails as the list of known failures states.
      case known
      /// The client has not what the scenario needs, or nothing could be concluded.
      case skipped
    }

    /// What the run means for a test.
    public let verdict: Verdict
    /// The report that `kennel run` prints; empty for a run that passes.
    public let text: String
    /// What a list of known failures calls the failure; nil for a run that does not fail.
    public let signature: String?
  }

  /// The id of the scenario.
  public let id: String
  /// The profile in which it is run.
  public let profile: Profile
  private let scenario: Scenario
  private let suite: Suite

  /// What all cases of a selection share.
  private struct Suite: Sendable {
    var library: ScenarioLibrary
    var gate: CIGate
    var settings: GateSettings
  }

  /// The scenarios that are selected, once for each of their profiles, in the order of `kennel list`.
  ///
  /// Scenarios and rules are found from the current directory upwards, or in `KENNEL_HOME`.
  ///
  /// - Parameters:
  ///   - selectors: Paths, ids and patterns of scenarios; all of them if empty.
  ///   - profiles: The profiles to run; all that each scenario is for if empty.
  ///   - knownFailures: The file of a list of known failures; nil for none.
  /// - Returns: One case for each scenario and profile.
  /// - Throws: Why nothing can be run: a scenario that does not exist, or files with mistakes.
  /// - Complexity: O(scenarios that are read); a run is made by ``run(seed:makeClient:)`` only.
  public static func all(
    _ selectors: [String] = [], profiles: [Profile] = [], knownFailures: String? = nil
  ) throws -> [ScenarioCase] {
    let library = try ScenarioLibrary(selectors)
    try library.requireNoProblems()
    var settings = GateSettings()
    settings.list = knownFailures
    let gate = try CIGate(settings, library, isWhole: selectors.isEmpty)
    let suite = Suite(library: library, gate: gate, settings: settings)
    return library.scenarios.flatMap { scenario in
      scenario.profiles(among: profiles.map(\.name)).map {
        ScenarioCase(id: scenario.id, profile: $0, scenario: scenario, suite: suite)
      }
    }
  }

  public var description: String { "\(id) (\(profile.name))" }

  /// Runs the scenario once.
  ///
  /// - Parameters:
  ///   - seed: The seed of what the scenario leaves open, such as latencies; nil for that with which a hunt
  ///     has found it, else 0.
  ///   - makeClient: Makes each client of the run.
  /// - Returns: The verdict, with the report on a failure.
  /// - Throws: Why it could not be run.
  public func run(
    seed: UInt64? = nil, makeClient: @escaping (Profile) -> any SyncClient
  ) throws -> Result {
    var settings = RunSettings()
    settings.gate = suite.settings
    settings.profiles = [profile.name]
    settings.endsOnSignals = false
    settings.makeClient = makeClient
    settings.seed = seed
    var session = try RunSession(settings, suite.library, palette: .plain)
    var gate = suite.gate
    let records = gate.take(try session.records(of: scenario))
    let text = RunRecord.text(explaining: records)
    var signature: String?
    if let end = records.first?.runEnd.end, case .failed(let failure, _) = end {
      signature = failure
    }
    let verdict = Result.Verdict(records.first?.outcome ?? .skipped)
    return Result(verdict: verdict, text: text, signature: signature)
  }
}

extension ScenarioCase.Result.Verdict {
  fileprivate init(_ outcome: RunRecord.Outcome) {
    switch outcome {
    case .passed, .advised: self = .passed
    case .failed: self = .failed
    case .known: self = .known
    case .skipped: self = .skipped
    }
  }
}
