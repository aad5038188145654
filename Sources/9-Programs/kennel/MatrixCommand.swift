import AdapterSessions
import Commands
import Runs
import Scenario
import System
import Workspace

/// The command `kennel matrix`.
struct MatrixCommand: Command {
  var run = RunSettings()
  var names: [String] = []
  var format = OutputFormat.text

  static var options: [Option<Self>] {
    [
      .list(
        "with", "NAME", \.names, .text,
        """
        Let NAME play clients: a name of kennel.yaml, a client of the kit, or a command, such as \
        'python3 old/adapter.py'. May be repeated; the COMMAND after -- is another one.
        """)
    ] + RunSettings.options.only("profile", "seed").within(\.run)
      + ScenarioSelection.options.within(\.run.selection) + [.format(\.format)]
      + AdapterOptions.options.within(\.run.adapter)
  }

  static let grammar = Grammar(
    command: "kennel matrix", operands: "[PATH|ID...] [-- COMMAND [ARGUMENT...]]",
    summary: """
      Runs each scenario with every combination of several implementations as its clients, such as an \
      old and a new version of one, and reports which pairs fail together what each passes alone.
      """,
    notes: """
      A scenario of three clients is run eight times with two implementations. Exit code 1: a pair, or one \
      of them alone, diverges.

      Examples:
        kennel matrix races --with reference --with sdk
        kennel matrix races --with 'python3 adapter.py' --with sdk
      """,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    try run.take(arguments)
  }

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    // What a project tests otherwise is one of two, and none beside two that are named.
    if names.count > 1, arguments.inherited["command"] != nil { run.adapter = nil }
    let count = names.count + (run.adapter == nil ? 0 : 1)
    guard count > 1 else {
      throw arguments.failure(
        "matrix needs two implementations; expected --with NAME twice, or once beside a COMMAND")
    }
  }

  func perform() throws(Failure) -> ExitCode {
    let library = try ScenarioLibrary(run)
    let named = try NamedClients.ofProject()
    var subjects: [FleetMatrix.Implementation] = []
    for name in names {
      let subject = try ClientUnderTest(playing: name, among: named)
      subjects.append(.init(name: name, subject: subject))
    }
    if let adapter = run.adapter {
      let name = adapter.command.joined(separator: " ")
      let subject = try ClientUnderTest(Fleet(), or: adapter, clock: "matrix", among: named)
      subjects.append(.init(name: name, subject: subject))
    }
    let matrix = FleetMatrix(subjects)
    let loop = try ScenarioLoop(
      over: library.scenarios, in: run.profiles(of:), while: { !matrix.hasGivenUp },
      run: { matrix.row($0, in: $1, seed: run.seed ?? 0) },
      show: { rows throws(Failure) in
        for row in rows {
          try Console.output(format == .text ? matrix.text(of: row) : matrix.json(of: row))
        }
      }, keep: { $0 })
    if format == .text { try Console.output(matrix.summary(of: loop.outcomes)) }
    if matrix.hasGivenUp { AdapterSession.describeEnd(left: loop.left) }
    guard loop.outcomes.contains(where: { $0.runs.contains(where: \.isJudged) }) else {
      Console.warn("nothing was judged")
      return .usage
    }
    let isDivergent = loop.outcomes.contains { !$0.pairs.isEmpty || !$0.failingAlone.isEmpty }
    return loop.exitCode(isDivergent ? .divergence : .success)
  }
}
