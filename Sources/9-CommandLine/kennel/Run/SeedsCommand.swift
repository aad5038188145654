import AdapterSessions
import ClientInterface
import Commands
import Conformance
import Hunting
import Reports
import Runs
import Scenario
import System
import Workspace

/// Runs the selected scenarios with each of several seeds.
func run(_ options: RunOptions, with seeds: ClosedRange<UInt64>) throws(Failure) -> ExitCode {
  let start = Measurement.now
  var session = try RunSession(
    options.settings, try ScenarioLibrary(options.settings), palette: Console.palette)
  var sweeps: [SeedSweep] = []
  for scenario in session.library.scenarios {
    var inProfiles: [SeedSweep] = []
    for profile in options.settings.profiles(of: scenario) {
      inProfiles.append(try sweep(scenario, in: profile, seeds, options, &session))
    }
    if options.format == .text {
      let text = SeedReport(session.report).text(of: inProfiles)
      if !text.isEmpty { try Console.output(text) }
    }
    sweeps += inProfiles.map(\.withoutEvidence)
  }
  let milliseconds = Double(Measurement.now - start) / 1_000_000
  let summary = SeedSummary(
    of: sweeps, seeds: SeedRanges.text(of: seeds), milliseconds: milliseconds)
  try Console.output(options.format == .json ? summary.json : summary.text(session.palette))
  if session.hasGivenUp {
    AdapterSession.describeEnd(left: sweeps.reduce(0) { $0 + seeds.count - $1.runs })
  }
  if summary.isEmpty { Console.message("kennel: nothing was judged\n") }
  return ExitCode(of: summary.verdicts)
}

/// Runs one scenario in one profile with each seed.
private func sweep(
  _ scenario: Scenario, in profile: Profile, _ seeds: ClosedRange<UInt64>, _ options: RunOptions,
  _ session: inout RunSession
) throws(Failure) -> SeedSweep {
  var sweep = SeedSweep(scenario, in: profile)
  for seed in seeds where !session.hasGivenUp {
    let result = try session.run(scenario, in: profile, seed: seed)
    if options.format == .json {
      try Console.output(JSONReport.line(of: result))
    } else if seed == seeds.lowerBound {
      let notes = session.report.notes(on: [result])
      if !notes.isEmpty { try Console.output(notes) }
    }
    sweep.add(result, seed: seed)
  }
  return sweep
}
