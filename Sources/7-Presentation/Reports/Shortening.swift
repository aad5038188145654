/// Texts cut to a width, so that a report fits a terminal whatever the data are.
package enum Shortening {
  static let mark = "..."

  /// `text` with as much taken out of its middle as is necessary.
  static func cut(_ text: String, to width: Int) -> String {
    let characters = Array(text)
    guard characters.count > width else { return text }
    let kept = max(2, width - mark.count)
    let head = (kept + 1) / 2
    return String(characters[..<head]) + mark
      + String(characters[(characters.count - kept + head)...])
  }

  /// Both texts cut so that what differs between them stays visible, at the same place in both
  /// where that is possible.
  ///
  /// What they have in common is cut first: before the difference, then behind it. Only when the
  /// difference itself is too long its middle goes as well.
  static func cut(_ first: String, _ second: String, to width: Int) -> (String, String) {
    let pair = (Array(first), Array(second))
    guard max(pair.0.count, pair.1.count) > width else { return (first, second) }
    let prefix = commonPrefix(pair.0, pair.1)
    let suffix = commonPrefix(
      pair.0.dropFirst(prefix).reversed(), pair.1.dropFirst(prefix).reversed())
    return (
      focused(pair.0, prefix, suffix, to: width), focused(pair.1, prefix, suffix, to: width)
    )
  }

  /// How much of what is common stays on either side of a difference.
  private static let context = 12

  private static func focused(
    _ text: [Character], _ prefix: Int, _ suffix: Int, to width: Int
  ) -> String {
    guard text.count > width else { return String(text) }
    let middle = text.count - prefix - suffix
    let room = max(0, width - middle - 2 * mark.count)
    let before = min(prefix, max(context, room - min(suffix, room / 2)))
    let after = min(suffix, max(context, room - before))
    let head = side(text[..<prefix], keepingLast: before)
    let tail = side(text[(text.count - suffix)...], keepingFirst: after)
    return cut(head + String(text[prefix..<(text.count - suffix)]) + tail, to: width)
  }

  private static func side(_ text: ArraySlice<Character>, keepingLast count: Int) -> String {
    text.count <= count + mark.count ? String(text) : mark + String(text.suffix(count))
  }

  private static func side(_ text: ArraySlice<Character>, keepingFirst count: Int) -> String {
    text.count <= count + mark.count ? String(text) : String(text.prefix(count)) + mark
  }

  private static func commonPrefix(
    _ first: some Sequence<Character>, _ second: some Sequence<Character>
  ) -> Int {
    zip(first, second).prefix { $0 == $1 }.count
  }

  /// `text` in lines of at most `width`, broken at blanks; a longer word is cut.
  package static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(cut(String(word), to: width))
      }
    }
    return lines
  }
}

/// `text` with everything outside ASCII as JSON escapes, and control characters too.
///
/// So a report looks the same on every terminal, its columns are as wide as they look, and an `é` of
/// one scalar can be told from an `é` of two.
package func ascii(_ text: String) -> String {
  guard !text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return text }
  var result = ""
  for unit in text.utf16 {
    if unit >= 0x20 && unit < 0x7F {
      result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
    } else {
      let digits = String(unit, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
  return result
}
