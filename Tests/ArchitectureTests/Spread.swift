import TestKit

/// In how many files the cases of an enum are named, summed up over all cases: what one more of them
/// costs, whichever it is.
struct Spread {
  /// What the cases are, in the words of the failure.
  let name: String
  /// The enums that declare them, each with how the path of its file begins: a value, and its kind.
  let declarations: [(file: String, type: String)]
  /// The types by which a file shows that it speaks of them.
  let types: [String]
  /// Files that never name a new case.
  var except: [String] = []

  /// A case with the files that name it.
  struct Row {
    let name: String
    let files: [String]
  }

  /// One row for each case, in the order of the declarations.
  ///
  /// A file names a case as `.name`, as `Type.name` or as `case name`, not in a comment or a string,
  /// and not as a call of a method (`server.disarm()`). Where another enum, or a static member, has
  /// the same name, only those files count that speak of this enum: that have the name of the type as
  /// a word, or as the name of a value (`operation`), or name a case whose name is not shared.
  func rows(in sources: [SourceText]) -> [Row] {
    let files = sources.filter { !except.contains($0.file) }
    let own = declarations.map { declaration in
      files.lazy.filter { $0.file.hasPrefix(declaration.file) }
        .map { Self.cases(of: declaration.type, in: $0) }.first { !$0.isEmpty } ?? []
    }
    let names = own.joined().reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let qualifiers = Set(types + declarations.map { $0.type })
    let words = files.map { Words(of: $0, types: qualifiers) }
    var declared: [String: Int] = [:]
    for name in words.lazy.flatMap(\.declared) { declared[name, default: 0] += 1 }
    for name in own.joined() { declared[name, default: 0] -= 1 }
    let unshared = Set(names.filter { declared[$0, default: 0] <= 0 })
    let speaking = Set(types + types.map { $0.prefix(1).lowercased() + $0.dropFirst() })
    return names.map { name in
      let naming = zip(files, words).filter { _, words in
        guard words.named.contains(name) else { return false }
        return unshared.contains(name) || !words.all.isDisjoint(with: speaking)
          || !words.named.isDisjoint(with: unshared)
      }
      return Row(name: name, files: naming.map(\.0.file))
    }
  }

  /// The cases that the enum of this name declares in a file.
  private static func cases(of type: String, in source: SourceText) -> [String] {
    guard let start = source.code.firstIndex(where: { $0.contains("enum \(type)") }) else {
      return []
    }
    var depth = 0
    var names: [String] = []
    for line in source.code[start...] {
      if depth == 1 { names += Words.declaredCases(in: line) }
      depth += line.utf8.reduce(0) {
        $0 + ($1 == UInt8(ascii: "{") ? 1 : $1 == UInt8(ascii: "}") ? -1 : 0)
      }
      if depth == 0 { break }
    }
    return names
  }
}

/// The words of a file that show which cases it names.
private struct Words {
  /// Every identifier.
  private(set) var all: Set<String> = []
  /// The names that are used as the name of a case.
  private(set) var named: Set<String> = []
  /// The names of the cases of enums and of the static members that it declares, with repetitions.
  private(set) var declared: [String] = []

  init(of source: SourceText, types: Set<String>) {
    for line in source.code {
      add(Array(line.utf8), types)
      let cases = Self.declaredCases(in: line)
      declared += cases + Self.staticMember(in: line)
      named.formUnion(cases)
    }
  }

  private mutating func add(_ line: [UInt8], _ types: Set<String>) {
    var position = 0
    var previous = ""
    while position < line.count {
      guard Self.isPartOfName(line[position]) else {
        position += 1
        continue
      }
      let start = position
      while position < line.count, Self.isPartOfName(line[position]) { position += 1 }
      let word = String(decoding: line[start..<position], as: UTF8.self)
      all.insert(word)
      if start > 0, line[start - 1] == UInt8(ascii: ".") {
        let before = start > 1 ? line[start - 2] : UInt8(ascii: " ")
        let isMember =
          Self.isPartOfName(before) ? !types.contains(previous) : ")]?".utf8.contains(before)
        if !isMember { named.insert(word) }
      }
      previous = word
    }
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// `cut` and `drop` of `case cut(Client), drop(Client)`; nothing for a pattern.
  static func declaredCases(in line: String) -> [String] {
    let text = line.drop { $0 == " " }
    let list = text.hasPrefix("indirect case ") ? text.dropFirst(9) : text
    guard list.hasPrefix("case "), !line.hasSuffix(":") else { return [] }
    var depth = 0
    var names = [""]
    for character in list.dropFirst(5) {
      switch character {
      case "(", "[", "<": depth += 1
      case ")", "]", ">": depth -= 1
      case "," where depth == 0: names.append("")
      default: if depth == 0 { names[names.count - 1].append(character) }
      }
    }
    return names.map { $0.drop { $0 == " " || $0 == "`" } }
      .map { String($0.prefix { $0.isLetter || $0.isNumber || $0 == "_" }) }
      .filter { !$0.isEmpty && $0 != "let" && $0 != "var" }
  }

  /// `none` of `public static let none = …`.
  private static func staticMember(in line: String) -> [String] {
    let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    guard let index = words.firstIndex(of: "static"), index + 2 < words.count,
      ["let", "var", "func"].contains(words[index + 1])
    else { return [] }
    return [String(words[index + 2])]
  }
}
