/// A function, initializer, subscript or computed property, as found in code without comments.
struct Function: Equatable {
  var name: String
  /// Where its declaration begins, from 1.
  var line: Int
  /// From the declaration to the closing brace.
  var lineCount: Int

  /// All functions with bodies, those within others included.
  static func all(in code: [String]) -> [Function] {
    code.indices.compactMap { index in
      guard let name = declaredName(code[index]) else { return nil }
      return end(of: code, from: index).map {
        Function(name: name, line: index + 1, lineCount: $0 - index + 1)
      }
    }
  }

  /// The name that a line declares: `func` anywhere, other keywords after nothing but modifiers.
  private static func declaredName(_ line: String) -> String? {
    let words = line.split(separator: " ")
    if let keyword = words.firstIndex(of: "func"), keyword + 1 < words.count {
      return name(words[keyword + 1])
    }
    for (index, word) in words.enumerated() {
      let stem = word.prefix { $0.isLetter || $0 == "_" }
      if ["init", "subscript"].contains(stem) { return String(stem) }
      if word == "deinit" { return "deinit" }
      if word == "var" { return computedName(words[(index + 1)...]) }
      if !isModifier(word) { return nil }
    }
    return nil
  }

  private static func isModifier(_ word: Substring) -> Bool {
    let modifiers = [
      "public", "internal", "private", "fileprivate", "static", "mutating", "override", "final",
      "nonisolated", "package", "class", "convenience", "required", "indirect", "consuming",
    ]
    return word.hasPrefix("@") || modifiers.contains(word.prefix { $0.isLetter }.description)
  }

  /// A variable with a body and no stored value.
  private static func computedName(_ words: ArraySlice<Substring>) -> String? {
    guard let first = words.first, words.last == "{", !words.contains("=") else { return nil }
    return name(first)
  }

  private static func name(_ word: Substring) -> String {
    if word.hasPrefix("`") {  // The name may hold spaces, so it goes on in the line.
      let line = word.base[word.startIndex...].dropFirst()
      return String(line.prefix { $0 != "`" })
    }
    return String(word.prefix { $0 != "(" && $0 != ":" && $0 != "<" })
  }

  /// The index of the line with the closing brace, or nil for a declaration without a body.
  private static func end(of code: [String], from start: Int) -> Int? {
    var parentheses = 0
    var braces = 0
    for index in start..<code.count {
      if index > start, braces == 0, parentheses == 0, !continues(code[index]) { return nil }
      for character in code[index] {
        switch character {
        case "(", "[": parentheses += 1
        case ")", "]": parentheses -= 1
        case "{" where braces > 0 || parentheses == 0: braces += 1
        case "}" where braces > 0:
          braces -= 1
          if braces == 0 { return index }
        default: break
        }
      }
    }
    return nil
  }

  /// Whether a line goes on with a declaration whose parentheses are closed.
  private static func continues(_ line: String) -> Bool {
    let text = line.drop { $0 == " " }
    return ["{", "->", "where ", "throws", "async"].contains(where: text.hasPrefix)
  }
}
