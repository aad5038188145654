internal import Document

/// What can be wrong with how the parts of a YAML text are put together.
///
/// `found` is what is at the location of the mistake, `start` where the collection around it begins.
enum YAMLStructureError {
  case valueExpected(found: String)
  case entryExpected(found: String, start: Position)
  case itemExpected(found: String, start: Position)
  case separatorExpected(found: String, closer: String, start: Position)
  case moreThanOneValue(found: String)
  case colonMissing
  /// `quoted` is the line as it may have been meant.
  case colonMisplaced(quoted: String?)
  case colonForgotten(key: String, opener: Character)
  case spaceForgotten(key: String, opener: Character)
  case listMisplaced
  case questionMisplaced

  var message: String {
    switch self {
    case let .valueExpected(found):
      "found \(found); expected a value; write one here, or put this in quotes"
    case let .entryExpected(found, start):
      "found \(found) in the mapping that begins at \(start); expected the next key, "
        + "indented like the first; correct the indentation, or quote the value before it"
    case let .itemExpected(found, start):
      "found \(found) in the list that begins at \(start); expected the next \"- \", "
        + "indented like the first; correct the indentation"
    case let .separatorExpected(found, closer, start):
      "found \(found) in the collection that begins at \(start); "
        + "expected a comma or \"\(closer)\"; add the one that is missing"
        + (found == shown(":") ? ", or put a text with a colon in quotes" : "")
    case let .moreThanOneValue(found):
      "found \(found) after the end of the document; expected nothing more; "
        + "remove it, or correct the indentation or the quotes before it"
    case .colonMissing:
      "this line has no colon; expected \"key: value\" like its neighbours; "
        + "add the colon, or indent the line to continue the value above"
    case let .colonMisplaced(quoted):
      "a colon is not allowed here; expected one key to a line, indented like its neighbours; "
        + "correct the indentation, or put a text with a colon in quotes"
        + (quoted.map { ": \($0)" } ?? "")
    case let .colonForgotten(key, opener):
      "found \"\(opener)\" behind \(shown(key)); expected a colon between them: \(key): \(opener)"
    case let .spaceForgotten(key, opener):
      "found \"\(opener)\" directly behind \(shown(key + ":")); expected a space between them: "
        + "\(key): \(opener)"
    case .listMisplaced:
      "a list cannot begin here; expected its first \"- \" on a line of its own; "
        + "begin a new line, or put a text with a hyphen in quotes"
    case .questionMisplaced:
      "\"? \" is not allowed here; expected a value; put a text with a question mark in quotes"
    }
  }
}

/// What can be wrong with a single string, name or mark of a YAML text.
enum YAMLTokenError {
  case tab
  case forbiddenCharacter(code: Int)
  case cannotBegin(found: String)
  case unclosedString
  case unknownEscape
  case tooFewDigits
  case escapeOfNoCharacter
  case blockScalarHeader(found: String)
  case nameExpected(mark: String, found: String)
  case malformedTag
  case undefinedTagHandle
  case directive
  case other(String)

  var message: String {
    switch self {
    case .tab:
      "found a tab where YAML indents; expected spaces; replace the tab with spaces"
    case let .forbiddenCharacter(code):
      "the character U+\(hexadecimal(code, digits: 4, .upper)) is not allowed in YAML; expected "
        + "printable text; remove it, or write it as an escape in a string in double quotes"
    case let .cannotBegin(found):
      "found \(found), with which no value can begin; expected a value; put the text in quotes"
    case .unclosedString:
      "the string that begins here never ends; expected the same quote again; "
        + "add it, or double a single quote inside the string"
    case .unknownEscape:
      "this backslash begins no escape; expected one of YAML's, such as \\n or \\\"; "
        + "write a backslash as \\\\, or use single quotes"
    case .tooFewDigits:
      "this escape has too few digits; expected two hexadecimal digits after \\x, four after \\u, "
        + "eight after \\U; fill up with zeros"
    case .escapeOfNoCharacter:
      "this escape is no character; expected a Unicode scalar value; "
        + "write the character itself, or one escape for all of it"
    case let .blockScalarHeader(found):
      "found \(found) behind \"|\" or \">\"; expected at most +, - and one digit from 1 to 9; "
        + "begin the text on the next line, or put it in quotes"
    case let .nameExpected(mark, found):
      "found \(found) in a name after \"\(mark)\"; expected letters, digits, - and _; "
        + "correct the name, or put the text in quotes"
    case .malformedTag:
      "this tag is malformed; expected none, or !!str before a scalar; "
        + "remove it, or put the text in quotes"
    case .undefinedTagHandle:
      "this tag has a prefix that is not defined; expected none, or !!str before a scalar; "
        + "remove it, or put the text in quotes"
    case .directive:
      "this directive is not understood; expected none, or %YAML 1.2 before \"---\"; remove it"
    case let .other(problem):
      "this is not YAML (\(problem)); expected a scalar, a list or a mapping; "
        + "put texts in quotes"
    }
  }
}
