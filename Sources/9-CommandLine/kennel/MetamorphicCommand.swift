import AdapterSessions
import Commands
import Conformance
import Metamorphic
import Runs
import SearchReports
import System
import Workspace

/// Runs the selected scenarios unchanged and with every change that must not matter.
func runMetamorphic(_ command: RunCommand) throws(Failure) -> ExitCode {
  let settings = command.settings
  let library = try ScenarioLibrary(settings)
  let runner = try settings.clientUnderTest().runner(seed: settings.seed ?? 0)
  let report = SearchReport(settings.report(library, Console.palette))
  let loop = try ScenarioLoop(
    over: library.scenarios, in: settings.profiles(of:), run: { Trial($0, in: $1, runner) },
    show: { trials throws(Failure) in
      try Console.output(
        command.format == .json
          ? trials.map(TrialSummary.lines).joined() : report.text(of: trials))
    }, keep: \.withoutEvidence)
  try Console.output(
    command.format == .json
      ? TrialSummary.json(of: loop.outcomes, milliseconds: loop.milliseconds)
      : TrialSummary.text(of: loop.outcomes, milliseconds: loop.milliseconds))
  return loop.exitCode(ExitCode(of: TrialSummary.results(of: loop.outcomes).map(\.verdict)))
}
