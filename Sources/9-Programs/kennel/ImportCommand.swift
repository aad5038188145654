import ClientInterface
import Commands
import Document
import Recordings
import System
import Workspace

/// The command `kennel import`.
struct ImportCommand: Command {
  /// The folder of the scenarios.
  var folder = "Scenarios/imported"
  /// As what clients are judged; firebase where none is given.
  var profiles: [String] = []
  /// Files of cases; at least one.
  var files: [String] = []

  static var options: [Option<Self>] {
    [
      .value(
        "output", "FOLDER", \.folder, .text, letter: "o",
        "Write the scenarios into FOLDER instead of Scenarios/imported."),
      .list(
        "profile", "PROFILE", \.profiles, .profile,
        """
        The profile by which clients are judged: wilddog-1, wilddog-2 or firebase, which it is \
        unless stated; several times for several.
        """),
    ]
  }

  static let grammar = Grammar(
    command: "kennel import", operands: "FILE...",
    summary: """
      Makes scenarios of sync-point cases, so that every client can run them. A FILE is a JSON \
      list of cases in the form that the Firebase clients share. Cases whose server does what the \
      server of the protocol never does are named with the reason, and left out.
      """,
    notes: """
      Examples:
        kennel import syncPointSpec.json && kennel run Scenarios/imported
      """)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    files = try arguments.someOperands(
      else: "import needs sync-point cases: 'kennel import spec.json'")
  }

  /// Writes a file for each case that can be a scenario; all cases are read before.
  func perform() throws(Failure) -> ExitCode {
    var cases: [Case] = []
    for file in files { cases += try FileKind.reading(file, as: "cases in JSON", readCases) }
    var texts: [(path: String, text: String)] = []
    let judged = profiles.compactMap { Profile(named: $0) }
    for (subject, name) in zip(cases, Case.fileNames(of: cases)) {
      do throws(UntranslatableCase) {
        texts.append(
          (
            "\(folder)/\(name).yaml",
            try subject.scenarioText(for: judged.isEmpty ? [.firebase] : judged)
          ))
      } catch {
        Console.message("\(error)\n")
      }
    }
    let count = counted(cases.count, "case")
    if texts.isEmpty { throw .unusable("none of \(count) can be a scenario") }
    try Files.makeDirectory(folder)
    for (path, text) in texts { try FileKind.requireReplaceable(path, by: .scenario, text) }
    for (path, text) in texts { try Files.write(text, to: path) }
    try Console.output("wrote \(texts.count) of \(count) to \(folder)\n")
    return .success
  }
}

private func readCases(_ file: String) throws(Failure) -> [Case] {
  let bytes = Array(try Files.text(of: file).utf8)
  do throws(SourceError) {
    return try CaseReader.read(bytes, file: file)
  } catch {
    throw .noJSON(error)
  }
}
