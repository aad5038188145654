import Commands
import Document
import Reports
import System

/// The command `kennel report diff`.
struct DiffCommand: Command {
  var old = ""
  var new = ""
  var format = DocumentFormat.text

  static let oldNames = ["diff"]

  static var options: [Option<Self>] {
    [.format(\.format)]
  }

  static let grammar = Grammar(
    command: "kennel report diff", operands: "OLD NEW",
    summary: """
      Compares two reports (JSON lines): new failures, corrected failures, failures that changed, \
      and scenarios that were added or removed.
      """,
    notes: """
      The exit code is 1 if there is a new or changed failure that no list of known failures \
      contains.

      Examples:
        kennel report diff main.jsonl branch.jsonl
        kennel report diff main.jsonl branch.jsonl --format markdown
      """)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    guard arguments.operands.count == 2 else {
      throw arguments.failure("diff needs two reports that 'kennel run --jsonl FILE' wrote")
    }
    (old, new) = (arguments.operands[0], arguments.operands[1])
  }

  /// Reports what two reports do not have in common.
  func perform() throws(Failure) -> ExitCode {
    let difference = ReportDifference(
      from: try ReportFile(at: old), to: try ReportFile(at: new))
    switch format {
    case .text: try Console.output(difference.text(Console.palette))
    case .markdown: try Console.output(difference.markdown)
    case .json: try Console.output(difference.json)
    }
    return difference.isRed ? .divergence : .success
  }
}

extension ReportFile {
  /// - Throws: `Failure` when it cannot be read, and when it is no report.
  init(at file: String) throws(Failure) {
    let text = try Files.text(of: file)
    do throws(SourceError) {
      try self.init(text, file: file)
    } catch {
      throw .unusable(error.description)
    }
  }
}
