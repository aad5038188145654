import ClientInterface
import Commands
import RecordedRuns
import ScenarioExtraction
import System
import Tree
import Workspace

/// The command `kennel scenario-from`.
struct ScenarioFromCommand: Command {
  /// The file to write; nil for standard output.
  var output: String?
  /// The title of the scenario; nil for one that names the session.
  var title: String?
  /// As what clients are judged; nil for what the session says.
  var profile: String?
  /// Which part of the session.
  var selection = SessionSelection()
  /// Whether the scenario is made small.
  var shrinks = false
  /// A trace, or recordings of one session; at least one.
  var paths: [String] = []

  static var options: [Option<Self>] {
    [
      .value(
        "output", "FILE", \.output, .text, letter: "o",
        "Write the scenario to FILE instead of standard output."),
      .value(
        "name", "TITLE", \.title, .text,
        "The title of the scenario; if not given, one that names the session."),
      .value(
        "profile", "PROFILE", \.profile, .profile,
        "The profile by which clients are judged: wilddog-1, wilddog-2 or firebase."),
      .value(
        "from", "MS", \.selection.from, .time,
        """
        Begin so many milliseconds after the session did, with the data, connections and listens \
        of that moment.
        """),
      .value(
        "until", "MS", \.selection.until, .time, "End so many milliseconds after it began."),
      .list(
        "client", "NAME", \.selection.clients, .text,
        "Only this client, and others that are named; what the rest wrote, the server writes."),
      .value(
        "path", "PATH", \.selection.path, .path,
        "Only what concerns this location: at it, below it or above it."),
      .flag(
        "shrink", \.shrinks,
        """
        Leave out what does not matter for what the faults of the session did to the server's data.
        """),
    ]
  }

  static let grammar = Grammar(
    command: "kennel scenario-from", operands: "FILE...",
    summary: """
      Makes a scenario of a session that was recorded: of a trace, or of a recording, or of \
      recordings of several clients in the same session. If the session contains no calls, they \
      are inferred from what clients sent; so are the writes of other clients. The expectations \
      are the events of the recorded clients if they are known, otherwise those of the reference \
      client.
      """,
    notes: """
      Comments above the scenario list what is known and what is inferred, and whether its run has \
      the messages of the session. Specs/recordings.md describes how. If a session was cut off, \
      the scenario contains what was recorded.

      Examples:
        kennel scenario-from recordings/default.trace.jsonl -o Scenarios/found/live.yaml
        kennel scenario-from recordings/client-1.jsonl | less
      """, exitCodes: .withoutVerdicts)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    paths = try arguments.someOperands(
      else: "scenario-from needs a trace, or recordings of one session")
  }

  /// Writes a session as a scenario.
  func perform() throws(Failure) -> ExitCode {
    let session = try SessionScenario(
      of: paths, title: title, profile: profile.flatMap { Profile(named: $0) },
      selection: selection, shrinks: shrinks)
    session.warnings.forEach(Console.warn)
    try session.requireNoProblems(in: output ?? "standard output")
    if let output {
      try Files.makeDirectory(of: output)
      try Files.write(session.text, to: output)
    } else {
      try Console.output(session.text)
    }
    for line in session.similarity { Console.message(line + "\n") }
    return .success
  }
}

extension OptionKind where Value == Interval {
  /// A moment of a session.
  fileprivate static var time: OptionKind {
    OptionKind(
      "milliseconds since the beginning of the session, such as 1500",
      { text in
        Int(text).flatMap { (0..<3_153_600_000_000).contains($0) ? .milliseconds($0) : nil }
      }, text: { String(Int($0.milliseconds)) })
  }
}

extension OptionKind where Value == Path {
  fileprivate static var path: OptionKind { OptionKind("a path", { Path($0) }) }
}
