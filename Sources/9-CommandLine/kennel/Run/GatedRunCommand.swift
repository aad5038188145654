import AdapterSessions
import Commands
import Glibc
import KnownFailures
import Processes
import Reports
import Runs
import System
import Text
import Workers
import Workspace

extension RunCommand: Command {
  /// Runs the selected scenarios, each in every profile that it names and that was asked for.
  func perform() throws(Failure) -> ExitCode {
    if isWatching { return try watch() }
    if settings.isMetamorphic { return try runMetamorphic(self) }
    if let seeds = settings.seeds { return try run(self, with: seeds) }
    return try runGated()
  }

  /// Runs again after each change, in another process.
  private func watch() throws(Failure) -> ExitCode {
    let selectors = settings.selectors.filter(Files.exists)
    let scenarios = try selectors.isEmpty ? [Home.find().scenarios] : selectors
    let program = (settings.adapter?.command ?? []).filter(Files.exists)
    let colour = Console.palette == .colour ? ["KENNEL_COLOR": "always"] : [:]
    let command = WatchedCommand(wordsOfOnce, environment: colour, watching: scenarios + program)
    try command.run(
      write: { stream, bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        if stream == .output { try? Console.output(text) } else { Console.message(text) }
      }, report: Console.warn)
    return ExitCode(signal: Interrupt.signal() ?? SIGINT)
  }

  /// Runs with one seed, prints as it goes, and writes the reports.
  private func runGated() throws(Failure) -> ExitCode {
    var run = try GatedRun(settings, palette: Console.palette)
    let selected = run.selected
    var progress = ProgressLine(every: 100, elsewhere: nil)
    var causes = CauseLog()
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
        let text = format == .json ? records.map(\.line).joined() : self.text(of: records, &causes)
        if text.isEmpty { return }
        progress.end()
        try Console.output(text)
      })
    progress.end()
    try show(outcome)
    return outcome.exitCode
  }

  /// The reports that are still needed: one for each cause, or all of them where that was asked for.
  private func text(of records: [RunRecord], _ causes: inout CauseLog) -> String {
    settings.showsAll
      ? RunRecord.text(of: records) : RunRecord.text(of: records, after: &causes)
  }

  /// Reports the result of it all.
  private func show(_ outcome: GatedRun.Outcome) throws(Failure) {
    if format == .json {
      Console.message(outcome.annotations)
      try Console.output(outcome.summary.json)
    } else {
      try Console.output(
        outcome.slowest + outcome.annotations + outcome.summary.text(Console.palette))
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
