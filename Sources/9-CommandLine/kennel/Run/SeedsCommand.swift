import AdapterSessions
import ClientInterface
import Commands
import Hunting
import Reports
import Runs
import Scenario
import System
import Workspace

/// Runs the selected scenarios with each of several seeds.
func run(_ command: RunCommand, with seeds: ClosedRange<UInt64>) throws(Failure) -> ExitCode {
  var session = try RunSession(
    command.settings, try ScenarioLibrary(command.settings), palette: Console.palette)
  let loop = try ScenarioLoop(
    over: session.library.scenarios, in: command.settings.profiles(of:),
    run: { scenario, profile throws(Failure) in
      try sweep(scenario, in: profile, seeds, command, &session)
    },
    show: { sweeps throws(Failure) in
      let text = command.format == .text ? SeedReport(session.report).text(of: sweeps) : ""
      if !text.isEmpty { try Console.output(text) }
    }, keep: \.withoutEvidence)
  let summary = SeedSummary(
    of: loop.outcomes, seeds: SeedRanges.text(of: seeds), milliseconds: loop.milliseconds)
  try Console.output(command.format == .json ? summary.json : summary.text(session.palette))
  if session.hasGivenUp {
    AdapterSession.describeEnd(left: loop.outcomes.reduce(0) { $0 + seeds.count - $1.runs })
  }
  if summary.isEmpty { Console.message("kennel: nothing was judged\n") }
  return loop.exitCode(ExitCode(of: summary.verdicts))
}

/// Runs one scenario in one profile with each seed.
private func sweep(
  _ scenario: Scenario, in profile: Profile, _ seeds: ClosedRange<UInt64>, _ command: RunCommand,
  _ session: inout RunSession
) throws(Failure) -> SeedSweep {
  var sweep = SeedSweep(scenario, in: profile)
  for seed in seeds where !session.hasGivenUp {
    let result = try session.run(scenario, in: profile, seed: seed)
    if command.format == .json {
      try Console.output(JSONReport.line(of: result))
    } else if seed == seeds.lowerBound {
      let notes = TextReport.text(ofNotesOn: [result])
      if !notes.isEmpty { try Console.output(notes) }
    }
    sweep.add(result, seed: seed)
  }
  return sweep
}
