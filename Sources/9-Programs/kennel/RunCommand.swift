import AdapterSessions
import ClientInterface
import Commands
import Conformance
import Document
import Glibc
import Hunting
import Metamorphic
import Reports
import Runs
import Scenario
import Search
import System
import Workspace

/// The command `kennel run`.
struct RunCommand {
  var settings = RunSettings()
  var format = OutputFormat.text
  var isWatching = false

  static var options: [Option<Self>] {
    [
      .format(\.format),
      .flag(
        "watch", \.isWatching,
        "Run again when a scenario, or a file beside those of the COMMAND, changes."),
    ] + RunSettings.options.within(\.settings)
  }

  static let grammar = Grammar(
    command: "kennel run", operands: "[PATH|ID|PATTERN...] [-- COMMAND [ARGUMENT...]]",
    summary: """
      Runs scenarios against a client and reports where it diverges from the specification. Without \
      a PATH or ID, all scenarios run. With a COMMAND, that program drives the client under test; \
      Specs/adapter-protocol.md describes how.
      """,
    notes: """
      A PATH is a scenario file or a directory of them; an ID is a path below Scenarios without the \
      suffix, or the beginning of one. In a PATTERN, * matches anything within one part of an ID, \
      ** for anything at all, and ? for one character. --tag, --rule and --needs restrict the \
      selection further. Specs/guides/continuous-integration.md describes reports and known failures.

      Examples:
        kennel run
        kennel run Scenarios/writes --profile firebase
        kennel run limits/refill-after-foreign-removal --seed 42
        kennel run races --seeds 1..1000 --client no-refill
        kennel run 'limits/*' --tag smoke --rule LIM-7
        kennel run --last-failed --watch -- python3 adapter.py
        kennel run --exclude 'limits/*' --shard 1/4 --jsonl part-1.jsonl
        kennel run --known known-failures.yaml --junit report.xml --jobs 4
        kennel run writes --profile firebase -- python3 adapter.py
        kennel run writes --server-command 'kennel serve --port {port}'
        kennel run --record-expectations Scenarios/races/three-writers.yaml
      """,
    takesAdapter: true,
    groups: [
      .init(
        "What is run", "profile", "seed", "seeds", "client", "role", "tag", "rule", "needs",
        "exclude",
        "last-failed", "shard"),
      .init(
        "How it is run", "settings", "jobs", "watch", "shadow", "metamorphic", "audit",
        "keep-going", "fail-fast", "max-fail"),
      .init("What counts as a failure", "known", "today", "strict", "measure-groups"),
      .init("What is shown", "format", "all", "verbose", "slowest", "github"),
      .init(
        "What is written", "junit", "jsonl", "markdown", "html", "trace", "record",
        "record-expectations"),
      .init("With a COMMAND", "timeout", "validate", "transcript"),
      .init(
        "With a COMMAND on a real clock", "tolerance", "settle", "patience", "longest", "repeats"),
      .init("What the clients run against", "server", "server-command", "rest", "without"),
    ], renamed: ["quiet": "settle"])

  mutating func take(_ arguments: Arguments) throws(Failure) { try settings.take(arguments) }

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    settings.notesFailures = true
    if let problem = settings.problem { throw arguments.failure(problem) }
  }

  /// The command line that does the same once.
  var wordsOfOnce: [String] {
    ["run"] + Self.options.only("format").words(of: self) + settings.words
  }
}

extension RunCommand: Command {
  /// Runs the selected scenarios, each in every profile that it names and that was asked for.
  func perform() throws(Failure) -> ExitCode {
    if isWatching { return try watch() }
    if settings.recordsExpectations { return try recordExpectations() }
    if settings.isMetamorphic { return try runMetamorphic(self) }
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

  /// Brings expectations up to date with what the reference client does, and shows how they changed.
  private func recordExpectations() throws(Failure) -> ExitCode {
    let library = try ScenarioLibrary(settings)
    var count = 0
    var refused = 0
    let files = library.scenarios.map(\.file).reduce(into: [String]()) { files, file in
      if files.last != file { files.append(file) }
    }
    for file in files {
      do throws(Failure) {
        let recorded = try RecordedExpectations(of: file, library)
        guard recorded.hasChanged else { continue }
        try Files.replace(recorded.text, at: file)
        try Console.output(recorded.difference(Console.palette))
        count += 1
      } catch {
        if case .results = error { throw error }
        Console.message(error.report + "\n")
        refused += 1
      }
    }
    let left = refused > 0 ? ", \(refused) refused" : ""
    try Console.output("\(counted(files.count, "file")): \(count) changed\(left)\n")
    return refused > 0 || files.isEmpty ? .usage : .success
  }

  /// Runs everything, and writes the reports; what failed is explained when all causes are known.
  private func runGated() throws(Failure) -> ExitCode {
    var run = try GatedRun(settings, palette: Console.palette)
    let selected = run.selected
    var progress = ProgressLine(every: 100, elsewhere: nil)
    for warning in run.warnings {
      let place = "\(warning.entry.file):\(warning.entry.position)"
      Console.message("kennel: warning: \(place): \(warning.message)\n")
    }
    let outcome = try run.run(
      onNext: { records, next in
        let made = records.reduce(0) { $0 + $1.runs }
        let failed = records.reduce(0) { $0 + ($1.outcome == .failed ? $1.runs : 0) }
        let red = failed > 0 ? "   \(failed) failed" : ""
        progress.show("\(made) of \(selected)\(red)   \(next)")
      },
      onRecords: { records throws(Failure) in
        let text = format == .json ? records.map(\.line).joined() : self.text(of: records)
        if text.isEmpty { return }
        progress.end()
        try Console.output(text)
      })
    progress.end()
    if format == .text, !settings.showsAll {
      try Console.output(RunRecord.text(explaining: outcome.records))
    }
    try show(outcome, of: run)
    return outcome.exitCode
  }

  /// The reports that do not wait until it is known which failures have one cause.
  private func text(of records: [RunRecord]) -> String {
    settings.showsAll ? RunRecord.text(of: records) : ""
  }

  /// Reports the result of it all.
  private func show(_ outcome: GatedRun.Outcome, of run: GatedRun) throws(Failure) {
    if format == .json {
      Console.message(outcome.annotations)
      try Console.output(outcome.summary.json())
    } else {
      try Console.output(
        outcome.slowest + outcome.annotations + outcome.summary.text(Console.palette))
    }
    let left = outcome.left
    if outcome.hasGivenUp {
      AdapterSession.describeEnd(left: left, after: run.situations)
    } else if left > 0 {
      Console.message("kennel: \(left == 1 ? "1 run was" : "\(left) runs were") not made\n")
    }
    if run.selected == 0, !settings.selectors.isEmpty, settings.selection == ScenarioSelection() {
      Console.warn(ScenarioLibrary.emptiness(of: settings.selectors, leftOut: []))
    } else if outcome.summary.isEmpty {
      Console.warn("nothing was judged")
    }
  }
}

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

/// Runs the scenarios whose numbers come in on standard input, as one of several processes.
struct RunWorkerCommand: Command {
  var settings = RunSettings()

  static var options: [Option<Self>] { RunSettings.options.within(\.settings) }

  static let grammar = Grammar(
    command: "kennel run-worker", operands: "", summary: "Runs what it is sent the numbers of.",
    notes: "", takesAdapter: true)

  static let isListed = false

  mutating func take(_ arguments: Arguments) throws(Failure) { try settings.take(arguments) }

  func perform() throws(Failure) -> ExitCode {
    var worker = try RunWorker(settings)
    while let line = readLine() { try Console.output(try worker.answer(to: line) + "\n") }
    return .success
  }
}
