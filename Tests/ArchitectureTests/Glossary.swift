import Foundation

/// The words that the third column of the glossary rejects, with what to write instead.
struct Glossary {
  /// By word or phrase, in lower case.
  private(set) var instead: [String: String] = [:]
  private let pattern: NSRegularExpression?

  init(_ text: String) {
    for line in text.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(Self.trimmed)
      guard cells.count == 5, !cells[1].isEmpty, cells[1] != "Term" else { continue }
      for word in cells[3].split(separator: ",").map(Self.trimmed) where !word.isEmpty {
        let parts = word.split(separator: "(").map(Self.trimmed)
        let term = parts.count > 1 ? String(parts[1].dropLast()) : cells[1]
        instead[parts[0]] = term
      }
    }
    let words = instead.keys.sorted { $0.count > $1.count }.joined(separator: "|")
    pattern = try? NSRegularExpression(
      pattern: "(?<![\\w/-])(\(words))(?![\\w/-])", options: .caseInsensitive)
  }

  /// The text with a space before each capital letter that follows a small one.
  private static func spaced(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 17 / 16)
    for byte in text.utf8 {
      if (65...90).contains(byte), let last = bytes.last, (97...122).contains(last) {
        bytes.append(UInt8(ascii: " "))
      }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func trimmed(_ text: Substring) -> String {
    text.trimmingCharacters(in: .whitespaces)
  }

  /// What is wrong with the words of a text. The parts of an identifier are words; ids with hyphens
  /// and words that stand alone in quotes, such as names of members, are not.
  func complaints(file: String, text: String) -> [String] {
    let spaced = Self.spaced(text)
    let whole = NSRange(spaced.startIndex..., in: spaced)
    return (pattern?.matches(in: spaced, range: whole) ?? []).compactMap { match in
      guard let range = Range(match.range, in: spaced) else { return nil }
      let before = spaced[..<range.lowerBound].last
      let after = spaced[range.upperBound...].first
      if before == after, before == "\"" || before == "`" { return nil }
      let line = spaced[..<range.lowerBound].count { $0 == "\n" } + 1
      let word = spaced[range]
      return "\(file):\(line): \"\(word)\" is not used; write "
        + "\"\(instead[word.lowercased()] ?? "")\""
    }
  }
}
