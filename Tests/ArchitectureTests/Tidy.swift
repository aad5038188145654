/// The checks of the house style, as functions from text to complaints. Each complaint says what to
/// do instead.
enum Tidy {
  static let fileLimit = 800
  static let functionLimit = 40

  static func length(of source: SourceText) -> [String] {
    let count = source.lines.count - (source.lines.last == "" ? 1 : 0)
    guard count > fileLimit else { return [] }
    return [
      "\(source.file): \(count) lines; a file has at most \(fileLimit): "
        + "move one of its ideas to a file of its own"
    ]
  }

  static let moduleLimit = 7000
  static let executableLimit = 4000

  static func size(of module: Modules.Module, lines: Int) -> [String] {
    let limit = module.name == "kennel" ? executableLimit : moduleLimit
    guard lines >= limit else { return [] }
    return [
      "\(module.group)/\(module.name): \(lines) lines; it has less than \(limit): "
        + "move one of its ideas to a module of its own"
    ]
  }

  static func functionLengths(in source: SourceText) -> [String] {
    Function.all(in: source.code).filter { $0.lineCount > functionLimit }.map {
      "\(source.file):\($0.line): \($0.name) has \($0.lineCount) lines; a function has at most "
        + "\(functionLimit): give its steps names and functions of their own"
    }
  }

  /// A piece of code that must not occur, where it may all the same, and what to write instead.
  private struct Ban {
    let code: String
    var allowed: [String] = []
    let instead: String
  }

  private static let bans = [
    Ban(code: "Date(", instead: "take the virtual time as a parameter"),
    Ban(code: ".random(", instead: "draw from the choice tape"),
    Ban(code: "UUID(", instead: "draw from the choice tape"),
    Ban(
      code: "print(", allowed: ["Sources/9-Programs/kennel/", "Sources/7-Presentation/Reports/"],
      instead: "return the text to the command line"),
    Ban(code: "try!", instead: "handle the error, or declare it with throws"),
    Ban(code: "as!", instead: "match with a case or as?"),
    Ban(code: "fatalError(", instead: "throw for bad input, precondition for a broken law"),
    Ban(
      code: "import Foundation",
      allowed: ["Sources/3-Implementations/ClientEngine/SyncError+Text.swift"],
      instead: "use the standard library, or Glibc in kennel"),
  ]

  static func bannedCode(in source: SourceText) -> [String] {
    var complaints: [String] = []
    for (index, line) in source.code.enumerated() {
      for ban in bans where !ban.allowed.contains(where: source.file.hasPrefix) {
        guard occurs(ban.code, in: line) else { continue }
        complaints.append("\(source.file):\(index + 1): \(ban.code) is not used; \(ban.instead)")
      }
      if source.lines[index].contains("TODO") {
        complaints.append(
          "\(source.file):\(index + 1): TODO is not used; do it, or write the scenario that fails")
      }
    }
    return complaints
  }

  /// The compiler does not check `@unchecked`, so its comment has to say why it holds.
  static func unexplained(in source: SourceText) -> [String] {
    source.code.indices.filter { source.code[$0].contains("@unchecked Sendable") }.filter { index in
      let comment = source.lines[..<index].reversed().prefix {
        $0.contains("//") || $0.contains("@")
      }
      return !comment.contains { $0.contains("Unchecked") }
    }.map {
      "\(source.file):\($0 + 1): @unchecked is not explained; "
        + "add a paragraph \"Unchecked: …\" to the comment, or use a Mutex"
    }
  }

  /// Whether the words occur as words: `print(` does not occur in `fingerprint(`.
  static func occurs(_ words: String, in line: String) -> Bool {
    line.ranges(of: words).contains { range in
      guard range.lowerBound > line.startIndex, words.first != "." else { return true }
      let before = line[line.index(before: range.lowerBound)]
      return !before.isLetter && !before.isNumber && before != "_"
    }
  }

  static func imports(in source: SourceText, module: String, of modules: Modules) -> [String] {
    guard let row = modules[module] else {
      return ["\(source.file): module \(module) is not in Package.swift; add it there"]
    }
    let allowed = row.imports + (Modules.system[module] ?? Modules.system[row.group] ?? [])
    var complaints: [String] = []
    for (index, line) in source.code.enumerated() {
      guard let name = importedModule(line) else { continue }
      if name == "Foundation" || allowed.contains(name) { continue }
      complaints.append(
        "\(source.file):\(index + 1): \(module) may not import \(name), only "
          + (allowed.isEmpty ? "the standard library" : allowed.joined(separator: ", "))
          + "; move the code to where the arrows lead")
    }
    return complaints
  }

  /// What a row of Package.swift declares and no file imports: the table would lie, and a change there
  /// would compile the module again.
  static func unused(of module: Modules.Module, in sources: [SourceText]) -> [String] {
    let imported = Set(sources.flatMap { $0.code.compactMap(importedModule) })
    return module.imports.filter { !imported.contains($0) }.map {
      "Package.swift: \(module.name) declares \($0), which none of its files imports; remove it there"
    }
  }

  /// `Wire` for `public import struct Wire.Frame`; nil for a line that is no import.
  private static func importedModule(_ line: String) -> String? {
    let words = line.split { $0 == " " || $0 == "." }
    guard let position = words.firstIndex(of: "import") else { return nil }
    let kinds = ["struct", "enum", "class", "protocol", "func", "var", "let", "typealias"]
    return words[(position + 1)...].first { !kinds.contains(String($0)) }.map(String.init)
  }

  static func topLevel(_ entries: [String]) -> [String] {
    let known = ["Package.swift", "README.md", "Scenarios", "Sources", "Specs", "Tests", "tools"]
    return entries.filter { !$0.hasPrefix(".") && !known.contains($0) }.map {
      "\($0): does not belong at the top level; put it into \(known.joined(separator: ", "))"
    }
  }
}
