import Foundation

/// What somebody typed into a shell, and what must come back: a part of a Markdown file.
///
/// Lines that begin with four spaces belong to the session, everything else is prose:
///
///     $ kennel explain EVT-99
///     ! kennel: there is no rule "EVT-99"; did you mean "EVT-9"?
///     [2]
///
/// A command begins with `$ ` and goes on in lines that begin with `> `. Then come what it writes to
/// standard output, what it writes to standard error behind `! `, and its exit code in brackets
/// unless that is 0. In expected lines `[..]` stands for any text, a line `...` for any lines of output,
/// and a line `! ...` for any messages. All commands of a part run in one shell, in an empty directory.
/// What stands before the first heading of the second level runs first in every part of the file.
package struct Transcript: Sendable, CustomStringConvertible {
  /// The file, relative to the source tree.
  package var file: String
  /// The heading of the part.
  package var title: String
  /// The line of the heading, from 1.
  package var line: Int
  /// What is run before, from the beginning of the file.
  package var setup: [Command]
  /// What is run, and compared.
  package var commands: [Command]

  /// One command and all that it must leave behind.
  package struct Command: Equatable, Sendable {
    /// The line of the file that it stands in, from 1.
    package var line: Int
    /// Its text as bash reads it.
    package var text: String
    /// What must come back, in the form of the file.
    package var expected: [String]
  }

  package var description: String { "\(file):\(line): \(title)" }

  /// The parts of all files below `Tests/Transcripts`, in order.
  package static func all() throws -> [Transcript] {
    try SourceTree.files(below: folder, ending: ["md"]).flatMap {
      parts(of: try SourceTree.text(of: $0), file: $0)
    }
  }

  /// Where the files are.
  package static let folder = "Tests/Transcripts"

  /// The parts of a file.
  package static func parts(of text: String, file: String) -> [Transcript] {
    var setup: [Command] = []
    var parts: [Transcript] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if line.hasPrefix("## ") {
        parts.append(
          Transcript(
            file: file, title: String(line.dropFirst(3)), line: index + 1, setup: setup,
            commands: []))
      } else if line.isEmpty || line.hasPrefix(indentation) {
        let session = String(line.dropFirst(indentation.count))
        if parts.isEmpty {
          read(session, at: index + 1, into: &setup)
        } else {
          read(session, at: index + 1, into: &parts[parts.count - 1].commands)
        }
      }
    }
    return parts.map(\.withoutTrailingGaps)
  }

  /// What lines of a session begin with.
  static let indentation = "    "

  private static func read(_ line: String, at number: Int, into commands: inout [Command]) {
    if line.hasPrefix("$ ") {
      commands.append(Command(line: number, text: String(line.dropFirst(2)), expected: []))
    } else if let last = commands.indices.last {
      if commands[last].expected.isEmpty, line.hasPrefix("> ") || line == ">" {
        commands[last].text += "\n" + line.dropFirst(2)
      } else {
        commands[last].expected.append(line)
      }
    }
  }

  /// An empty line before prose is no line of the session.
  private var withoutTrailingGaps: Transcript {
    var transcript = self
    transcript.setup = setup.map(\.withoutTrailingGap)
    transcript.commands = commands.map(\.withoutTrailingGap)
    return transcript
  }
}

extension Transcript.Command {
  fileprivate var withoutTrailingGap: Self {
    var command = self
    while command.expected.last == "" { command.expected.removeLast() }
    return command
  }
}
