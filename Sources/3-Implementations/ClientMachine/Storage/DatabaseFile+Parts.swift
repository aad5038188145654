internal import Glibc

// Parts of a long text.

extension DatabaseFile {
  /// An empty text has one, too: it is kept.
  static func partCount(_ length: Int) -> Int {
    max(1, (length + partLength - 1) / partLength)
  }

  static func part(_ number: Int, of length: Int) -> Range<Int> {
    number * partLength..<min((number + 1) * partLength, length)
  }

  /// The numbers of the parts that are not as they were.
  static func changedParts(of text: inout String, since old: String?) -> [Int] {
    guard var old else { return Array(0..<partCount(text.utf8.count)) }
    return old.withUTF8 { old in
      text.withUTF8 { text in
        (0..<partCount(text.count)).filter { number in
          let part = part(number, of: text.count)
          guard number < partCount(old.count), part == Self.part(number, of: old.count),
            let a = text.baseAddress, let b = old.baseAddress
          else { return true }
          return memcmp(a + part.lowerBound, b + part.lowerBound, part.count) != 0
        }
      }
    }
  }
}
