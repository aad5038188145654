import ClientInterface
import Commands
import Conformance
import Exploration
import Recordings
import ReferenceClient
import Reports
import Rules
import Runs
import Scenario
import ScenarioExtraction
import SearchReports
import Shrinking
import System
import TraceFiles
import Workspace

/// The scenario of a session that was given in place of a scenario; nil for anything else.
func toldSession(_ options: SuspectOptions) throws(Failure) -> Scenario? {
  let path = options.selector
  guard path.hasSuffix(".jsonl"), Files.exists(path), !Files.isDirectory(path) else { return nil }
  let profile = options.profile.flatMap { Profile(named: $0) }
  let session = try readSession([path])
  let retelling = Retelling(
    of: session, title: Retelling.title(of: [lastPart(path)]), profile: profile)
  let text = retelling.yaml(from: [lastPart(path)])
  let read = ScenarioReader.read(file: path, bytes: Array(text.utf8), load: { _ in nil })
  guard let scenario = read.scenarios.first else {
    throw .unusable(
      "\(path) cannot be told as a scenario: \(read.problems.first.map { "\($0)" } ?? "it is empty")"
    )
  }
  return scenario
}

/// Explains why a session fails that is told as a scenario, or says that it does not.
func explain(_ scenario: Scenario, _ options: WhyOptions) throws(Failure) -> ExitCode {
  let runner = try options.run.runner()
  var explorer = Explorer(runner)
  explorer.limit = 10_000
  explorer.freedom = options.opensDeliveries ? .deliveries : .stated
  guard let profile = scenario.profiles.first else { return .usage }
  let result = runner.run(scenario, in: profile)
  if result.verdict == .pass || result.verdict == .vacuous {
    try Console.output(
      """
      \(options.run.selector): told as a scenario it passes; nothing in it went wrong for this client.
      Another one can be tried: --client NAME, or -- COMMAND.

      """)
    return .success
  }
  let reference = ScenarioRunner(seed: options.run.seed ?? 0) { ReferenceClient(profile: $1) }
  let suspect = Suspect(runner, reference: reference, profile: profile)
  guard let explanation = suspect.explain(scenario, with: explorer) else {
    try Console.output(TextReport(rules: try rules()).text(of: result))
    return .divergence
  }
  try Console.output(WhyReport(TextReport(rules: try rules())).text(of: explanation))
  return .divergence
}

private func rules() throws(Failure) -> RuleBook {
  guard let home = try? Home.find() else { return RuleBook(files: []) }
  return try home.ruleBook()
}
