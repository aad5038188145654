import Document
import Glibc
package import System
import Tree

/// The commands of project files that the user has agreed to have started, in a file that is the user's
/// own: what a project brings along cannot agree for its user.
package struct AgreedCommands {
  /// The file: a command is a line. `nil` for a user without a home, who is asked each time.
  private let file: String?
  private var lines: [String]

  /// Those of the user: in `kennel/commands` below `XDG_STATE_HOME`, or below `~/.local/state`.
  package init() {
    let home = Self.variable("HOME").map { $0 + "/.local/state" }
    let state = Self.variable("XDG_STATE_HOME") ?? home
    self.init(file: state.map { Files.join($0, "kennel/commands") })
  }

  /// Those of a file; nil for none.
  package init(file: String?) {
    self.file = file
    let text = file.flatMap { try? Files.regularText(of: $0) }
    lines = text?.split(separator: "\n").map(String.init) ?? []
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func line(_ command: [String], of folder: String) -> String {
    JSON.strings([Files.realPath(of: folder) ?? folder] + command).text
  }

  /// Whether the user has agreed to a command of the project in a folder.
  package func has(_ command: [String], of folder: String) -> Bool {
    lines.contains(Self.line(command, of: folder))
  }

  /// Adds a command that the user has agreed to.
  ///
  /// - Throws: `Failure.results` when that cannot be written.
  package mutating func add(_ command: [String], of folder: String) throws(Failure) {
    lines.append(Self.line(command, of: folder))
    guard let file else { return }
    try Files.makeDirectory(of: file)
    try Files.replace(lines.map { $0 + "\n" }.joined(), at: file)
  }
}
