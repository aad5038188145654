import Document

/// Programs that start a file in their language.
package enum Interpreter {
  /// By the ends of the names of such files.
  private static let programs = [
    ("py", "python3"), ("js", "node"), ("mjs", "node"), ("rb", "ruby"), ("pl", "perl"),
    ("lua", "lua"),
    ("php", "php"), ("sh", "bash"),
  ]

  /// The program that starts a file, by its name; nil where none is known.
  package static func program(for file: String) -> String? {
    programs.first { file.hasSuffix("." + $0.0) }?.1
  }

  /// What is missing in a command line that starts nothing, as a clause behind a colon; nil where that is
  /// not clear.
  package static func lack(in command: [String]) -> String? {
    if command.count == 1, programs.contains(where: { $0.1 == command[0] }) {
      return "it has no file to start"
    }
    let missing = zip(command.dropFirst(), command).first { word, previous in
      !word.hasPrefix("-") && !previous.hasPrefix("-") && program(for: word) != nil
        && !Files.exists(word)
    }
    return missing.map { "there is no file \(shellWord($0.0))" }
  }
}
