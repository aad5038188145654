import CYAML
internal import Document

/// The mistake at which libyaml has stopped, in the kit's words.
enum YAMLSyntaxError {
  /// What to stop with. Before the first document has begun, whatever libyaml missed is a
  /// directive.
  static func halt(
    of parser: yaml_parser_t, in text: UnsafeBufferPointer<UInt8>, inDocument: Bool
  ) -> DocumentError {
    if parser.error == YAML_READER_ERROR {
      let position = Position(ofByte: parser.problem_offset, in: text)
      let mistake = YAMLTokenError.forbiddenCharacter(code: Int(parser.problem_value))
      return DocumentError(at: position, mistake.message)
    }
    let problem = parser.problem.map { String(cString: $0) } ?? ""
    if problem == "did not find expected <document start>", !inDocument {
      return DocumentError(at: Position(parser.problem_mark), YAMLTokenError.directive.message)
    }
    if problem == "mapping values are not allowed in this context" {
      return misplacedColon(at: Position(parser.problem_mark), in: text)
    }
    let start = Position(parser.context_mark)
    let found = found(at: parser.problem_mark.index, in: text)
    let message = message(
      problem, context: parser.context.map { String(cString: $0) } ?? "",
      found: found ?? "the end of the text", start: start)
    if startsThere.contains(problem) { return DocumentError(at: start, message) }
    // libyaml locations the end of the text on a line of its own, even if there is no such line.
    let end =
      found == nil ? Position(ofByte: text.count, in: text) : Position(parser.problem_mark)
    return DocumentError(at: end, message)
  }

  /// Problems for which the writer must look where something begins, not where it was missed.
  private static let startsThere = [
    "could not find expected ':'", "found unexpected document indicator",
    "found unexpected end of stream",
  ]

  /// Sorts what libyaml says, which is a problem and what it was doing at the time.
  static func message(
    _ problem: String, context: String, found: String, start: Position
  ) -> String {
    switch problem {
    case "did not find expected node content":
      YAMLStructureError.valueExpected(found: found).message
    case "did not find expected key":
      YAMLStructureError.entryExpected(found: found, start: start).message
    case "did not find expected '-' indicator":
      YAMLStructureError.itemExpected(found: found, start: start).message
    case "did not find expected ',' or ']'":
      YAMLStructureError.separatorExpected(found: found, closer: "]", start: start).message
    case "did not find expected ',' or '}'":
      YAMLStructureError.separatorExpected(found: found, closer: "}", start: start).message
    case "did not find expected <document start>":
      YAMLStructureError.moreThanOneValue(found: found).message
    case "could not find expected ':'":
      YAMLStructureError.colonMissing.message
    case "block sequence entries are not allowed in this context":
      YAMLStructureError.listMisplaced.message
    case "mapping keys are not allowed in this context":
      YAMLStructureError.questionMisplaced.message
    default:
      tokenError(problem, context: context, found: found).message
    }
  }

  /// What is wrong with a line in which there is a colon too many, or one too few before it.
  private static func misplacedColon(
    at position: Position, in text: UnsafeBufferPointer<UInt8>
  ) -> DocumentError {
    let lines = Array(text).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let all = String(decoding: lines.dropFirst(position.line - 1).first ?? [], as: UTF8.self)
    let line = all.trimmed
    let entry = line.hasPrefix("- ") ? String(line.dropFirst(2)).trimmed : line
    let key = entry.prefix { !": {[\"'".contains($0) }
    let rest = String(entry.dropFirst(key.count)).trimmed
    let hasColon = rest.first == ":"
    if !key.isEmpty, let opener = rest.dropFirst(hasColon ? 1 : 0).first, "{[".contains(opener) {
      let column = all.prefix { $0 != opener }.unicodeScalars.count + 1
      let error: YAMLStructureError =
        hasColon
        ? .spaceForgotten(key: String(key), opener: opener)
        : .colonForgotten(key: String(key), opener: opener)
      return DocumentError(at: Position(line: position.line, column: column), error.message)
    }
    let value = hasColon ? String(rest.dropFirst()).trimmed : ""
    let isText = value.contains(": ") && !"\"'|>&*{[".contains(value.prefix(1))
    let quoted = isText ? "\(key): \(shown(value.unquoted))" : nil
    return DocumentError(at: position, YAMLStructureError.colonMisplaced(quoted: quoted).message)
  }

  private static func tokenError(
    _ problem: String, context: String, found: String
  ) -> YAMLTokenError {
    switch problem {
    case "found character that cannot start any token":
      found == shown("\t") ? .tab : .cannotBegin(found: found)
    case "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      .tab
    case "found unexpected document indicator", "found unexpected end of stream": .unclosedString
    case "found unknown escape character": .unknownEscape
    case "did not find expected hexdecimal number": .tooFewDigits
    case "found invalid Unicode character escape code": .escapeOfNoCharacter
    case "found undefined tag handle": .undefinedTagHandle
    case "found duplicate %YAML directive", "found duplicate %TAG directive",
      "found incompatible YAML document":
      .directive
    default: tokenError(problem, inContext: context, found: found)
    }
  }

  /// For the problems whose context says more than they do.
  private static func tokenError(
    _ problem: String, inContext context: String, found: String
  ) -> YAMLTokenError {
    switch context {
    case "while scanning a block scalar": .blockScalarHeader(found: found)
    case "while scanning an anchor": .nameExpected(mark: "&", found: found)
    case "while scanning an alias": .nameExpected(mark: "*", found: found)
    case "while scanning a tag", "while parsing a tag": .malformedTag
    case "while scanning a directive", "while scanning a %YAML directive",
      "while scanning a tag directive", "while scanning a %TAG directive",
      "while parsing a tag directive", "while parsing a %TAG directive":
      .directive
    default: .other(problem)
    }
  }

  /// The word or character with the given index, for messages; nil at the end of the text.
  private static func found(at index: Int, in text: UnsafeBufferPointer<UInt8>) -> String? {
    let rest = String(decoding: text, as: UTF8.self).unicodeScalars.dropFirst(index)
    guard let first = rest.first else { return nil }
    if first == "\n" || first == "\r" { return "the end of the line" }
    let word = rest.prefix { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    return shown(String(word.isEmpty ? rest.prefix(1) : word))
  }
}

extension String {
  /// Without blanks at both ends.
  fileprivate var trimmed: String {
    let blanks: [Character] = [" ", "\t", "\r", "\r\n"]
    let rest = drop { blanks.contains($0) }
    return String(rest.prefix(rest.count - rest.reversed().prefix { blanks.contains($0) }.count))
  }

  /// Without the quotes of a typographer, which quote nothing here.
  fileprivate var unquoted: String {
    let quotes: [Character] = ["“", "”", "„", "‘", "’", "«", "»"]
    return String(filter { !quotes.contains($0) })
  }
}
