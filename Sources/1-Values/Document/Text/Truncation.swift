/// Texts cut to a length, with a mark where something is left out.
package enum Truncation {
  package static let mark = "..."

  /// How much of what is kept comes from the beginning of a text.
  package enum Front {
    case half
    case twoThirds

    fileprivate func count(of kept: Int) -> Int {
      switch self {
      case .half: (kept + 1) / 2
      case .twoThirds: kept * 2 / 3
      }
    }
  }

  /// `text` in at most `width` characters, with as much taken out of its middle as is necessary.
  ///
  /// Of each end at least one character is kept.
  package static func middle(
    of text: String, to width: Int, front: Front = .half
  ) -> String {
    guard text.utf8.count > width, text.count > width else { return text }
    return ends(of: text, max(2, width - mark.count), front, mark)
  }

  /// As many of the clauses between semicolons as fit into `width` characters: what is wrong stands first, and
  /// what to do about it last. Where the first does not fit, its middle is taken out.
  package static func clauses(of text: String, to width: Int) -> String {
    var clauses = text.split(separator: "; ")[...]
    while clauses.count > 1, clauses.joined(separator: "; ").count > width { clauses.removeLast() }
    return middle(of: clauses.joined(separator: "; "), to: width)
  }

  /// `text` with its middle left out and counted where it is longer than `limit` characters.
  ///
  /// The mark comes on top: the result has more than `limit` characters.
  package static func countedMiddle(of text: String, retention limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    let rest = text.count - limit
    return rest > 0 ? ends(of: text, limit, .twoThirds, " ... \(rest) more ... ") : text
  }

  private static func ends(
    of text: String, _ kept: Int, _ front: Front, _ mark: String
  ) -> String {
    let head = front.count(of: kept)
    return text.prefix(head) + mark + text.suffix(kept - head)
  }

  /// The beginning of a text in at most so many characters, with a mark behind it where something
  /// is left out.
  package static func end(
    of text: String, to characters: Int, mark: String = mark
  ) -> String {
    guard text.utf8.count > characters, text.count > characters else { return text }
    return text.prefix(characters) + mark
  }

  /// The same, counted in scalars of Unicode: a character can be as long as the whole text.
  package static func end(
    of text: String, toScalars count: Int, mark: String = mark
  ) -> String {
    let scalars = text.unicodeScalars
    guard text.utf8.count > count,
      let end = scalars.index(scalars.startIndex, offsetBy: count, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text }
    return String(scalars[..<end]) + mark
  }

  /// The beginning and the end of a text, where it has more than so many bytes of UTF-8.
  ///
  /// - Complexity: O(`bytes`), however long the text is.
  package static func middle(of text: String, toBytes bytes: Int) -> String {
    let utf8 = text.utf8
    guard utf8.count > bytes else { return text }
    let front = text[..<text.index(roundingDown: utf8.index(utf8.startIndex, offsetBy: bytes / 2))]
    let back = text[text.index(roundingDown: utf8.index(utf8.endIndex, offsetBy: -bytes / 2))...]
    return front + mark + back
  }
}

extension Truncation {
  /// Both texts cut so that what differs between them stays visible, at the same position in both
  /// where that is possible.
  ///
  /// What they have in common is cut first: before the difference, then behind it. Where the
  /// difference itself is too long, its beginning stays: two long values differ there.
  package static func middle(
    of first: String, _ second: String, to width: Int
  ) -> (String, String) {
    let pair = (Array(first), Array(second))
    guard max(pair.0.count, pair.1.count) > width else { return (first, second) }
    let prefix = commonPrefix(pair.0, pair.1)
    let suffix = commonPrefix(
      pair.0.dropFirst(prefix).reversed(), pair.1.dropFirst(prefix).reversed())
    return (
      focused(pair.0, prefix, suffix, to: width), focused(pair.1, prefix, suffix, to: width)
    )
  }

  /// Lines in at most `width` characters; those of two sides that differ are cut as pairs, in their
  /// order.
  package static func middle(
    ofLines lines: [String], first: [Int], second: [Int], to width: Int
  ) -> [String] {
    var cut = lines.map { middle(of: $0, to: width) }
    for (one, other) in zip(first, second) {
      (cut[one], cut[other]) = middle(of: lines[one], lines[other], to: width)
    }
    return cut
  }

  /// How much of what is common stays on either side of a difference.
  private static let context = 12

  private static func focused(
    _ text: [Character], _ prefix: Int, _ suffix: Int, to width: Int
  ) -> String {
    guard text.count > width else { return String(text) }
    let difference = text.count - prefix - suffix
    let room = max(0, width - difference - 2 * mark.count)
    let before = min(prefix, max(context, room - min(suffix, room / 2)))
    let after = min(suffix, max(context, room - before))
    let head = side(text[..<prefix], keepingLast: before)
    let tail = side(text[(text.count - suffix)...], keepingFirst: after)
    let shown = head + String(text[prefix..<(text.count - suffix)]) + tail
    return shown.count > width ? end(of: shown, to: width - mark.count) : shown
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
}

extension String {
  fileprivate func index(roundingDown index: Index) -> Index {
    var index = index
    while index > startIndex, index.samePosition(in: unicodeScalars) == nil {
      index = utf8.index(before: index)
    }
    return index
  }
}
