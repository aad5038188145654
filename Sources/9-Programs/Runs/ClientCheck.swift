import AdapterSessions
public import ClientInterface
import Document
import Reports
import System

/// What runs of a client came to.
public struct ClientCheck: Sendable {
  /// Whether everything passed, or failed as listed among the known failures.
  public let passed: Bool
  /// The report on each run that has something to say, and a summary.
  public let text: String
  /// What a process is to end with, as `kennel run` would.
  public let exitCode: Int32
}

/// Runs scenarios against a client in this process, as `kennel run` does.
///
/// Scenarios and rules are found from the current directory upwards, or in `KENNEL_HOME`.
///
/// - Parameters:
///   - scenarios: Paths, ids and patterns of scenarios; all of them if empty.
///   - profiles: The profiles to run; all that each scenario is for if empty.
///   - seed: The seed of what scenarios leave open, such as latencies.
///   - knownFailures: The file of a list of known failures; nil for none.
///   - junit: The file for a report in JUnit's XML; nil for none.
///   - makeClient: Makes each client of each run.
/// - Returns: What the runs came to.
/// - Throws: Why nothing could be run: a scenario that does not exist, a list with mistakes, a report
///   that cannot be written.
public func checkClient(
  _ scenarios: [String] = [], profiles: [Profile] = [], seed: UInt64 = 0,
  knownFailures: String? = nil, junit: String? = nil,
  makeClient: @escaping (Profile) -> any SyncClient
) throws -> ClientCheck {
  try check(scenarios, profiles, seed, knownFailures, junit) { $0.makeClient = makeClient }
}

/// Runs scenarios against a client behind an adapter, as `kennel run … -- COMMAND` does.
///
/// Scenarios and rules are found as by ``checkClient(_:profiles:seed:knownFailures:junit:makeClient:)``.
///
/// - Parameters:
///   - command: The program and its arguments; it is found as a shell finds it.
///   - scenarios: Paths, ids and patterns of scenarios; all of them if empty.
///   - profiles: The profiles to run; all that each scenario is for if empty.
///   - seed: The seed of what scenarios leave open, such as latencies.
///   - knownFailures: The file of a list of known failures; nil for none.
///   - junit: The file for a report in JUnit's XML; nil for none.
///   - warn: Receives what the adapter does wrong that is no verdict, a line each.
/// - Returns: What the runs came to.
/// - Throws: Why nothing could be run: also a program that does not start, or does not answer in
///   10 seconds.
/// - Complexity: O(scenarios), and a round trip to the adapter for each input of a client.
public func checkAdapter(
  _ command: [String], _ scenarios: [String] = [], profiles: [Profile] = [], seed: UInt64 = 0,
  knownFailures: String? = nil, junit: String? = nil, warn: @escaping (String) -> Void = { _ in }
) throws -> ClientCheck {
  try check(scenarios, profiles, seed, knownFailures, junit) {
    $0.adapter = AdapterOptions(command: command, warn: warn)
  }
}

private func check(
  _ scenarios: [String], _ profiles: [Profile], _ seed: UInt64, _ knownFailures: String?,
  _ junit: String?, _ subject: (inout RunSettings) -> Void
) throws -> ClientCheck {
  var settings = RunSettings()
  settings.selectors = scenarios
  settings.profiles = profiles.map(\.name)
  settings.seed = seed
  settings.endsOnSignals = false
  settings.gate.list = knownFailures
  settings.reports.files[.junit] = junit
  subject(&settings)
  var run = try GatedRun(settings, palette: .plain)
  let outcome = try run.run(onNext: { _, _ in }, onRecords: { _ in })
  return ClientCheck(
    passed: outcome.exitCode == .success,
    text: RunRecord.text(explaining: outcome.records) + outcome.summary.text(.plain),
    exitCode: outcome.exitCode.rawValue)
}
