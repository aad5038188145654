import Commands
import Reports
import System

/// The command `kennel badge`.
struct BadgeCommand: Command {
  var report: String
  var label: String
  /// Where the picture goes; nil for nowhere.
  var svg: String?
  /// Where the object goes; nil for nowhere.
  var json: String?

  /// - Throws: `Failure.usage` without a report or without a file to write.
  init(_ arguments: Arguments) throws(Failure) {
    report = try arguments.onlyOperand(
      else: "badge needs one report that 'kennel run --jsonl FILE' wrote")
    label = arguments.value(of: "label") ?? "kennel"
    svg = arguments.value(of: "svg")
    json = arguments.value(of: "json")
    if svg == nil, json == nil { throw arguments.failure("badge needs --svg FILE or --json FILE") }
  }

  static let grammar = Grammar(
    command: "kennel badge", operands: "REPORT",
    summary: """
      Draws the result of a run: a picture, and the object that an endpoint badge of shields.io reads.
      """,
    options: [
      .init(name: "svg", value: "FILE", summary: "Write the picture into FILE."),
      .init(name: "json", value: "FILE", summary: "Write the object into FILE."),
      .init(
        name: "label", value: "TEXT", summary: "The text on the left (kennel if not given)."),
    ],
    notes: """
      Examples:
        kennel badge report.jsonl --svg badge.svg --json badge.json

      \(ExitCode.helpWithoutVerdicts)
      """)

  /// Writes the files.
  func perform() throws(Failure) -> ExitCode {
    let badge = Badge(of: try ReportFile(at: report), label: label)
    if let file = svg { try Files.write(badge.svg, to: file) }
    if let file = json { try Files.write(badge.json, to: file) }
    return .success
  }
}
