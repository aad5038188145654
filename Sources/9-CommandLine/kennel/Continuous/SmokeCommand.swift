import AdapterSessions
import Commands
import Conformance
import Processes
import Reports
import Scenario
import System

/// What `kennel smoke` was asked for.
struct SmokeOptions {
  var run: RunOptions
}

extension SmokeOptions {
  /// From what every client has to what few get right at once.
  static let scenarios = [
    "values/four-kinds", "writes/local-echo", "events/initial-children-then-value",
    "events/previous-key-names-the-neighbour", "queries/bounds-are-inclusive",
    "limits/refill-after-foreign-removal", "transactions/increment-under-a-listener",
    "access/refused-write-is-rolled-back", "offline/writes-go-out-once-in-order",
    "connection/write-cut-on-its-way", "server-values/estimate-then-correction",
    "on-disconnect/presence-recipe",
  ]

  /// - Throws: `Failure.usage` for operands, and for values that do not exist.
  init(_ arguments: Arguments) throws(Failure) {
    if let word = arguments.operands.first {
      throw arguments.failure("smoke takes no \"\(word)\"; 'kennel run \(word)' runs that")
    }
    var arguments = arguments
    arguments.operands = Self.scenarios
    run = try RunOptions(arguments)
    if run.profiles.isEmpty { run.profiles = ["firebase"] }
    if run.profiles.count > 1 { throw arguments.failure("smoke takes one --profile") }
  }

  static let grammar = Grammar(
    command: "kennel smoke", operands: "[-- COMMAND [ARGUMENT...]]",
    summary: """
      Runs the handful of scenarios that tell the most about a client, shows the first failure, and \
      says what to do next: for the first five minutes.
      """,
    options: [
      .init(
        name: "profile", value: "PROFILE",
        summary: "Run for this profile (firebase if not given)."),
      .init(name: "client", value: "NAME", summary: "Test the client NAME."),
    ] + AdapterOptions.grammar,
    notes: """
      Examples:
        kennel smoke
        kennel smoke --profile wilddog-2 -- node adapter.js

      \(ExitCode.help)
      """,
    takesAdapter: true)
}

extension SmokeOptions: Command {
  /// Runs the handful, a line for each.
  func perform() throws(Failure) -> ExitCode {
    let library = try ScenarioLibrary(run)
    var session = try RunSession(run, library)
    var records: [RunRecord] = []
    for scenario in library.scenarios where !session.hasGivenUp {
      for record in try session.records(of: scenario, run, seed: 0) {
        records.append(record)
        try Console.output(line(on: record))
      }
    }
    let summary = Summary(of: records, left: library.scenarios.count - records.count, seed: 0)
    let first = records.first { !$0.text.isEmpty }.map { "\n" + $0.text } ?? ""
    try Console.output(first + "\n" + advice(records, self) + "\n" + summary.lastLine + "\n")
    return exitCode(of: records.map(\.verdict))
  }
}

private func line(on record: RunRecord) -> String {
  let word = record.verdict == .pass ? "ok" : record.verdict.rawValue
  let title = record.verdict == .unsupported ? record.reason ?? "" : record.title
  let name = record.scenario.padded(to: 40)
  return "\(word.padded(to: 13))\(name)  \(title)\n"
}

/// What to do next.
private func advice(_ records: [RunRecord], _ options: SmokeOptions) -> String {
  let program = options.run.adapter.map { $0.command.map(shellWord).joined(separator: " ") }
  let behind = program.map { " -- \($0)" } ?? ""
  let subject = (options.run.client.map { " --client \(shellWord($0))" } ?? "") + behind
  let failed = records.filter { $0.verdict.count == .failed }
  if records.allSatisfy({ $0.verdict.count == .skipped }) {
    return """
      Nothing could be judged: the client says that it lacks what these scenarios need.
      Name what it has in its capabilities; Specs/adapter-protocol.md lists them.

      """
  }
  guard let first = failed.first else {
    return """
      Next:
        \(programWord) run\(subject)
            runs everything; with --jobs on several processors
        Specs/continuous-integration.md
            tells how to make that a gate in CI, with a list of what is known to fail

      """
  }
  let check =
    failed.count == records.count && program != nil
    ? "  \(programWord) doctor\(behind)\n      looks at the adapter itself, since everything fails\n"
    : ""
  return """
    Next:
    \(check)  \(programWord) why \(first.scenario) --profile \(first.profile)\(subject)
          explains the first failure, which is above
      \(programWord) explain \(first.rule ?? first.scenario)
          tells what the specification says
      \(programWord) smoke\(subject)
          shows how far the next attempt gets

    """
}
