import ClientInterface
import Commands
import RecordedRuns
import ScenarioExtraction
import System
import Tree

/// The command `kennel scenario-from`.
struct ScenarioFromCommand: Command {
  /// The file to write; nil for standard output.
  var output: String?
  /// The title of the scenario; nil for one that names the session.
  var title: String?
  /// As what clients are judged; nil for what the session says.
  var profile: Profile?
  /// Which part of the session.
  var selection = SessionSelection()
  /// Whether the scenario is made small.
  var shrinks: Bool
  /// A trace, or recordings of one session; at least one.
  var paths: [String]

  /// - Throws: `Failure.usage` for a profile that does not exist, and without a file.
  init(_ arguments: Arguments) throws(Failure) {
    paths = try arguments.someOperands(
      else: "scenario-from needs a trace, or recordings of one session")
    output = arguments.value(of: "output")
    title = arguments.value(of: "name")
    profile = try arguments.profiles().last.flatMap { Profile(named: $0) }
    shrinks = arguments.contains("shrink")
    selection.from = try Self.time("from", in: arguments)
    selection.until = try Self.time("until", in: arguments)
    selection.clients = arguments.values(of: "client")
    selection.path = arguments.value(of: "path").map { Path($0) }
  }

  /// Milliseconds of the session.
  private static func time(_ name: String, in arguments: Arguments) throws(Failure) -> Interval? {
    guard let text = arguments.value(of: name) else { return nil }
    guard let milliseconds = Int(text), (0..<3_153_600_000_000).contains(milliseconds) else {
      throw arguments.failure(
        "--\(name) takes milliseconds since the beginning of the session, such as 1500, not \(text)"
      )
    }
    return .milliseconds(milliseconds)
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
    options: [
      .init(
        name: "output", value: "FILE", letter: "o",
        summary: "Write the scenario to FILE instead of standard output."),
      .init(
        name: "name", value: "TITLE",
        summary: "The title of the scenario; if not given, one that names the session."),
      .init(
        name: "profile", value: "PROFILE",
        summary: "The profile by which clients are judged: wilddog-1, wilddog-2 or firebase."),
      .init(
        name: "from", value: "MS",
        summary: """
          Begin so many milliseconds after the session did, with the data, connections and listens \
          of that moment.
          """),
      .init(name: "until", value: "MS", summary: "End so many milliseconds after it began."),
      .init(
        name: "client", value: "NAME",
        summary: """
          Only this client, and others that are named; what the rest wrote, the server writes.
          """),
      .init(
        name: "path", value: "PATH",
        summary: "Only what concerns this location: at it, below it or above it."),
      .init(
        name: "shrink",
        summary: """
          Leave out what does not matter for what the faults of the session did to the server's data.
          """),
    ],
    notes: """
      Comments above the scenario list what is known and what is inferred, and whether its run has \
      the messages of the session. Specs/recordings.md describes how. If a session was cut off, \
      the scenario contains what was recorded.

      Examples:
        kennel scenario-from recordings/default.trace.jsonl -o Scenarios/found/live.yaml
        kennel scenario-from recordings/client-1.jsonl | less

      \(ExitCode.helpWithoutVerdicts)
      """)

  /// Writes a session as a scenario.
  func perform() throws(Failure) -> ExitCode {
    let session = try SessionScenario(
      of: paths, title: title, profile: profile, selection: selection, shrinks: shrinks)
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
