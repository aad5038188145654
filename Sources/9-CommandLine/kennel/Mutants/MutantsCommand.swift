import AdapterSessions
import Campaigns
import Commands
import Mutants
import MutationAnalysis
import System
import Tree
import Workspace

/// The command `kennel mutants`.
struct MutantsCommand {
  var format: DocumentFormat
  var budget: MutantExamination.Budget
  /// How many processes work; nil for as many as there are processors.
  var jobs: Int?
  var listsOnly: Bool
  var shrinks: Bool
  /// The file that the matrix is written to; nil for none.
  var written: String?
  /// The document that is checked; nil for none.
  var checked: String?
  /// The names of mutants and variants; empty means all of them.
  var names: [String]

  /// - Throws: `Failure.usage` for values that do not exist, `Failure.unusable` for a name that does
  ///   not.
  init(_ arguments: Arguments) throws(Failure) {
    format = try arguments.choice(of: "format", default: .text)
    budget = try arguments.budget()
    jobs = try arguments.count(of: "jobs")
    listsOnly = arguments.contains("list")
    shrinks = !arguments.contains("no-shrink")
    written = arguments.value(of: "write")
    checked = arguments.value(of: "check")
    names = arguments.operands
    for name in names { _ = try ClientUnderTest(named: name) }
  }

  static let grammar = Grammar(
    command: "kennel mutants", operands: "[NAME...]",
    summary: """
      Runs clients, servers and connections that have one deliberate defect each, and reports \
      which check notices each: the scenarios, the invariants or the hunt. Also runs conforming \
      variants, which no check may flag. Without a NAME it runs all of them.
      """,
    options: [
      .init(
        name: "budget", value: "N",
        summary: "Hunt each with N drawn scenarios (400 unless stated), or for N seconds: 5s."),
      .documentFormat,
      .init(name: "list", summary: "Only list the names and the defects."),
      .init(
        name: "check", value: "FILE",
        summary: "Only check whether the runs in FILE still notice the same mutants."),
      .init(name: "write", value: "FILE", summary: "Write the matrix to FILE, as markdown."),
      .init(name: "no-shrink", summary: "Do not minimise the scenarios that were found."),
      .init(
        name: "jobs", value: "N",
        summary: "Work in N processes; one for each processor unless stated."
      ),
    ],
    notes: """
      'kennel run --client NAME' shows how one of them fails.

      Examples:
        kennel mutants
        kennel mutants value-first no-refill --budget 2s
        kennel mutants --write Specs/mutants.md
        kennel mutants --check Specs/mutants.md

      \(ExitCode.help)
      """)

  /// Everything that was asked for, in the order of the catalogue.
  var mutants: [Mutant] {
    let matrix = (Mutant.all + Mutant.benign).filter {
      names.isEmpty || names.contains($0.name)
    }
    return matrix + Mutant.subtle.filter { names.contains($0.name) || names.isEmpty && listsOnly }
  }
}

extension Arguments {
  /// - Throws: `Failure.usage` for anything but a number, with or without `s`.
  fileprivate func budget() throws(Failure) -> MutantExamination.Budget {
    guard let value = value(of: "budget") else { return .scenarios(400) }
    if value.hasSuffix("s"), let seconds = Double(value.dropLast()), seconds > 0 {
      return .seconds(seconds)
    }
    guard let scenarios = UInt64(value), scenarios > 0 else {
      throw failure(
        "--budget needs a number of scenarios, or of seconds as in 5s, not \"\(value)\"")
    }
    return .scenarios(scenarios)
  }
}

extension MutantsCommand: Command {
  /// Examines the mutants and reports on them.
  func perform() throws(Failure) -> ExitCode {
    if listsOnly {
      for mutant in mutants { try Console.output(mutant.line) }
      return .success
    }
    let report = MutantReport(of: mutants, budget, shrinks: shrinks)
    if let checked { return try report.check(checked, write: Console.output) }
    if format == .json { return try report.examineHere(write: Console.output) }
    return try report.examine(
      jobs: jobs, matrix: written, asText: format == .text, write: Console.output)
  }
}
