import Commands
import Exploration
import RecordedRuns
import Reports
import Runs
import Scenario
import SearchReports
import Shrinking
import System
import Text
import Workspace

/// The command `kennel why`.
struct WhyCommand: Command {
  var run = FailingSetupOptions()
  /// Whether the order of all deliveries counts as open.
  var opensDeliveries = false
  /// Whether only what failed when it was last run is explained.
  var onlyLastFailed = false

  static var options: [Option<Self>] {
    FailingSetupOptions.options.within(\.run) + [
      .flag(
        "last-failed", \.onlyLastFailed,
        "Explain only what failed when it was last run from this directory."),
      .flag("deliveries", \.opensDeliveries, "Take the order of all deliveries as open."),
    ]
  }

  static let grammar = Grammar(
    command: "kennel why", operands: "[PATH|ID|PATTERN...] [-- COMMAND [ARGUMENT...]]",
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
        kennel why races/two-writers-at-once --client lost-echo --deliveries
      """,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    onlyLastFailed = arguments.operands.isEmpty
    if !onlyLastFailed {
      run.selector = try arguments.onlyOperand(else: "why needs one scenario")
    }
    run.run.adapter = try arguments.adapterOptions()
  }

  /// Explains the failure of the selected scenario, or of the run of a trace.
  func perform() throws(Failure) -> ExitCode {
    let scope: Explorer.Scope = opensDeliveries ? .deliveries : .stated
    var run = run
    let traced = try run.takeTrace()
    if traced == nil, let session = try run.session() {
      session.warnings.forEach(Console.warn)
      let explanation = try run.explain(session, scope: scope)
      try Console.output(explanation.text)
      return explanation.exitCode
    }
    let library =
      try traced == nil
      ? run.library(onlyLastFailed: onlyLastFailed) : ScenarioLibrary([])
    var explorer = Explorer(try run.runner())
    explorer.limit = 10_000
    explorer.scope = scope
    if traced == nil, onlyLastFailed || library.scenarios.count > 1 {
      return try explainCauses(in: library, explorer)
    }
    let (scenario, failingSetup) =
      if let traced {
        (traced, try run.failingSetup(of: traced, tryingOrders: explorer))
      } else {
        try run.failingSetup(in: library, tryingOrders: explorer)
      }
    guard let explanation = failingSetup.explain(scenario, with: explorer) else {
      throw .fault("the failure of \(scenario.id) disappeared")
    }
    let report = run.run.report(library, .plain)
    try Console.output(WhyReport(report).text(of: explanation))
    return .divergence
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
