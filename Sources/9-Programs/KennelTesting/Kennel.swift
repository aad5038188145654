public import ClientInterface
public import Runs
public import Testing

/// Scenarios as tests of Swift Testing:
///
///     @Test(arguments: try Kennel.scenarios("writes", "limits/*"))
///     func `the client conforms`(scenario: Kennel.Case) throws {
///       try scenario.check { MyClient(profile: $0) }
///     }
public enum Kennel {
  /// A scenario in one of its profiles.
  public typealias Case = ScenarioCase

  /// The scenarios that are selected, once for each of their profiles.
  ///
  /// - Parameters:
  ///   - selectors: Paths, ids and patterns of scenarios; all of them if empty.
  ///   - profiles: The profiles to run; all that each scenario is for if empty.
  ///   - knownFailures: The file of a list of known failures; nil for none.
  /// - Returns: What a test takes as its arguments.
  /// - Throws: Why nothing can be run: a scenario that does not exist, or files with mistakes.
  public static func scenarios(
    _ selectors: String..., profiles: [Profile] = [], knownFailures: String? = nil
  ) throws -> [ScenarioCase] {
    try ScenarioCase.all(selectors, profiles: profiles, knownFailures: knownFailures)
  }
}

extension ScenarioCase: CustomTestStringConvertible {
  /// Its name among the arguments of a test: `writes/local-echo (firebase)`.
  public var testDescription: String { description }

  /// Runs the scenario, and records an issue with the report when it does not pass.
  ///
  /// A failure that the list names is a known issue. One that the list names although the scenario
  /// passes is an issue, as it is for `kennel run`. What the client has no capability for passes.
  ///
  /// - Parameters:
  ///   - seed: The seed of what the scenario leaves open, such as latencies; nil for that with which
  ///     a hunt has found it, else 0.
  ///   - sourceLocation: Where the issue is reported.
  ///   - makeClient: Makes each client of the run.
  /// - Throws: Why it could not be run.
  public func check(
    seed: UInt64? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    makeClient: @escaping (Profile) -> any SyncClient
  ) throws {
    let result = try run(seed: seed, makeClient: makeClient)
    let comment = Comment(rawValue: result.text)
    switch result.verdict {
    case .passed, .skipped: break
    case .failed: Issue.record(comment, sourceLocation: sourceLocation)
    case .known:
      withKnownIssue("listed as a known failure", sourceLocation: sourceLocation) {
        Issue.record(comment, sourceLocation: sourceLocation)
      }
    }
  }
}
