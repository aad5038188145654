import Commands
import Diagrams
import System

/// The command `kennel show`.
struct ShowCommand: Command {
  /// The file that the picture is written to as SVG; nil for text.
  var svg: String?
  /// The trace.
  var path = ""

  static var options: [Option<Self>] {
    [
      .value(
        "svg", "FILE", \.svg, .text,
        "Write the picture to FILE as SVG instead, for a browser or a document.")
    ]
  }

  static let grammar = Grammar(
    command: "kennel show", operands: "TRACE|RECORDING",
    summary: """
      Shows a run as a picture: a lane for each client and one for the server, time from top to \
      bottom, an event a row. --> and <-- is where a message leaves and where it arrives, --x one \
      that is lost, > a call, * what a listener receives, # a fault, and ! where the run failed. The \
      edge of a lane is | while its client is connected and : while it is not. If a failed run \
      has more than 400 events, only the events that led to the failure are shown.
      """,
    notes: """
      'kennel run --trace DIR' writes traces, and 'kennel serve --record DIR' traces and recordings; \
      of a recording the picture has its client and the server. Specs/guides/pictures.md describes the pictures.

      Examples:
        kennel show traces/races_three-writers.firebase.trace.jsonl
        kennel show trace.jsonl --svg picture.svg
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    path = try arguments.onlyOperand(
      else: "show needs the path of one trace; 'run ID --trace DIR' writes one")
  }

  /// Shows a trace.
  func perform() throws(Failure) -> ExitCode {
    let picture = SpaceTime(of: PicturedRun(try readPicture(path)))
    if let file = svg {
      try Files.write(picture.svg() + "\n", to: file)
    } else {
      try Console.output(picture.text)
    }
    return .success
  }
}
