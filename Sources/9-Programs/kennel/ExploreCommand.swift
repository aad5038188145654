import AdapterSessions
import ClientInterface
import Commands
import Conformance
import Reports
import Runs
import Scenario
import Search
import System
import Trace
import Workspace

/// The command `kennel explore`.
struct ExploreCommand: Command {
  var run = RunSettings()
  var format = OutputFormat.text
  var limit: Int?
  var strategy: Strategy?
  var depth: Int?
  var opensDeliveries = false
  var order: Order?
  var sweepsFaults = false
  var strike: Sweep.FaultInjection?

  static var options: [Option<Self>] {
    repeated
      + RunSettings.options.only("trace").within(\.run).saying([
        "trace": """
        Write into DIR a trace of the first order that fails, or of the one that --order names, \
        for 'kennel replay'.
        """
      ]) + [
        .value("max", "N", \.limit, .count, "Stop at N orders; 100000 unless stated."),
        .value(
          "strategy", "NAME", \.strategy, .choice,
          """
          Search all orders (exhaustive), or draw them: random, pct, pos or delay. Without it, all \
          orders are searched, and when there are too many some are drawn by pos as well.
          """),
        .value(
          "depth", "N", \.depth, .count, "Changes of pct, or delays of delay (default: 3)."),
        .flag(
          "faults", \.sweepsFaults,
          """
          In place of orders, try one fault at every moment of each scenario, and judge by what \
          holds in every run. With --deliveries, at every moment of every order.
          """),
        .format(\.format),
      ] + AdapterOptions.options.within(\.run.adapter)
  }

  /// The options that a command needs that repeats one run.
  private static var repeated: [Option<Self>] {
    RunSettings.options.only("profile").within(\.run) + [
      .value(
        "order", "LIST", \.order,
        OptionKind("numbers with points between them, such as 0.2.1", { Order(text: $0) }),
        "Run only this order, as named in a report, and report the result."),
      .value(
        "fault", "NAME@N", \.strike,
        OptionKind(
          "a fault and when, such as cut:alice@17", { Sweep.FaultInjection(text: $0) }),
        "Run only this fault, as named in a report of --faults, and report the result."),
      .flag("deliveries", \.opensDeliveries, "Treat the order of all deliveries as open."),
    ]
      + RunSettings.options.only("seed", "client", "role").within(\.run).saying([
        "seed": "Draw orders and latencies from seed N."
      ])
  }

  static let grammar = Grammar(
    command: "kennel explore", operands: "PATH|ID... [-- COMMAND [ARGUMENT...]]",
    summary: """
      Runs scenarios in every order that they leave open, and reports all their outcomes. A \
      scenario leaves open the order of concurrent steps ('together') and, where a latency is a \
      range, the order of all deliveries. Fails when any order diverges, and when no order reaches an alternative of a \
      'one-of'.
      """,
    notes: """
      Examples:
        kennel explore races
        kennel explore regressions/transaction-above-others --deliveries
        kennel explore races/two-writers-at-once --order 1
        kennel explore writes --faults --profile firebase
        kennel explore races/two-writers-at-once -- python3 adapter.py
      """,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    try run.take(arguments)
    _ = try arguments.someOperands(else: "explore needs a scenario: 'kennel explore races'")
  }

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    if [strike != nil, order != nil, sweepsFaults].count(where: { $0 }) > 1 {
      throw arguments.failure(
        "--order and --fault each run one thing, --faults every fault; expected one of them")
    }
    sweepsFaults = strike != nil || sweepsFaults
    if sweepsFaults, !opensDeliveries, run.traces != nil {
      throw arguments.failure("--trace is for orders; it does not go with faults")
    }
  }

  /// How failures are reported, and the commands that show them again.
  func searchReport(_ report: TextReport) -> SearchReport {
    SearchReport(report) { run, found in
      var command = self
      command.run.profiles = [run.profile]
      command.run.fleet = command.run.fleet.playing(run.clients)
      switch found {
      case let .order(order): command.order = order
      case let .fault(strike): command.strike = strike
      }
      return Self.repeated.words(of: command)
    }
  }

  /// Explores the selected scenarios, each in every profile that it names and that was asked for.
  func perform() throws(Failure) -> ExitCode {
    if sweepsFaults, !opensDeliveries || strike != nil { return try runSweep(self) }
    let subject = try ClientUnderTest(run.fleet, or: run.adapter, clock: "explore")
    let explorer = Explorer(self, subject)
    let library = try ScenarioLibrary(run.selectors)
    try library.requireNoProblems()
    try run.fleet.requireMembers(among: library.clients)
    var failures = run.report(library, Console.palette, of: subject)
    var traces = try run.traces.map { directory throws(Failure) in
      try TraceWriter(directory, client: run.fleet.subject(or: run.adapter), library)
    }
    if let order = self.order {
      return try runOne(order, of: library, explorer, failures, traces, self)
    }
    let loop = try ScenarioLoop(
      over: library.scenarios, in: run.profiles(of:), while: { !subject.hasGivenUp },
      run: { explorer.explore($0, in: $1) },
      show: { surveys throws(Failure) in
        for survey in surveys { try writeTrace(of: survey.failure, in: &traces, &failures) }
        let report = searchReport(failures)
        try Console.output(
          format == .text ? report.text(of: surveys) : surveys.map(ExplorationSummary.line).joined()
        )
      }, keep: \.withoutEvidence)
    try Console.output(
      format == .text
        ? ExplorationSummary.text(of: loop.outcomes, milliseconds: loop.milliseconds)
        : ExplorationSummary.json(of: loop.outcomes, milliseconds: loop.milliseconds))
    if subject.hasGivenUp { AdapterSession.describeEnd(left: loop.left) }
    return loop.exitCode(ExitCode(of: loop.outcomes.map(\.verdict)))
  }
}

/// Runs one order of the one scenario that it belongs to.
private func runOne(
  _ order: Order, of library: ScenarioLibrary, _ explorer: Explorer, _ failures: TextReport,
  _ traces: TraceWriter?, _ command: ExploreCommand
) throws(Failure) -> ExitCode {
  var traces = traces
  var failures = failures
  let scenario = try library.onlyOne(for: "--order")
  var results: [ScenarioResult] = []
  let profiles = command.run.profiles(of: scenario)
  for profile in profiles {
    if let objection = explorer.objection(to: order, of: scenario, in: profile) {
      let end = order.fault == nil ? "" : ", as 'explore --faults --deliveries' names them"
      throw .unusable(
        "--order \(order) is no order of this scenario in \(profile.name): \(objection)\(end)")
    }
  }
  for profile in profiles {
    guard let outcome = explorer.run(scenario, in: profile, order: order) else { continue }
    try writeTrace(of: outcome, in: &traces, &failures)
    let report = command.searchReport(failures)
    try Console.output(report.text(of: outcome) + "\n")
    results.append(outcome.result)
  }
  let summary = Summary(of: results, seed: results.first?.seed ?? 0)
  try Console.output(summary.text())
  if results.contains(where: { $0.verdict.count == .failed }) { return .divergence }
  return results.isEmpty ? .usage : .success
}

/// Writes the trace of a run in a certain order, if there is one and traces are written.
private func writeTrace(
  of outcome: ExplorationResult.Failure?, in traces: inout TraceWriter?, _ report: inout TextReport
) throws(Failure) {
  guard let outcome else { return }
  let file = try traces?.write(outcome.result, report, choices: outcome.choices)
  report.traceFiles[RunName(outcome.result)] = file
}

extension Explorer {
  fileprivate init(_ command: ExploreCommand, _ subject: ClientUnderTest) {
    self.init(subject.runner(seed: command.run.seed ?? 0))
    limit = command.limit ?? limit
    strategy = command.strategy
    depth = command.depth ?? depth
    scope = command.opensDeliveries ? .deliveries : .stated
    faults = command.sweepsFaults ? .one : .none
  }
}

/// Tries one fault at every moment of the selected scenarios, or runs the one fault that was named.
func runSweep(_ command: ExploreCommand) throws(Failure) -> ExitCode {
  let subject = try ClientUnderTest(
    command.run.fleet, or: command.run.adapter, clock: "explore")
  let sweeper = Sweeper(subject.runner(seed: command.run.seed ?? 0))
  let library = try ScenarioLibrary(command.run.selectors)
  try library.requireNoProblems()
  try command.run.fleet.requireMembers(among: library.clients)
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
  let profiles = command.run.profiles(of: scenario)
  for profile in profiles {
    if let objection = sweeper.objection(to: strike, of: scenario, in: profile) {
      throw .unusable(
        "--fault \(strike) is tried by no sweep of \(scenario.id) in \(profile.name): \(objection), "
          + "as 'explore --faults' names them")
    }
  }
  for profile in profiles {
    guard let witness = sweeper.run(scenario, in: profile, with: strike) else { continue }
    try Console.output(report.text(of: witness) + "\n")
    results.append(witness.result)
  }
  try Console.output(Summary(of: results, seed: command.run.seed ?? 0).text())
  if results.contains(where: { $0.verdict.count == .failed }) { return .divergence }
  return results.isEmpty ? .usage : .success
}
