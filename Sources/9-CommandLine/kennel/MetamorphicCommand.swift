import AdapterSessions
import Commands
import Conformance
import Metamorphic
import Processes
import Reports
import Scenario
import System

/// Runs the selected scenarios as they stand and with every change that must not matter.
func runMetamorphic(_ options: RunOptions) throws(Failure) -> ExitCode {
  let library = try ScenarioLibrary(options)
  let subject = try ClientUnderTest(
    named: options.client, or: options.adapter, clock: "run --metamorphic")
  let runner = subject.runner(seed: options.seed ?? 0)
  let start = Measurement.now
  var report = TextReport(
    rules: library.rules, palette: Console.palette, extent: options.showsAll ? .all : .first)
  report.client = options.client
  report.adapter = options.adapter?.command ?? []
  report.whereabouts = .here
  report.program = programWord
  var trials: [Trial] = []
  for scenario in library.scenarios {
    let inProfiles = try options.profiles(of: scenario).map { Trial(scenario, in: $0, runner) }
    try Console.output(
      options.format == .json
        ? inProfiles.map(TrialSummary.lines).joined() : TrialReport(report).text(of: inProfiles))
    trials += inProfiles.map(\.withoutEvidence)
  }
  let milliseconds = Double(Measurement.now - start) / 1_000_000
  try Console.output(
    options.format == .json
      ? TrialSummary.json(of: trials, milliseconds: milliseconds)
      : TrialSummary.text(of: trials, milliseconds: milliseconds))
  return exitCode(of: TrialSummary.results(of: trials))
}
