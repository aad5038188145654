import AdapterSessions
import Commands
import Conformance
import Exploration
import Reports
import Runs
import Scenario
import SearchReports
import System
import Trace
import Workspace

/// Tries one fault at every moment of the selected scenarios, or runs the one fault that was named.
func runSweep(_ command: ExploreCommand) throws(Failure) -> ExitCode {
  let subject = try ClientUnderTest(
    named: command.run.client, or: command.run.adapter, clock: "explore")
  let sweeper = Sweeper(subject.runner(seed: command.run.seed ?? 0))
  let library = try ScenarioLibrary(command.run.selectors)
  try library.requireNoProblems()
  let report = command.searchReport(command.run.report(library, Console.palette))
  if let strike = command.strike {
    return try run(strike, of: library, sweeper, report, command)
  }
  let loop = try ScenarioLoop(
    over: library.scenarios, in: command.run.profiles(of:), while: { !subject.hasGivenUp },
    run: { sweeper.sweep($0, in: $1) },
    show: { sweeps throws(Failure) in
      let isText = command.format == .text
      let parts = sweeps.map { isText ? report.text(of: $0) : SweepSummary.line(of: $0) }
      try Console.output(parts.joined())
    }, keep: \.withoutEvidence)
  try Console.output(
    command.format == .text
      ? SweepSummary.text(of: loop.outcomes, milliseconds: loop.milliseconds)
      : SweepSummary.json(of: loop.outcomes, milliseconds: loop.milliseconds))
  if subject.hasGivenUp { AdapterSession.describeEnd(left: 0) }
  return loop.exitCode(Tally(loop.outcomes.map(\.verdict)).exitCode)
}

/// Runs one fault in the one scenario that it belongs to.
private func run(
  _ strike: Sweep.FaultInjection, of library: ScenarioLibrary, _ sweeper: Sweeper,
  _ report: SearchReport, _ command: ExploreCommand
) throws(Failure) -> ExitCode {
  let scenario = try library.onlyOne(for: "--fault")
  var results: [ScenarioResult] = []
  for profile in command.run.profiles(of: scenario) {
    guard let witness = sweeper.run(scenario, in: profile, with: strike) else {
      throw .unusable("there is no fault \(strike.fault) in \(scenario.id)")
    }
    try Console.output(report.text(of: witness) + "\n")
    results.append(witness.result)
  }
  try Console.output(Summary(of: results, seed: command.run.seed ?? 0).text())
  return results.contains { $0.verdict.count == .failed } ? .divergence : .success
}
