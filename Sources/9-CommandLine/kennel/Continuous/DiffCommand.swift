import Commands
import Document
import Reports
import System

/// What `kennel diff` was asked for.
struct DiffOptions {
  var old: String
  var new: String
  var format: DocumentFormat
}

extension DiffOptions {
  /// - Throws: `Failure.usage` unless there are two files.
  init(_ arguments: Arguments) throws(Failure) {
    guard arguments.operands.count == 2 else {
      throw arguments.failure("diff needs two reports that 'kennel run --jsonl FILE' wrote")
    }
    old = arguments.operands[0]
    new = arguments.operands[1]
    format = try arguments.choice(of: "format", default: .text)
  }

  static let grammar = Grammar(
    command: "kennel diff", operands: "OLD NEW",
    summary: """
      Compares two reports as lines of JSON: what fails now and did not, what does not fail any \
      more, what fails in another way, what is new and what is gone.
      """,
    options: [
      .init(
        name: "format", value: "FORMAT",
        summary: "Report as text (the default), markdown or json.",
        choices: DocumentFormat.allCases.map(\.rawValue))
    ],
    notes: """
      Ends with 1 when something fails that did not fail so before, and that no list of known \
      failures had.

      Examples:
        kennel diff main.jsonl branch.jsonl
        kennel diff main.jsonl branch.jsonl --format markdown

      \(ExitCode.help)
      """)
}

extension DiffOptions: Command {
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
