import AdapterSessions
import Commands
import KnownFailures
import Reports
import Runs
import System

extension RunOptions: Command {
  /// Runs the selected scenarios, each in every profile that it names and that was asked for.
  func perform() throws(Failure) -> ExitCode {
    if settings.isMetamorphic { return try runMetamorphic(self) }
    if let seeds = settings.seeds { return try run(self, with: seeds) }
    return try runGated()
  }

  /// Runs with one seed, prints as it goes, and writes the reports.
  private func runGated() throws(Failure) -> ExitCode {
    var run = try GatedRun(settings, palette: Console.palette)
    let selected = run.selected
    var progress = ProgressLine(every: 100, elsewhere: nil)
    for warning in run.warnings {
      Console.message("kennel: warning: \(warning.entry.location): \(warning.message)\n")
    }
    let outcome = try run.run(
      onNext: { records, next in
        let failed = records.count { $0.outcome == .failed }
        let red = failed > 0 ? "   \(failed) failed" : ""
        progress.show("\(records.count) of \(selected)\(red)   \(next)")
      },
      onRecords: { records throws(Failure) in
        let text = format == .json ? records.map(\.line).joined() : RunRecord.text(of: records)
        if text.isEmpty { return }
        progress.end()
        try Console.output(text)
      })
    progress.end()
    try show(outcome)
    return outcome.exitCode
  }

  /// Reports the result of it all.
  private func show(_ outcome: GatedRun.Outcome) throws(Failure) {
    if format == .json {
      Console.message(outcome.annotations)
      try Console.output(outcome.summary.json)
    } else {
      try Console.output(outcome.annotations + outcome.summary.text(Console.palette))
    }
    let left = outcome.left
    if outcome.hasGivenUp {
      AdapterSession.describeEnd(left: left, after: "scenarios")
    } else if left > 0 {
      Console.message("kennel: \(left == 1 ? "1 run was" : "\(left) runs were") not made\n")
    }
    if outcome.summary.isEmpty { Console.message("kennel: nothing was judged\n") }
  }
}
