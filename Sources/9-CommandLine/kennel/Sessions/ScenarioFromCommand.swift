import ClientInterface
import Commands
import RecordedRuns
import System

/// What `kennel scenario-from` was asked for.
struct ScenarioFromOptions: Command {
  /// The file to write; nil for standard output.
  var output: String?
  /// The title of the scenario; nil for one that names the session.
  var title: String?
  /// As what clients are judged; nil for what the session says.
  var profile: Profile?
  /// A trace, or recordings of one session; at least one.
  var paths: [String]

  /// - Throws: `Failure.usage` for a profile that does not exist, and without a file.
  init(_ arguments: Arguments) throws(Failure) {
    paths = try arguments.someOperands(
      else: "scenario-from needs a trace, or recordings of one session")
    output = arguments.value(of: "output")
    title = arguments.value(of: "name")
    profile = try arguments.profiles().last.flatMap { Profile(named: $0) }
  }

  static let grammar = Grammar(
    command: "kennel scenario-from", operands: "FILE...",
    summary: """
      Makes a scenario of a session that was recorded: of a trace, or of a recording, or of \
      recordings of several clients in the same session. Calls are known where the session has them; \
      else they are inferred from what clients sent, as is what others did at the server. Expected \
      is what recorded clients showed, where that is known, else what the reference client shows.
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
        summary: "As what clients are judged: wilddog-1, wilddog-2 or firebase."),
    ],
    notes: """
      Comments above the scenario list what is known and what is inferred, and whether its run has \
      the messages of the session. Specs/recordings.md describes how. Of a session that was cut off, the \
      scenario has what was recorded.

      Examples:
        kennel scenario-from recordings/default.trace.jsonl -o Scenarios/found/live.yaml
        kennel scenario-from recordings/client-1.jsonl | less

      \(ExitCode.helpWithoutVerdicts)
      """)

  /// Writes a session as a scenario.
  func perform() throws(Failure) -> ExitCode {
    let session = try SessionScenario(of: paths, title: title, profile: profile)
    session.warnings.forEach(Console.warn)
    try session.requireNoProblems(in: output ?? "standard output")
    if let output {
      try Files.write(session.text, to: output)
    } else {
      try Console.output(session.text)
    }
    for line in session.similarity { Console.message(line + "\n") }
    return .success
  }
}
