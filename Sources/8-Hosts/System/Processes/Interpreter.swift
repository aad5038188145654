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

  /// How languages say that a program lacks a part of it: before its name, behind it, and where it is expected.
  private static let missingParts = [
    (
      "No module named '", "'",
      "beside the program, where 'kennel new adapter python DIR' writes those of its adapter, or in PYTHONPATH"
    ),
    ("Cannot find module '", "'", "at the path that the program requires, or in node_modules"),
    ("Cannot find package '", "'", "in node_modules"),
    ("cannot load such file -- ", " ", "at the path that the program requires, or among the gems"),
  ]

  /// The part that a program lacks, and where it is expected, as clauses; nil where its last words are about
  /// something else.
  package static func missingPart(in log: [String]) -> (lack: String, expected: String)? {
    for line in log {
      for (before, behind, place) in missingParts {
        guard let start = line.firstRange(of: before) else { continue }
        let rest = line[start.upperBound...]
        let name = rest[..<(rest.firstRange(of: behind)?.lowerBound ?? rest.endIndex)]
        return ("it finds no module \(name)", "expected it \(place)")
      }
    }
    return nil
  }
}
