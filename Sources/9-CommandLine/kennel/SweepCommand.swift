import AdapterSessions
import Commands
import Conformance
import Exploration
import Reports
import Scenario
import SearchReports
import System
import Trace
import Workspace

/// Tries one fault at every moment of the selected scenarios, or runs the one fault that was named.
func runSweep(_ options: ExploreOptions) throws(Failure) -> ExitCode {
  let subject = try ClientUnderTest(
    named: options.client, or: options.adapter, clock: "explore")
  let sweeper = Sweeper(subject.runner(seed: options.seed ?? 0))
  let library = try ScenarioLibrary(options.selectors)
  try library.requireNoProblems()
  let report = SweepReport(options.report(library.rules), options: options.orderOptions)
  if let strike = options.strike {
    return try run(strike, of: library, sweeper, report, options)
  }
  let start = Measurement.now
  var sweeps: [Sweep] = []
  for scenario in library.scenarios {
    for profile in options.profiles(of: scenario) where !subject.hasGivenUp {
      let sweep = sweeper.sweep(scenario, in: profile)
      try Console.output(
        options.format == .text ? report.text(of: sweep) : SweepSummary.line(of: sweep))
      sweeps.append(sweep.withoutEvidence)
    }
  }
  let milliseconds = Double(Measurement.now - start) / 1_000_000
  try Console.output(
    options.format == .text
      ? SweepSummary.text(of: sweeps, milliseconds: milliseconds)
      : SweepSummary.json(of: sweeps, milliseconds: milliseconds))
  if subject.hasGivenUp { AdapterSession.describeEnd(left: 0) }
  return Tally(sweeps.map(\.verdict)).exitCode
}

/// Runs one fault in the one scenario that it belongs to.
private func run(
  _ strike: Sweep.FaultInjection, of library: ScenarioLibrary, _ sweeper: Sweeper,
  _ report: SweepReport, _ options: ExploreOptions
) throws(Failure) -> ExitCode {
  guard library.scenarios.count == 1, let scenario = library.scenarios.first else {
    throw .unusable("--fault is for one scenario, but \(library.scenarios.count) were selected")
  }
  var results: [ScenarioResult] = []
  for profile in options.profiles(of: scenario) {
    guard let witness = sweeper.run(scenario, in: profile, with: strike) else {
      throw .unusable("there is no fault \(strike.fault) in \(scenario.id)")
    }
    try Console.output(report.text(of: witness) + "\n")
    results.append(witness.result)
  }
  try Console.output(Summary(of: results, seed: options.seed ?? 0).text())
  return results.contains { $0.verdict.count == .failed } ? .divergence : .success
}
