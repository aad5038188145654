extension Tidy {
  /// Whether a file declares a case of this name, or names it: `.disarm`, but not a call of a
  /// method such as `server.disarm()`.
  static func names(case name: String, in source: SourceText) -> Bool {
    source.code.contains { line in
      occurs("case \(name)", in: line) && !continues(line, behind: "case \(name)")
        || line.ranges(of: ".\(name)").contains { range in
          let before = range.lowerBound > line.startIndex ? line[..<range.lowerBound].last : nil
          let after = range.upperBound < line.endIndex ? line[range.upperBound] : nil
          return !isPartOfName(before) && before != ")" && before != "]" && before != "?"
            && !isPartOfName(after)
        }
    }
  }

  private static func continues(_ line: String, behind words: String) -> Bool {
    line.ranges(of: words).allSatisfy { range in
      range.upperBound < line.endIndex && isPartOfName(line[range.upperBound])
    }
  }

  private static func isPartOfName(_ character: Character?) -> Bool {
    character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
  }
}
