import Commands
import System
import WebPages

/// The command `kennel view`.
struct ViewCommand: Command {
  /// The page that is written; nil for one beside the trace.
  var output: String?
  /// The trace.
  var path = ""

  static var options: [Option<Self>] {
    [
      .value(
        "output", "FILE", \.output, .text, letter: "o",
        "Write the page to FILE; if not given, beside the trace with .html at the end.")
    ]
  }

  static let grammar = Grammar(
    command: "kennel view", operands: "TRACE|RECORDING",
    summary: """
      Writes a page to go through a run in a browser, event by event: at each of them what every \
      listener shows, which calls wait and what the server has, with what changed marked; the events \
      can be filtered, and a link leads to one of them (#step=N). The page is one file that needs no \
      network.
      """,
    notes: """
      'kennel run --trace DIR' writes traces, and 'kennel serve --record DIR' traces and recordings. \
      Specs/guides/pictures.md describes the viewer and its keys.

      Examples:
        kennel view trace.jsonl
        kennel view trace.jsonl -o /tmp/run.html
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    path = try arguments.onlyOperand(
      else: "view needs the path of one trace; 'run ID --trace DIR' writes one")
  }

  /// The page that is written.
  var target: String {
    if let output { return output }
    return (path.hasSuffix(".jsonl") ? String(path.dropLast(6)) : path) + ".html"
  }

  /// Writes the viewer of a trace and prints where it is.
  func perform() throws(Failure) -> ExitCode {
    let file = try readPicture(path)
    try Files.write(ViewerPage(of: file, name: path).html, to: target)
    try Console.output("\(target)\n")
    return .success
  }
}
