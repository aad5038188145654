import ClientInterface
import Conformance
import Document
import ReferenceClient
package import Reports
package import Scenario
package import Search
package import System
package import Workspace

/// Why several scenarios fail: each cause is explained once, by the first scenario that shows it.
package struct FailureCauses {
  /// What some of the scenarios fail of.
  package struct Cause {
    /// What their failures have in common: `missing-event child_moved`, `inv-39`, `crash`.
    package let name: String
    /// The scenarios, in the order in which they were run.
    package fileprivate(set) var scenarios: [Scenario]
    fileprivate let setup: FailingSetup
  }

  /// The causes, in the order in which they came up.
  package private(set) var causes: [Cause] = []
  private let count: Int

  /// Runs scenarios, each in its profiles until it fails.
  ///
  /// - Throws: `Failure.unusable` when none fails, and `Failure` when there is no such client.
  package init(
    _ options: FailingSetupOptions, of scenarios: [Scenario]
  ) throws(Failure) {
    count = scenarios.count
    let runner = try options.runner()
    for scenario in scenarios {
      guard let (name, setup) = options.cause(in: scenario, runner) else { continue }
      if let index = causes.firstIndex(where: { $0.name == name }) {
        causes[index].scenarios.append(scenario)
      } else {
        causes.append(Cause(name: name, scenarios: [scenario], setup: setup))
      }
    }
    if causes.isEmpty {
      let isReference = options.run.fleet == Fleet() && options.adapter == nil
      throw .unusable(
        "none of \(counted(count, "scenario")) fails "
          + (isReference
            ? "with the reference client; --client NAME or -- COMMAND names yours"
            : "with this client; expected at least one that does"))
    }
  }

  /// One cause as text: how many scenarios fail of it, why the first does, and which are the others.
  package func text(
    of cause: Cause, _ report: TextReport, with explorer: Explorer
  ) -> String {
    let explanation = cause.scenarios.first.flatMap { cause.setup.explain($0, with: explorer) }
    let others = cause.scenarios.dropFirst().map(\.id)
    let shown = others.prefix(Self.shown).joined(separator: ", ")
    let rest = others.count > Self.shown ? ", and \(others.count - Self.shown) more" : ""
    let also = others.isEmpty ? [] : ("also in " + shown + rest).wrapped(to: TextReport.width - 2)
    return "\(cause.name)   \(counted(cause.scenarios.count, "scenario"))\n\n"
      + (explanation.map { WhyReport(report).text(of: $0) } ?? "")
      + (also.isEmpty ? "" : "\n" + also.map { "  \($0)\n" }.joined()) + "\n"
  }

  /// `2 causes, 12 of 14 scenarios fail`.
  package var summary: String {
    let failing = causes.reduce(0) { $0 + $1.scenarios.count }
    return "\(counted(causes.count, "cause")), "
      + "\(failing) of \(counted(count, "scenario")) \(failing == 1 ? "fails" : "fail")\n"
  }

  /// How many of the other scenarios are named.
  private static let shown = 8
}

extension FailingSetupOptions {
  /// The scenarios that are meant: what is selected, or else all; of these those that failed when they
  /// were last run, or all.
  ///
  /// - Throws: `Failure` when they cannot be read, and when none is left.
  package func library(onlyLastFailed: Bool) throws(Failure) -> ScenarioLibrary {
    let all = try ProjectFile.find(RunSettings.inProjects)?.scenarios ?? []
    var library =
      try selector.isEmpty
      ? ScenarioLibrary(LastFailed.selectors(beside: all)) : ScenarioLibrary([selector])
    try library.requireNoProblems()
    if onlyLastFailed { try library.keepLastFailed() }
    return library
  }

  /// What a scenario fails of in the first profile in which it fails; nil where it does not.
  fileprivate func cause(
    in scenario: Scenario, _ runner: ScenarioRunner
  ) -> (name: String, setup: FailingSetup)? {
    let reference = ScenarioRunner(seed: seed) { ReferenceClient(profile: $1) }
    for candidate in scenario.profiles where profile == nil || candidate.name == profile {
      let result = runner.run(scenario, in: candidate)
      guard result.verdict.count == .failed else { continue }
      let cause = result.cause { ReferenceClient(profile: candidate) }
      let name = cause?.text ?? result.verdict.rawValue
      return (name, FailingSetup(runner, reference: reference, profile: candidate))
    }
    return nil
  }
}
