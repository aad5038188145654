/// How wide a line is at most, in reports and in files that the kit writes.
package let lineWidth = 100

extension StringProtocol {
  /// The text without the white space around it.
  package var trimmed: String {
    let head = drop { $0.isWhitespace }
    guard let last = head.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(head[...last])
  }

  /// The text in lines, broken at blanks.
  ///
  /// - Parameters:
  ///   - width: How wide a line is at most.
  ///   - measure: How wide a text is; in characters unless stated.
  ///   - cut: What becomes of a word that is wider than a line; unless stated its middle is left out.
  /// - Returns: Lines of at most `width`; blanks side by side count as one.
  package func wrapped(
    to width: Int, measure: (String) -> Int = { $0.count },
    cut: (String, Int) -> String = { Truncation.middle(of: $0, to: $1) }
  ) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ") {
      let word = cut(String(word), width)
      if let last = lines.last, measure(last) + 1 + measure(word) <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(word)
      }
    }
    return lines
  }
}

extension Array where Element: Equatable {
  /// The elements of both, in order: `-` before one that is gone, `+` before one that is new, a blank
  /// before those that stayed.
  package func marked(against old: [Element]) -> [(mark: Character, element: Element)] {
    let changes = difference(from: old)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in changes {
      switch change {
      case let .remove(offset, _, _): removed.insert(offset)
      case let .insert(offset, _, _): inserted.insert(offset)
      }
    }
    var result: [(mark: Character, element: Element)] = []
    var next = 0
    for (index, element) in old.enumerated() {
      if removed.contains(index) {
        result.append(("-", element))
        continue
      }
      while inserted.contains(next) {
        result.append(("+", self[next]))
        next += 1
      }
      result.append((" ", element))
      next += 1
    }
    return result + self[next...].map { ("+", $0) }
  }
}

/// On which side of a cell its text is.
package enum ColumnAlignment {
  case left
  case right
}

/// `text` with so many of `filler` beside it that it has at least `width` characters.
package func padded(
  _ text: String, to width: Int, _ alignment: ColumnAlignment = .left, with filler: Character = " "
) -> String {
  let padding = String(repeating: filler, count: max(0, width - text.count))
  return alignment == .right ? padding + text : text + padding
}

/// `text` without blanks at its end.
package func trimmedEnd(_ text: String) -> String {
  var text = text
  while text.last == " " { text.removeLast() }
  return text
}

/// `1 later difference`, `4 later differences`.
package func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
