import AdapterSessions
import Campaigns
import Commands
import Mutants
import MutationAnalysis
import System
import Tree
import Workspace

/// The command `kennel mutants`.
struct MutantsCommand: Command {
  var format = DocumentFormat.text
  /// The names of mutants and variants, and how each is examined. No name means all of them.
  var examination = MutantExamination()
  /// How many processes work; nil for as many as there are processors.
  var jobs: Int?
  var listsOnly = false
  /// The file that the matrix is written to; nil for none.
  var written: String?
  /// The document that is checked; nil for none.
  var checked: String?

  static var options: [Option<Self>] {
    MutantExamination.options.within(\.examination) + [
      .format(\.format),
      .flag("list", \.listsOnly, "Only list the names and the defects."),
      .value(
        "check", "FILE", \.checked, .text,
        "Only check whether the runs in FILE still notice the same mutants."),
      .value("write", "FILE", \.written, .text, "Write the matrix to FILE, as markdown."),
      .value(
        "jobs", "N", \.jobs, .count,
        "Work in N processes; one for each processor unless stated."),
    ]
  }

  static let grammar = Grammar(
    command: "kennel mutants", operands: "[NAME...]",
    summary: """
      Runs clients, servers and connections that have one deliberate defect each, and reports \
      which check notices each: the scenarios, the invariants or the hunt. Also runs conforming \
      variants, which no check may flag. Without a NAME it runs all of them.
      """,
    notes: """
      'kennel run --client NAME' shows how one of them fails.

      Examples:
        kennel mutants
        kennel mutants value-first no-refill --budget 2s
        kennel mutants --write Specs/mutants.md
        kennel mutants --check Specs/mutants.md
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
    if let checked { return try report.check(checked, write: Console.output) }
    if format == .json { return try report.examineHere(write: Console.output) }
    return try report.examine(
      jobs: jobs, matrix: written, asText: format == .text, write: Console.output)
  }
}
