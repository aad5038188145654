import AdapterSessions
import Commands
import Conformance
import Document
import Glibc
import Reports
import Runs
import Scenario
import Search
import System
import TraceFiles
import Workspace

/// The command `kennel shrink`.
struct ShrinkCommand: Command {
  var run = FailingSetupOptions()
  var output: String?

  static var options: [Option<Self>] {
    FailingSetupOptions.options.within(\.run) + [
      .value(
        "output", "FILE", \.output, .text, letter: "o",
        """
        Write FILE instead of one that is named after the failure: in Scenarios/found within the \
        source tree, in found below the current directory anywhere else.
        """)
    ]
  }

  static let grammar = Grammar(
    command: "kennel shrink", operands: "PATH|ID [-- COMMAND [ARGUMENT...]]",
    summary: """
      Minimises a failing scenario: leaves out parts as long as it fails in the same way, until \
      no single part can be left out. Writes the result, with the reference client's events as \
      expectations, and runs it again in a second process.
      """,
    notes: """
      Examples:
        kennel shrink results/found/inv-4-listener.yaml --seed 17 -o small.yaml
        kennel shrink limits/refill-after-foreign-removal --client no-refill
        kennel shrink limits/refill-after-foreign-removal -- python3 adapter.py
      """,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    run.selector = try arguments.onlyOperand(else: "shrink needs one scenario: its id or its file")
    for file in arguments.values(of: "output") {
      try FileKind.requireReplaceable(file, by: .scenario)
    }
    run.run.adapter = try arguments.adapterOptions()
  }

  /// Shrinks the selected scenario.
  func perform() throws(Failure) -> ExitCode {
    let shrunk = try ShrunkScenario(run, output: output)
    try shrunk.write()
    try Console.output(shrunk.summary + "\n" + shrunk.text)
    try shrunk.confirm()
    Console.message("a second process confirms it\n")
    return .success
  }
}

/// The command `kennel why`.
struct WhyCommand: Command {
  var run = FailingSetupOptions()
  var opensDeliveries = false
  var onlyLastFailed = false
  var isMarkdown = false

  static var options: [Option<Self>] {
    FailingSetupOptions.options.within(\.run) + [
      .flag(
        "last-failed", \.onlyLastFailed,
        "Explain only what failed when it was last run from this directory."),
      .flag("deliveries", \.opensDeliveries, "Take the order of all deliveries as open."),
      .flag(
        "markdown", \.isMarkdown,
        "Write a bug report for those who maintain the client, as Markdown, of one scenario."),
    ]
  }

  static let grammar = Grammar(
    command: "kennel why", operands: "[PATH|ID|PATTERN|TRACE...] [-- COMMAND [ARGUMENT...]]",
    summary: """
      Explains why a scenario fails: what led to the failure, after which step or delivery it was \
      inevitable, and which changes would make the scenario pass. Of several scenarios, each cause is \
      explained once. Without PATH, ID or PATTERN, what failed when it was last run here is explained.
      """,
    notes: """
      A trace of 'kennel run' means that run, with its client. A trace of a live session or a \
      recording means the scenario that 'kennel scenario-from' makes of it.

      Examples:
        kennel why recordings/default.trace.jsonl
        kennel why Scenarios/found/inv-4-listener.yaml --client value-first
        kennel why --last-failed -- python3 adapter.py
        kennel why limits/refill-after-foreign-removal --client no-refill --markdown
      """,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    onlyLastFailed = arguments.operands.isEmpty
    if !onlyLastFailed {
      run.selector = try arguments.onlyOperand(else: "why needs one scenario: its id or its file")
    }
    run.run.adapter = try arguments.adapterOptions()
  }

  /// Explains the failure of the selected scenario, or of the run of a trace.
  func perform() throws(Failure) -> ExitCode {
    let scope: Explorer.Scope = opensDeliveries ? .deliveries : .stated
    var run = run
    let traced = try run.takeTrace()
    if traced == nil, let session = try run.session() {
      return try explain(session, of: run, scope)
    }
    let library =
      try traced == nil
      ? run.library(onlyLastFailed: onlyLastFailed) : ScenarioLibrary([])
    run.takeFind(of: library)
    let subject = try run.clientUnderTest()
    var explorer = Explorer(run.runner(of: subject))
    explorer.limit = 10_000
    explorer.scope = scope
    if traced == nil, onlyLastFailed || library.scenarios.count > 1 {
      if isMarkdown { throw .unusable("--markdown writes about one scenario; name one") }
      return try explainCauses(in: library, explorer)
    }
    let (scenario, failingSetup) =
      if let traced {
        (traced, try run.failingSetup(of: traced, tryingOrders: explorer))
      } else {
        try run.failingSetup(in: library, tryingOrders: explorer)
      }
    let report = run.run.report(library, .plain)
    let isLong = scenario.elementCount > Self.steps && !isMarkdown
    if isLong, let story = failingSetup.story(of: scenario) {
      return try search(after: story, failingSetup, explorer, WhyReport(report))
    }
    guard let explanation = failingSetup.explain(scenario, with: explorer) else {
      throw .fault("the failure of \(scenario.id) disappeared")
    }
    try Console.output(
      isMarkdown
        ? BugReport(report, try run.origin(of: subject)).markdown(of: explanation)
        : WhyReport(report).text(of: explanation))
    return .divergence
  }

  /// A scenario with more steps is one that nobody has made small: each run of it takes long.
  private static let steps = 20
  /// How many orders of such a scenario are tried.
  private static let orders = 200

  /// Prints what is known at once, then what a search finds.
  private func search(
    after story: Explanation, _ failingSetup: FailingSetup, _ explorer: Explorer,
    _ report: WhyReport
  ) throws(Failure) -> ExitCode {
    let scenario = story.result.scenario
    try Console.output(report.story(of: story))
    Console.message(
      """
      \(scenario.elementCount) steps: 'kennel shrink' first makes what follows shorter and quicker
      looks for what would have to be otherwise, in at most \(Self.orders) orders of what is open

      """)
    var (failingSetup, progress, runs) = (failingSetup, ProgressLine(every: 100, elsewhere: 10), 0)
    let hasGivenUp = failingSetup.runner.hasGivenUp
    failingSetup.runner.hasGivenUp = {
      runs += 1
      progress.show("\(runs) of the orders and changes tried")
      return hasGivenUp()
    }
    var bounded = Explorer(failingSetup.runner)
    (bounded.limit, bounded.scope) = (Self.orders, explorer.scope)
    let explanation = failingSetup.explain(scenario, with: bounded)
    progress.end()
    try Console.output(report.changes(of: explanation ?? story))
    return .divergence
  }

  private func explain(
    _ session: SessionScenario, of run: FailingSetupOptions, _ scope: Explorer.Scope
  ) throws(Failure) -> ExitCode {
    if isMarkdown {
      throw .unusable(
        "--markdown writes about a scenario; 'kennel scenario-from' makes one of a session")
    }
    session.warnings.forEach(Console.warn)
    let explanation = try run.explain(session, scope: scope)
    try Console.output(explanation.text)
    return explanation.exitCode
  }

  /// Explains each cause once.
  private func explainCauses(
    in library: ScenarioLibrary, _ explorer: Explorer
  ) throws(Failure) -> ExitCode {
    let causes = try FailureCauses(run, of: library.scenarios)
    let report = run.run.report(library, .plain)
    for cause in causes.causes {
      try Console.output(causes.text(of: cause, report, with: explorer))
    }
    try Console.output(causes.summary)
    return .divergence
  }
}

/// The command `kennel replay`.
struct ReplayCommand: Command {
  var settings = ReplaySettings()

  static var options: [Option<Self>] {
    [
      .list(
        "client", "[CLIENT=]NAME", \.settings.fleet.words, .text,
        "Try the client NAME instead of the reference client, or that of the trace."),
      .flag(
        "changed", \.settings.runsCurrentFile,
        """
        Run the scenario of a trace as its file is now, with the choices of the trace, and report \
        where it differs and which choices do not fit any more.
        """),
      .flag(
        "step", \.settings.isStepping,
        "Walk through the events of a trace; Enter: next, h: the other commands."),
      .flag("verbose", \.settings.isVerbose, letter: "v", "Also show what accidents explain."),
    ] + AdapterOptions.options.within(\.settings.adapter)
  }

  static let grammar = Grammar(
    command: "kennel replay", operands: "TRACE|RECORDING|DIR... [-- COMMAND [ARGUMENT...]]",
    summary: """
      Runs a trace of 'kennel run --trace' again, with the seed, the choices and the scenario \
      text in the trace, and compares every event. \
      Specs/trace-format.md describes traces.

      A recording of another client is compared with the reference client. This feeds what \
      happened to the recorded client to the reference client and compares what both do, group by \
      group: all that one input causes, in order. A difference fails unless an accident of the \
      recorded client explains it; Specs/accidents.md describes the accidents.

      A trace or recording of a live session, which 'kennel serve --record' has written, contains only \
      what went over the wire. The calls that made the client send it are inferred, and the requests \
      are compared.

      A directory means all traces and recordings (*.jsonl) below it.
      """,
    notes: """
      Lines with - were recorded; lines with + are from this run. Groups without output do not count.

      Examples:
        kennel replay Tests/RecordingsTests/Recordings/firebase-js-12.18
        kennel replay -v session.jsonl
        kennel run races --trace traces && kennel replay traces
        kennel replay --step trace.jsonl
        kennel replay --changed trace.jsonl
        kennel replay trace.jsonl -- python3 adapter.py
      """,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    settings.paths = try arguments.someOperands(
      else: "replay needs the path of a trace, a recording or a directory of them")
    settings.adapter = try arguments.adapterOptions()
  }

  /// Replays the files and reports where they differ.
  func perform() throws(Failure) -> ExitCode {
    let observer = FileReplay.Observer(
      report: Console.output, warn: Console.warn, walk: walk)
    var replay = try FileReplay(settings, observer: observer)
    return try replay.run()
  }
}

/// Walks through the events of a replay by the lines of standard input, until `q` or its end.
///
/// In a terminal a prompt asks for each line.
private func walk(_ replay: TraceReplay) throws(Failure) {
  var walk = TraceWalk(replay)
  let isInteractive = isatty(STDIN_FILENO) == 1
  try Console.output(walk.text)
  while true {
    if isInteractive { try Console.output("> ") }
    guard let line = readLine(), let answer = walk.answer(to: line) else { return }
    try Console.output(answer)
  }
}
