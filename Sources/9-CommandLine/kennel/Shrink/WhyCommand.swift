import Commands
import Exploration
import RecordedRuns
import Reports
import Runs
import Scenario
import SearchReports
import Shrinking
import System
import Workspace

/// What `kennel why` was asked for.
struct WhyOptions: Command {
  var run: FailingSetupOptions
  /// Whether the order of all deliveries counts as open.
  var opensDeliveries: Bool

  init(_ arguments: Arguments) throws(Failure) {
    run = try FailingSetupOptions(arguments)
    opensDeliveries = arguments.contains("deliveries")
  }

  static let grammar = Grammar(
    command: "kennel why", operands: "PATH|ID [-- COMMAND [ARGUMENT...]]",
    summary: """
      Explains why a scenario fails: what led to it, after which step or delivery it was \
      inevitable, and what would have to be otherwise for it to pass.
      """,
    options: FailingSetupOptions.options + [
      .init(name: "deliveries", summary: "Take the order of all deliveries as open.")
    ],
    notes: """
      A trace or a recording means the scenario that 'kennel scenario-from' makes of it.

      Examples:
        kennel why recordings/default.trace.jsonl
        kennel why Scenarios/found/inv-4-listener.yaml --client value-first
        kennel why races/two-writers-at-once --client lost-echo --deliveries

      \(ExitCode.help)
      """,
    takesAdapter: true)

  /// Explains the failure of the selected scenario.
  func perform() throws(Failure) -> ExitCode {
    let freedom: Explorer.Freedom = opensDeliveries ? .deliveries : .stated
    if let session = try run.session() {
      session.warnings.forEach(Console.warn)
      let explanation = try run.explain(session, freedom: freedom)
      try Console.output(explanation.text)
      return explanation.exitCode
    }
    let library = try ScenarioLibrary([run.selector])
    var explorer = Explorer(try run.runner())
    explorer.limit = 10_000
    explorer.freedom = freedom
    let (scenario, failingSetup) = try run.failingSetup(in: library, tryingOrders: explorer)
    guard let explanation = failingSetup.explain(scenario, with: explorer) else {
      throw .fault("the failure of \(scenario.id) disappeared")
    }
    try Console.output(WhyReport(TextReport(rules: library.rules)).text(of: explanation))
    return .divergence
  }
}
