import Commands
import Reports
import System

/// The command `kennel report badge`.
struct BadgeCommand: Command {
  var report = ""
  var label = "kennel"
  /// Where the picture goes; nil for nowhere.
  var svg: String?
  /// Where the object goes; nil for nowhere.
  var json: String?

  static let oldNames = ["badge"]

  static var options: [Option<Self>] {
    [
      .value("svg", "FILE", \.svg, .text, "Write the picture into FILE."),
      .value("json", "FILE", \.json, .text, "Write the object into FILE."),
      .value(
        "label", "TEXT", \.label, .text, "The text on the left (kennel if not given)."),
    ]
  }

  static let grammar = Grammar(
    command: "kennel report badge", operands: "REPORT",
    summary: """
      Draws the result of a run: a picture, and the object that an endpoint badge of shields.io reads.
      """,
    notes: """
      Examples:
        kennel report badge report.jsonl --svg badge.svg --json badge.json
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    report = try arguments.onlyOperand(
      else: "badge needs one report that 'kennel run --jsonl FILE' wrote")
  }

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    if svg == nil, json == nil { throw arguments.failure("badge needs --svg FILE or --json FILE") }
  }

  /// Writes the files.
  func perform() throws(Failure) -> ExitCode {
    let badge = Badge(of: try ReportFile(at: report), label: label)
    if let file = svg { try Files.write(badge.svg, to: file) }
    if let file = json { try Files.write(badge.json, to: file) }
    return .success
  }
}
