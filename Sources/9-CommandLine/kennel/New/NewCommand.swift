import AdapterSessions
import Commands
import Processes
import System
import Workspace

/// The command `kennel new`.
struct NewCommand: Command {
  var template = AdapterTemplate.python
  /// The folder to write into; it is made where there is none.
  var directory = ""

  mutating func take(_ arguments: Arguments) throws(Failure) {
    let operands = arguments.operands
    guard let kind = operands.first else {
      throw arguments.failure("what is to be made? expected: adapter LANGUAGE")
    }
    guard kind == "adapter" else {
      throw arguments.failure("unknown thing \"\(kind)\"; expected adapter")
    }
    guard operands.count > 1 else {
      throw arguments.failure("in which language? one of \(Self.names.joined(separator: ", "))")
    }
    template = try Self.template(operands[1], arguments)
    guard operands.count < 4 else {
      throw arguments.failure("unexpected argument \"\(operands[3])\"")
    }
    directory = operands.count > 2 ? operands[2] : "kennel-\(template.rawValue)"
  }

  /// The template for a language.
  ///
  /// - Throws: `Failure.usage` for one that has none, with how to go on.
  static func template(
    _ language: String, _ arguments: Arguments
  ) throws(Failure) -> AdapterTemplate {
    if let template = AdapterTemplate(rawValue: language) { return template }
    throw arguments.failure(
      unknown("language", language, among: names)
        + "\nThere are templates for \(names.joined(separator: ", "))."
        + "\nAny other language will do too: an adapter is a program that reads lines of JSON and writes"
        + "\nlines of JSON. Translate a template that is one file, as '\(programWord) new adapter ruby'"
        + "\nwrites it, or begin with the conversation in this document:"
        + "\n  \(Home.document("adapter-protocol.md"))"
        + "\nThen '\(programWord) init -- COMMAND' makes a project of it, and"
        + "\n'\(programWord) doctor -- COMMAND' says what is missing.")
  }

  private static let names = AdapterTemplate.allCases.map(\.rawValue)

  static let grammar = Grammar(
    command: "kennel new", operands: "adapter LANGUAGE [DIR]",
    summary: """
      Writes an adapter to begin with into a folder: DIR, or kennel-LANGUAGE. The adapter runs \
      unchanged, with a small client of its own; replace that client with yours. Existing files \
      are never overwritten.

      Languages:
        python          an adapter and a complete client, for Python 3.9 or newer
        javascript      the same, for Node 20 or newer
        javascript-sdk  a host in which a shipped JavaScript SDK runs unchanged
        c               a header for everything that links C, and a thin client
        go, java, ruby, rust, csharp, dart
                        a thin client in one file, without libraries
      """,
    notes: """
      Examples:
        kennel new adapter python
        kennel new adapter c my-adapter
      """, exitCodes: .withoutVerdicts)

  /// Writes an adapter to begin with.
  func perform() throws(Failure) -> ExitCode {
    let count = try template.write(to: directory, from: try Home.find().path)
    try Console.output(
      """
      \(count == 1 ? "1 file is" : "\(count) files are") in \(directory). Try it:

      \(template.nextSteps(in: directory))

      """)
    return .success
  }
}
