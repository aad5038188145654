/// What can be wrong with the structure of a JSON text.
///
/// `found` is what is at the location in question, in the words of ``JSONScanner``.
enum JSONStructureError {
  case empty
  case valueExpected(found: String)
  case trailingComma(before: String)
  case keyExpected(found: String)
  case colonExpected(found: String, key: String)
  case separatorExpected(found: String, closer: String)
  case moreThanOneValue(found: String)
  case unclosed(String, from: Position)
  case comment
  case refused(String)

  var message: String {
    switch self {
    case .empty:
      "the text is empty; expected a JSON value; write one, at least null"
    case let .valueExpected(found):
      "found \(found); expected a JSON value; write one here, or remove what asks for it"
    case let .trailingComma(closer):
      "found \(closer) after a comma; expected another value; remove the comma"
    case let .keyExpected(found):
      "found \(found); expected a key in double quotes; write it as \"key\": value"
    case let .colonExpected(found, key):
      "found \(found) after the key \(shown(key)); expected a colon; write it between key and value"
    case let .separatorExpected(found, closer):
      "found \(found) after a value; expected a comma or \(closer); add the one that is missing"
    case let .moreThanOneValue(found):
      "found \(found) after the end of the value; expected nothing more; "
        + "remove it, or make one list of all"
    case let .unclosed(kind, start):
      "the text ends inside the \(kind) that begins at \(start); expected its end; "
        + "add the closing bracket"
    case .comment:
      "found a comment; expected only values, because JSON has no comments; remove it"
    case let .refused(reason):
      "the text was not accepted (\(reason)); expected JSON; write it in its plainest form"
    }
  }
}

/// What can be wrong with one string, number or word of a JSON text.
enum JSONTokenError {
  case singleQuotes
  case unclosedString
  case unknownEscape(String)
  case badUnicodeEscape
  case loneSurrogate
  case controlCharacter(UInt8)
  case unknownWord(String)
  case badNumber(String)

  var message: String {
    switch self {
    case .singleQuotes:
      "found a single quote; expected strings in double quotes; replace it"
    case .unclosedString:
      "the string does not end on its line; expected a double quote; "
        + "add it, or write a line break as \\n"
    case let .unknownEscape(escape):
      "\(escape) is no escape; expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u; "
        + "write a backslash as \\\\"
    case .badUnicodeEscape:
      "\\u has too few digits; expected four hexadecimal digits; fill up with zeros, as in \\u000A"
    case .loneSurrogate:
      "this is half of a surrogate pair; expected both halves in order; "
        + "write the character itself, or the other half next to it"
    case let .controlCharacter(byte):
      "found the control character U+\(hexadecimal(byte, digits: 4, .upper)) in a string; "
        + "expected an escape; write it as \\u\(hexadecimal(byte, digits: 4, .upper))"
    case let .unknownWord(word):
      "\(shown(word)) is no JSON value; expected true, false, null, a number or a string; "
        + "put a string in double quotes"
    case let .badNumber(word):
      "\(shown(word)) is no JSON number; expected digits as in -1.5e3; "
        + "write it without plus sign, leading zeros or a bare point"
    }
  }
}
