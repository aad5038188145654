internal import Tree

/// Text as pictures and pages show it: whatever the data are, a label is one line that reads from left
/// to right and breaks neither the markup nor the layout.
package enum VisibleText {
  /// `text` with everything that is not seen, or that changes how its neighbours are seen, as an
  /// escape: control characters, marks of direction, and what XML does not allow.
  package static func of(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isHidden(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xFFFE, 0xFFFF:
      true
    default: scalar.value & 0xFFFE == 0xFFFE
    }
  }

  /// `text` in at most so many columns, cut in the middle; a wide character counts as two.
  package static func cut(_ text: String, to columns: Int) -> String {
    // A text of megabytes is not looked at whole: what is shown comes from its two ends.
    let ends = shortened(text, to: columns * 16)
    let characters = Array(of(ends))
    guard width(characters) > columns else { return String(characters) }
    var front: [Character] = []
    var back: [Character] = []
    var room = max(2, columns - 3)
    var (first, last) = (0, characters.count - 1)
    while first <= last {
      let takesFront = width(front) <= 2 * width(back)
      let character = takesFront ? characters[first] : characters[last]
      let size = width(character)
      guard size <= room else { break }
      room -= size
      if takesFront {
        front.append(character)
        first += 1
      } else {
        back.insert(character, at: 0)
        last -= 1
      }
    }
    return String(front) + "..." + String(back)
  }

  /// The beginning and the end of a text, where it has more than so many bytes.
  package static func shortened(_ text: String, to bytes: Int) -> String {
    let utf8 = text.utf8
    guard utf8.count > bytes else { return text }
    let front = text[..<text.index(roundingDown: utf8.index(utf8.startIndex, offsetBy: bytes / 2))]
    let back = text[text.index(roundingDown: utf8.index(utf8.endIndex, offsetBy: -bytes / 2))...]
    return front + "..." + back
  }

  /// How many columns a text takes in a font of fixed width.
  static func width(_ text: String) -> Int { width(Array(text)) }

  private static func width(_ characters: [Character]) -> Int {
    characters.reduce(0) { $0 + width($1) }
  }

  private static func width(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    return first.value < 0x1100 ? 1 : isWide(first.value) ? 2 : 1
  }

  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
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
