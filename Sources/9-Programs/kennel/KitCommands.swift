import AdapterSessions
import Benchmarks
import Commands
import Document
import Mutants
import MutationAnalysis
import Runs
import System
import Workspace

/// The command `kennel mutants`.
struct MutantsCommand: Command {
  var format = DocumentFormat.text
  var examination = MutantExamination()
  var jobs: Int?
  var listsOnly = false
  var measuresCauses = false
  var written: String?
  var checked: String?

  static var options: [Option<Self>] {
    MutantExamination.options.within(\.examination) + [
      .format(\.format),
      .flag("list", \.listsOnly, "Only list the names and the defects.").excluding(
        "write", "check", "causes"),
      .flag(
        "causes", \.measuresCauses,
        "Only measure how well failures are grouped by cause, and how often the broken rule is named."
      ).excluding("write", "check"),
      .value(
        "check", "FILE", \.checked, .text,
        "Only check whether the runs in FILE still notice the same mutants."
      ).excluding("write"),
      .value("write", "FILE", \.written, .text, "Write the matrix to FILE, as markdown."),
      .value(
        "jobs", "N", \.jobs, .processes,
        "Work in N processes; one for each processor unless stated."),
    ]
  }

  static let grammar = Grammar(
    command: "kennel mutants", operands: "[CLIENT...]",
    summary: """
      Runs clients, servers and connections that have one deliberate defect each, and reports \
      which check notices each: the scenarios, the invariants or the hunt. Also runs conforming \
      variants, which no check may flag. Without a CLIENT it runs all of them.
      """,
    notes: """
      'kennel run --client NAME' shows how one of them fails.

      Examples:
        kennel mutants
        kennel mutants value-first no-refill --budget 2s
        kennel mutants --write Specs/mutants.md
        kennel mutants --check Specs/mutants.md
        kennel mutants --causes
      """)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    examination.names = arguments.operands
    for name in examination.names { _ = try ClientUnderTest(named: name) }
  }

  /// Everything that was asked for, in the order of the catalogue.
  var mutants: [Mutant] {
    let names = examination.names
    let matrix = (Mutant.all + Mutant.benign).filter {
      names.isEmpty || names.contains($0.name)
    }
    return matrix + Mutant.subtle.filter { names.contains($0.name) || names.isEmpty && listsOnly }
  }

  /// Examines the mutants and reports on them.
  func perform() throws(Failure) -> ExitCode {
    if listsOnly {
      for mutant in mutants { try Console.output(mutant.line) }
      return .success
    }
    let report = MutantReport(of: mutants, examination)
    if measuresCauses { return try report.measureCauses(write: Console.output) }
    if let checked { return try report.check(checked, write: Console.output) }
    if format == .json { return try report.examineHere(write: Console.output) }
    if let written { try FileKind.requireReplaceable(written, by: nil) }
    return try report.examine(
      jobs: jobs, matrix: written, asText: format == .text, write: Console.output)
  }
}

/// The command `kennel bench`.
struct BenchCommand: Command {
  var isQuick = false
  /// What is measured.
  var figures: [Figure] = []
  /// Whether it is measured how runs grow.
  var measuresGrowth = false
  /// Whether guided hunts are compared with blind ones.
  var comparesHunts = false
  /// How a client in another program is hunted with.
  var hunt = HuntOptions()

  static var options: [Option<Self>] {
    [.flag("quick", \.isQuick, "Take seconds instead of minutes; rougher figures.")]
      + HuntOptions.options.only("profile", "timeout").within(\.hunt)
  }

  private static let growth = "growth"
  private static let guided = "guided"
  private static let clients = "clients"

  static let grammar = Grammar(
    command: "kennel bench", operands: "[FIGURE...] [-- COMMAND [ARGUMENT...]]",
    summary: """
      Measures how fast this machine runs scenarios, and compares the figures with targets.
      """,
    notes: """
      Figures, in this order when none is named:
      \(Figure.list)

      A step of messages and deliveries is one thing taken out of the queue of what will \
      happen: a message that arrives, a timer that fires, an attempt to connect that is answered, \
      a connection whose end is noticed. What an application's calls cost is counted in with the \
      steps that follow from them.

      An event is one line of the trace: a call, an input or an output of a client, a message that \
      the server takes or sends, a fault. The scenarios of campaign are what 'kennel hunt' draws \
      from seeds 0 to 199 at its standard size of about 120 events, and what scenarios counts are \
      these, as they are, drawn, run and judged; without the shadow that a hunt adds.

      The figures of the live server start 'kennel serve' as a process of its own, again for each, \
      and talk to it over WebSockets of this machine. Clients use another core, if there is one. \
      A write counts as answered when its answer has arrived; with --record it is then in the \
      recording.

      The figures of the documented SDK run it in this process, with its own clock and sockets. A word \
      that several names begin with, such as sdk, stands for all of them.

      'kennel bench growth' measures how the time of one run grows with listeners, steps, clients \
      and children, with all invariants, and fails when a kind takes more than its size and a \
      logarithm: when four times as many take more than about five times as long.

      'kennel bench guided' compares guided hunts with blind ones of the same length: after how many \
      scenarios they notice each mutant, and how many states of the model they reach.

      'kennel bench clients' hunts with the client behind COMMAND in one process, and makes small what \
      fails: how many scenarios a second of processor time are run, with how many round trips each, \
      and which share the kit, the start of the program and shrinking have.

      Examples:
        kennel bench --quick
        kennel bench kernel campaign
        kennel bench live-messages live-p99
        kennel bench sdk
        kennel bench clients --profile firebase -- python3 adapter.py
      """,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    if let adapter = try arguments.adapterOptions() {
      guard arguments.operands == [Self.clients] else {
        throw arguments.failure("only bench \(Self.clients) takes a COMMAND")
      }
      return hunt.take(adapter)
    }
    for name in arguments.operands {
      guard name != Self.clients else {
        throw arguments.failure("bench \(name) needs a client: bench \(name) -- COMMAND")
      }
      if name == Self.growth || name == Self.guided {
        measuresGrowth = measuresGrowth || name == Self.growth
        comparesHunts = comparesHunts || name == Self.guided
        continue
      }
      let found = Figure.all.filter { $0.name == name || $0.name.hasPrefix(name + "-") }
      guard !found.isEmpty else {
        throw arguments.failure(
          "there is no figure \"\(name)\""
            + didYouMean(
              name, Figure.all.map(\.name) + [Self.growth, Self.guided, Self.clients]))
      }
      figures += found
    }
    if figures.isEmpty, !measuresGrowth, !comparesHunts { figures = Figure.all }
  }

  /// Measures and prints the figures.
  func perform() throws(Failure) -> ExitCode {
    if hunt.adapter != nil { return try measureClient() }
    if measuresGrowth {
      let areLinear = try Growth.report(rounds: isQuick ? 1 : 3, write: Console.output)
      if figures.isEmpty || !areLinear { return areLinear ? .success : .divergence }
    }
    if comparesHunts {
      try GuidedComparison(isQuick: isQuick).run(Console.output)
      if figures.isEmpty { return .success }
    }
    try Figure.report(figures, rounds: isQuick ? 5 : 40, write: Console.output)
    return .success
  }

  private func measureClient() throws(Failure) -> ExitCode {
    let folder = try TemporaryDirectory()
    defer { withExtendedLifetime(folder) {} }
    let effort = try ClientEffort.measured(hunt, 1...(isQuick ? 60 : 400), keptIn: folder.path)
    try Console.output(effort.report)
    return .success
  }
}
