import AdapterSessions
import ClientInterface
import Commands
import Conformance
import Exploration
import Processes
import Reports
import Rules
import Runs
import Scenario
import SearchReports
import System
import Workspace

/// The command `kennel explore`.
struct ExploreCommand {
  /// The profiles to explore; empty means all that each scenario is for.
  var profiles: [String]
  var seed: UInt64?
  var format: OutputFormat
  /// The client under test; nil means the reference client.
  var client: String?
  /// The program behind which the client is; nil for a client of the kit.
  var adapter: AdapterOptions?
  /// How many orders are tried; nil for as many as usual.
  var limit: Int?
  var strategy: Strategy?
  /// How many changes or delays some strategies make; nil for as many as usual.
  var depth: Int?
  /// Whether the order of all deliveries counts as open.
  var opensDeliveries: Bool
  /// The one order to run; nil explores.
  var order: Order?
  /// Whether one fault is tried at every moment, of every order if all deliveries are open.
  var sweepsFaults: Bool
  /// The directory for traces of failures; nil for none.
  var traces: String?
  /// The one fault to run; nil tries all of them.
  var strike: Sweep.FaultInjection?
  /// Paths and ids of scenarios; at least one.
  var selectors: [String]
}

extension ExploreCommand {
  /// - Throws: `Failure.usage` for values that do not exist and when there is no scenario.
  init(_ arguments: Arguments) throws(Failure) {
    profiles = try arguments.profiles()
    seed = try arguments.seed()
    format = try arguments.choice(of: "format", default: .text)
    client = arguments.value(of: "client")
    adapter = try arguments.adapterOptions()
    limit = try arguments.count(of: "max")
    strategy =
      arguments.contains("strategy")
      ? try arguments.choice(of: "strategy", default: .exhaustive) : nil
    depth = try arguments.count(of: "depth")
    opensDeliveries = arguments.contains("deliveries")
    order = try arguments.order()
    strike = try arguments.strike()
    sweepsFaults = arguments.contains("faults") || strike != nil
    traces = arguments.value(of: "trace")
    if sweepsFaults, !opensDeliveries, traces != nil {
      throw arguments.failure("--trace is for orders; it does not go with faults")
    }
    selectors = arguments.operands
    if selectors.isEmpty { throw arguments.failure("explore needs a scenario") }
  }

  static let grammar = Grammar(
    command: "kennel explore", operands: "PATH|ID... [-- COMMAND [ARGUMENT...]]",
    summary: """
      Runs scenarios in every order that they leave open, and reports all their outcomes. A \
      scenario leaves open the order of concurrent steps ('together') and, where a latency is a \
      range, the order of all deliveries. Fails when any order diverges, and when no order reaches an alternative of a \
      'one-of'.
      """,
    options: [
      .init(name: "deliveries", summary: "Treat the order of all deliveries as open."),
      .profile,
      .client,
      .init(name: "max", value: "N", summary: "Stop at N orders; 100000 unless stated."),
      .init(
        name: "strategy", value: "NAME",
        summary: """
          Search all orders (exhaustive), or draw them: random, pct, pos or delay. Without it, all \
          orders are searched, and when there are too many some are drawn by pos as well.
          """),
      .init(
        name: "depth", value: "N",
        summary: "Changes of pct, or delays of delay (default: 3)."),
      .init(name: "seed", value: "N", summary: "Draw orders and latencies from seed N."),
      .init(
        name: "order", value: "LIST",
        summary: "Run only this order, as named in a report, and report the result."),
      .init(
        name: "trace", value: "DIR",
        summary: """
          Write into DIR a trace of the first order that fails, or of the one that --order names, \
          for 'kennel replay'.
          """),
      .init(
        name: "faults",
        summary: """
          In place of orders, try one fault at every moment of each scenario, and judge by what \
          holds in every run. With --deliveries, at every moment of every order.
          """),
      .init(
        name: "fault", value: "NAME@N",
        summary: "Run only this fault, as named in a report of --faults, and report the result."),
      .format,
    ] + AdapterOptions.grammar,
    notes: """
      Examples:
        kennel explore races
        kennel explore regressions/transaction-above-others --deliveries
        kennel explore races/three-writers --order 0.1.2
        kennel explore writes --faults --profile firebase
        kennel explore races/two-writers-at-once -- python3 adapter.py

      \(ExitCode.help)
      """,
    takesAdapter: true)

  /// The options without which an order means something else.
  var orderOptions: String {
    var words = opensDeliveries ? ["--deliveries"] : []
    if let seed { words.append("--seed \(seed)") }
    return words.joined(separator: " ")
  }
}

extension Arguments {
  /// - Throws: `Failure.usage` for anything but a fault and a number.
  fileprivate func strike() throws(Failure) -> Sweep.FaultInjection? {
    guard let value = value(of: "fault") else { return nil }
    guard let strike = Sweep.FaultInjection(text: value) else {
      throw failure("--fault needs a fault and when, such as cut:alice@17, not \"\(value)\"")
    }
    return strike
  }

  /// - Throws: `Failure.usage` for anything but numbers with points between them.
  fileprivate func order() throws(Failure) -> Order? {
    guard let value = value(of: "order") else { return nil }
    guard let order = Order(text: value) else {
      throw failure("--order needs numbers with points between them, not \"\(value)\"")
    }
    return order
  }
}

extension ExploreCommand: Command {
  /// Explores the selected scenarios, each in every profile that it names and that was asked for.
  func perform() throws(Failure) -> ExitCode {
    if sweepsFaults, !opensDeliveries || strike != nil { return try runSweep(self) }
    let subject = try ClientUnderTest(named: client, or: adapter, clock: "explore")
    let explorer = Explorer(self, subject)
    let library = try ScenarioLibrary(selectors)
    try library.requireNoProblems()
    var failures = report(library)
    var traces = try self.traces.map { directory throws(Failure) in
      try TraceWriter(directory, client: adapter?.subject ?? client, library)
    }
    if let order = self.order {
      return try run(order, of: library, explorer, failures, traces, self)
    }
    let loop = try ScenarioLoop(
      over: library.scenarios, in: profiles(of:), while: { !subject.hasGivenUp },
      run: { explorer.explore($0, in: $1) },
      show: { surveys throws(Failure) in
        for survey in surveys { try writeTrace(of: survey.failure, in: &traces, &failures) }
        let report = SearchReport(failures, options: orderOptions)
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
private func run(
  _ order: Order, of library: ScenarioLibrary, _ explorer: Explorer, _ failures: TextReport,
  _ traces: TraceWriter?, _ command: ExploreCommand
) throws(Failure) -> ExitCode {
  var traces = traces
  var failures = failures
  let scenario = try library.onlyOne(for: "--order")
  var results: [ScenarioResult] = []
  for profile in command.profiles(of: scenario) {
    guard let outcome = explorer.run(scenario, in: profile, order: order) else { continue }
    try writeTrace(of: outcome, in: &traces, &failures)
    let report = SearchReport(failures, options: command.orderOptions)
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
  let file = try traces?.write(outcome.result, choices: outcome.choices)
  report.traceFiles[RunName(outcome.result)] = file
}

extension ExploreCommand {
  /// How failures are reported.
  func report(_ library: ScenarioLibrary) -> TextReport {
    TextReport(library, client: client, adapter, Console.palette)
  }

  /// The profiles in which a scenario is explored.
  func profiles(of scenario: Scenario) -> [Profile] { scenario.profiles(among: profiles) }
}

extension Explorer {
  fileprivate init(_ command: ExploreCommand, _ subject: ClientUnderTest) {
    self.init(subject.runner(seed: command.seed ?? 0))
    limit = command.limit ?? limit
    strategy = command.strategy
    depth = command.depth ?? depth
    scope = command.opensDeliveries ? .deliveries : .stated
    faults = command.sweepsFaults ? .one : .none
  }
}
