/// How many columns texts take in a font of fixed width, where a wide character takes two.
package enum DisplayWidth {
  package static func of(_ text: String) -> Int { of(Array(text)) }

  /// `text` in at most so many columns, with what is hidden made visible, cut in the middle.
  package static func truncated(_ text: String, to columns: Int) -> String {
    // A text of megabytes is not looked at whole: what is shown comes from its two ends.
    let characters = Array(visible(Truncation.middle(of: text, toBytes: columns * 16)))
    guard of(characters) > columns else { return String(characters) }
    var front: [Character] = []
    var back: [Character] = []
    var room = max(2, columns - Truncation.mark.count)
    var (first, last) = (0, characters.count - 1)
    while first <= last {
      let takesFront = of(front) <= 2 * of(back)
      let character = takesFront ? characters[first] : characters[last]
      let size = of(character)
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
    return String(front) + Truncation.mark + String(back)
  }

  private static func of(_ characters: [Character]) -> Int {
    characters.reduce(0) { $0 + of($1) }
  }

  private static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    return isWide(first.value) ? 2 : 1
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
