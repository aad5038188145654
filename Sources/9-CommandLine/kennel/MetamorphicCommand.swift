import AdapterSessions
import Commands
import Conformance
import Metamorphic
import Processes
import Reports
import Runs
import Scenario
import SearchReports
import System
import Workspace

/// Runs the selected scenarios as they stand and with every change that must not matter.
func runMetamorphic(_ options: RunOptions) throws(Failure) -> ExitCode {
  let settings = options.settings
  let library = try ScenarioLibrary(settings)
  let runner = try settings.clientUnderTest().runner(seed: settings.seed ?? 0)
  let start = Measurement.now
  let report = settings.report(library, Console.palette)
  var trials: [Trial] = []
  for scenario in library.scenarios {
    let inProfiles = settings.profiles(of: scenario).map { Trial(scenario, in: $0, runner) }
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
  return ExitCode(of: TrialSummary.results(of: trials).map(\.verdict))
}
