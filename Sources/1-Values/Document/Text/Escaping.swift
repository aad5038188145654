extension Unicode.Scalar {
  /// Whether it is a control character of ASCII.
  package var isControl: Bool { value < 0x20 || value == 0x7F }

  /// Whether it is not seen, or changes how its neighbours are seen: control characters, marks of
  /// direction, and what no document may have.
  package var isHidden: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F,
      0xFEFF, 0xFFF9...0xFFFB:
      true
    default: value & 0xFFFE == 0xFFFE
    }
  }
}

extension String {
  /// The text with some of its scalars replaced.
  ///
  /// - Parameter replacement: What stands for a scalar; `nil` for itself.
  /// - Returns: All others as they are.
  package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var result = ""
    result.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      if let text = replacement(scalar) {
        result += text
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// `text` without characters that would break a line: they are written as `\u{a}`.
package func printable(_ text: String) -> String {
  guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return text }
  return text.replacingScalars { $0.isControl ? braced($0) : nil }
}

/// `text` on one line: a blank stands for each control character.
package func singleLine(_ text: String) -> String {
  text.replacingScalars { $0.isControl ? " " : nil }
}

/// `text` with everything that is not seen, or that changes how its neighbours are seen, as an
/// escape: `\u{202e}`.
package func visible(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: \.isHidden) else { return text }
  return text.replacingScalars { $0.isHidden ? braced($0) : nil }
}

/// `text`, which may have several lines, with everything else that is not seen as an escape.
package func visibleLines(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: \.isHidden) else { return text }
  return text.replacingScalars { $0.isHidden && $0 != "\n" ? braced($0) : nil }
}

/// `text` as a terminal may be given it: control characters are escapes, but for line feeds, tabs, and
/// the colours of `palette`.
package func harmless(_ text: String, _ palette: Palette) -> String {
  // C1 controls begin with 0xC2 in UTF-8; most texts have neither.
  let isPlain = text.utf8.allSatisfy { byte in
    byte >= 0x20 && byte != 0x7F && byte != 0xC2 || byte == 0x0A || byte == 0x09
  }
  if isPlain { return text }
  let escaped = text.replacingScalars { scalar in
    switch scalar.value {
    case 0x0A, 0x09: nil
    case 0..<0x20, 0x7F..<0xA0: braced(scalar)
    default: nil
    }
  }
  guard palette == .colour else { return escaped }
  return Palette.codes.reduce(escaped) { text, code in
    text.replacing(braced("\u{1B}") + code, with: "\u{1B}" + code)
  }
}

private func braced(_ scalar: Unicode.Scalar) -> String {
  "\\u{\(String(scalar.value, radix: 16))}"
}

/// `text` with everything outside ASCII as JSON escapes, and control characters too.
///
/// So a report looks the same on every terminal, its columns are as wide as they look, and an `é`
/// of one scalar can be distinguished from an `é` of two.
package func ascii(_ text: String) -> String {
  guard !isPlainASCII(text) else { return text }
  var result = ""
  for unit in text.utf16 {
    if unit >= 0x20 && unit < 0x7F {
      result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
    } else {
      result += "\\u" + hexadecimal(unit, digits: 4)
    }
  }
  return result
}

/// Whether a text has only the 95 characters of ASCII that are seen.
package func isPlainASCII(_ text: String) -> Bool {
  text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
}

/// Text from a file as it appears in a message: in double quotes, on one line, and not too long.
package func quoted(_ text: String, upTo scalars: Int) -> String {
  let shown = Truncation.end(of: text, toScalars: scalars, mark: "…").replacingScalars { scalar in
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator:
      "\\u" + hexadecimal(scalar.value, digits: 4, .upper)
    default: scalar == "\"" ? "\\\"" : nil
    }
  }
  return "\"\(shown)\""
}

/// How the digits above nine are written.
package enum LetterCase {
  case lower
  case upper
}

/// `number` in hexadecimal with at least `digits` digits.
package func hexadecimal(
  _ number: some BinaryInteger, digits: Int, _ letters: LetterCase = .lower
) -> String {
  let text = String(number, radix: 16, uppercase: letters == .upper)
  return padded(text, to: digits, .right, with: "0")
}
