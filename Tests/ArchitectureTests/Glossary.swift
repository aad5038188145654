import Foundation

/// The words that the third column of the glossary rejects, with what to write instead.
struct Glossary {
  /// By word or phrase, in lower case.
  private(set) var instead: [String: String] = [:]
  /// The same for the words that are rejected in identifiers only.
  private(set) var insteadInCode: [String: String] = [:]
  private let pattern: NSRegularExpression?

  init(_ text: String) {
    for line in text.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(Self.trimmed)
      guard cells.count == 5, !cells[1].isEmpty, cells[1] != "Term" else { continue }
      for word in cells[3].split(separator: ",").map(Self.trimmed) where !word.isEmpty {
        let parts = word.split(separator: "(").map(Self.trimmed)
        let term = parts.count > 1 ? String(parts[1].dropLast()) : cells[1]
        if parts[0].hasPrefix("`") {
          insteadInCode[parts[0].replacing("`", with: "")] = term.replacing("`", with: "")
        } else {
          instead[parts[0]] = term
        }
      }
    }
    let words = instead.keys.sorted { $0.count > $1.count }.joined(separator: "|")
    pattern = try? NSRegularExpression(
      pattern: "(?<![\\w/-])(\(words))(?![\\w/-])", options: .caseInsensitive)
  }

  /// What is wrong with the identifiers of Swift code. Interpolations count as text.
  func complaints(file: String, code: String) -> [String] {
    var isText = false
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().flatMap { index, line -> [String] in
      let wasText = isText
      if line.split(separator: "\"\"\"", omittingEmptySubsequences: false).count.isMultiple(of: 2) {
        isText.toggle()
      }
      return wasText
        ? []
        : Self.words(of: line).compactMap { word in
          insteadInCode[word.lowercased()].map {
            "\(file):\(index + 1): the identifier \"\(word)\" is not used; write \"\($0)\""
          }
        }
    }
  }

  /// The parts of the identifiers in a line, without strings and comments. Byte by byte, since there
  /// are a hundred thousand lines.
  private static func words(of line: Substring) -> [String] {
    var bare: [UInt8] = []
    var (isText, isEscaped) = (false, false)
    for byte in line.utf8 {
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
      } else if byte == UInt8(ascii: "/"), bare.last == byte {
        break
      } else {
        isText = byte == UInt8(ascii: "\"")
        bare.append(byte)
      }
    }
    return spaced(String(decoding: bare, as: UTF8.self)).split {
      !$0.isLetter && !$0.isNumber && $0 != "_"
    }.map(String.init)
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
