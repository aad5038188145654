import AdapterSessions
import ClientInterface
import Commands
import Conformance
import Document
import Hunting
import Reports
import Runs
import Scenario
import Search
import System
import Workspace

/// The command `kennel compare`.
struct CompareCommand: Command {
  var run = RunSettings()
  /// What names the older version: a client of the kit, or a command.
  var old = ""
  /// The seeds of the scenarios that are drawn.
  var seeds: ClosedRange<UInt64>?
  var showsOrders = false
  var format = OutputFormat.text

  static var options: [Option<Self>] {
    [
      .value(
        "seeds", "A..B", \.seeds, .seeds(SeedRanges.range(from:), text: SeedRanges.text(of:)),
        """
        Compare in the scenarios that 'kennel hunt --blind' draws with these seeds; in others only where \
        they are named.
        """),
      .flag(
        "orders", \.showsOrders,
        "Report also what differs in nothing but an order that the rules leave open."),
    ] + RunSettings.options.only("profile", "seed", "known", "today").within(\.run)
      + ScenarioSelection.options.within(\.run.selection) + [.format(\.format)]
      + AdapterOptions.options.within(\.run.adapter)
  }

  static let grammar = Grammar(
    command: "kennel compare", operands: "OLD [PATH|ID...] [-- NEW [ARGUMENT...]]",
    summary: """
      Runs the same scenarios with two versions of a client, and reports what differs in events, \
      messages, times and stored data, by cause, whether or not a rule decides. Where a process starts \
      again, NEW also opens what OLD has stored.
      """,
    notes: """
      OLD and NEW are names that the project file gives, clients of the kit, or commands; OLD is one \
      word, and a command of one word is a path. Exit code 1: NEW fails where OLD passes, or in another way, and no list of known failures says so.

      Examples:
        kennel compare 'python3 old/adapter.py' -- python3 adapter.py
        kennel compare 'python3 old/adapter.py' persistence --seeds 1..200 -- python3 adapter.py
        kennel compare reference limits -- no-refill
      """,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    guard let first = arguments.operands.first else {
      throw arguments.failure(
        "compare needs two versions: 'kennel compare OLD -- NEW', each a command or a client of the kit"
      )
    }
    old = first
    try run.take(arguments)
    run.selectors = Array(arguments.operands.dropFirst())
    if run.adapter == nil {
      throw arguments.failure(
        "compare needs the newer version behind --: 'kennel compare \(shellWord(old)) -- COMMAND'")
    }
  }

  func perform() throws(Failure) -> ExitCode {
    let command = run.adapter?.command ?? []
    let named = try NamedClients.ofProject()
    let older = try ClientUnderTest(playing: old, as: run.adapter, among: named)
    let draws = seeds != nil && run.selectors.isEmpty && run.selection.isEverything
    let library = draws ? nil : try ScenarioLibrary(run)
    let gate = try library.map { library throws(Failure) in
      try CIGate(run.gate, library, isWhole: false)
    }
    let runs = try VersionRuns(
      older, try newer(command, among: named), gate: gate, profile: run.profiles.last)
    let loop = try ScenarioLoop(
      over: library?.scenarios ?? [], in: run.profiles(of:), while: { !runs.hasGivenUp },
      run: { runs.compare($0, in: $1, seed: run.seed ?? 0) }, show: { _ in }, keep: { $0 })
    var compared = loop.outcomes.flatMap(\.self)
    if let seeds {
      for seed in seeds {
        if runs.hasGivenUp || Interrupt.hasCome() { break }
        compared += runs.compare(drawn: seed)
      }
    }
    let report = VersionReport(of: compared, withOrders: showsOrders) {
      words(repeating: $0, command)
    }
    try Console.output(format == .text ? report.text(Console.palette) : report.json)
    if runs.hasGivenUp { AdapterSession.describeEnd(left: loop.left) }
    if let signal = Interrupt.signal() { return ExitCode(signal: signal) }
    if report.isEmpty {
      Console.warn("nothing was compared")
      return .usage
    }
    return report.isRed ? .divergence : .success
  }

  private func newer(
    _ command: [String], among named: NamedClients
  ) throws(Failure) -> ClientUnderTest {
    if command.count == 1, let name = command.first, !name.contains("/") {
      return try ClientUnderTest(playing: name, among: named)
    }
    return try ClientUnderTest(Fleet(), or: run.adapter, clock: "compare", among: named)
  }

  /// The command that compares in one run again.
  private func words(repeating comparison: VersionComparison, _ command: [String]) -> String {
    var again = self
    let isDrawn = comparison.scenario.file == Generator.file
    again.seeds = isDrawn ? comparison.seed...comparison.seed : nil
    again.run.profiles = [comparison.profile.name]
    again.run.seed = isDrawn ? nil : run.seed
    let options = Self.options.only("seeds", "orders", "profile", "seed").words(of: again)
    let selected = isDrawn ? [] : [comparison.scenario.id]
    let words = ["compare", old] + selected + options + ["--"] + command
    return ([programWord] + words.map(shellWord)).joined(separator: " ")
  }
}
