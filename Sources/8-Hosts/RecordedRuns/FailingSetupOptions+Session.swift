import ClientInterface
import Conformance
import Document
package import Exploration
import Processes
import ReferenceClient
import Reports
import Rules
package import Runs
package import Scenario
import SearchReports
import Shrinking
package import System
import Text
import TraceFiles
import Workspace

/// Why a session fails that is written as a scenario, or that it does not.
package struct SessionExplanation {
  package let text: String
  /// `success` when it does not fail.
  package let exitCode: ExitCode
}

extension FailingSetupOptions {
  /// The scenario of the run whose trace was named, with the choices of that run; from now on its
  /// profile and seed count, and its client unless another one was named. `nil` for anything else.
  ///
  /// - Throws: `Failure.unusable` for a trace that cannot be read, and for one of another program that
  ///   was not named again.
  package mutating func takeTrace() throws(Failure) -> Scenario? {
    guard selector.hasSuffix(".jsonl"), Files.exists(selector), !Files.isDirectory(selector) else {
      return nil
    }
    let text = try Files.text(of: selector)
    guard TraceFile.isTrace(text), !TraceFile.isLive(text) else { return nil }
    let header = try reading { () throws(SourceError) in
      try TraceFile(text, file: selector).header
    }
    if client == nil, adapter == nil { run.client = try header.ownClient(for: "why", in: selector) }
    (run.profiles, run.seed) = ([header.profile.name], header.seed)
    return try reading { [selector] () throws(SourceError) in
      header.chosen(try header.readScenario(of: selector))
    }
  }

  /// The session that was named in place of a scenario, as a scenario; nil for anything else.
  ///
  /// - Throws: `Failure.unusable` for a session that cannot be read.
  package func session() throws(Failure) -> SessionScenario? {
    guard selector.hasSuffix(".jsonl"), Files.exists(selector), !Files.isDirectory(selector) else {
      return nil
    }
    return try SessionScenario(of: [selector], profile: profile.flatMap { Profile(named: $0) })
  }

  /// Explains why a session fails.
  ///
  /// - Parameters:
  ///   - session: The session, as a scenario.
  ///   - scope: What order counts as open.
  /// - Returns: The explanation, or that it does not fail.
  /// - Throws: `Failure.unusable` when it cannot be written as a scenario, and `Failure` when there is no
  ///   such client.
  package func explain(
    _ session: SessionScenario, scope: Explorer.Scope
  ) throws(Failure) -> SessionExplanation {
    let scenario = try session.scenario(as: selector)
    let runner = try runner()
    var explorer = Explorer(runner)
    explorer.limit = 10_000
    explorer.scope = scope
    guard let profile = scenario.profiles.first else {
      return SessionExplanation(text: "", exitCode: .usage)
    }
    let result = runner.run(scenario, in: profile)
    if result.verdict == .pass || result.verdict == .vacuous {
      return SessionExplanation(text: praise(session), exitCode: .success)
    }
    let reference = ScenarioRunner(seed: seed) { ReferenceClient(profile: $1) }
    let failingSetup = FailingSetup(runner, reference: reference, profile: profile)
    let explanation = failingSetup.explain(scenario, with: explorer)
    var report = TextReport(rules: try (try? Home.find())?.ruleBook() ?? RuleBook(files: []))
    report.reference = { ReferenceClient(profile: $0) }
    let text =
      explanation.map { WhyReport(report).text(of: $0) } ?? report.text(of: result)
    return SessionExplanation(text: text, exitCode: .divergence)
  }

  /// That no client fails, and what the recorded ones did not send, or sent in addition.
  private func praise(_ session: SessionScenario) -> String {
    let isReference = client == nil && adapter == nil
    let file = shellWord(selector)
    return """
      \(selector): as a scenario it passes with \(isReference ? "the reference client" : "this client").
      \(session.similarity.joined(separator: "\n"))
      '\(programWord) replay \(file)' compares each message of the recorded clients with the reference client.
      Another client can be tried: --client NAME, or -- COMMAND.

      """
  }
}
