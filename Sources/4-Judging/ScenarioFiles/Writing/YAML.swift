internal import ClientInterface
internal import Document
internal import Faults
import Scenario
internal import Tree

/// A value as it is to stand in a scenario file: what is small on one line, the rest below each
/// other, as people write it.
indirect enum YAML {
  /// A scalar, in quotes where it needs them.
  case word(String)
  case list([YAML], Style = .flow)
  case mapping([Entry], Style = .flow)
  /// The lines of a text, and the mark behind its key that says how they belong together.
  case indented(String, [String])

  struct Entry {
    var key: String
    /// `nil` for a plain word, such as a step without arguments.
    var value: YAML?

    init(_ key: String, _ value: YAML?) {
      self.key = key
      self.value = value
    }
  }

  /// Whether a list or a mapping may stand on one line, in brackets or braces.
  enum Style {
    /// Where it fits.
    case flow
    /// Where it fits and has a single entry: several are easier to read below each other.
    case single
    case block
  }

  static let width = lineWidth

  /// The value between braces on one line; `nil` where it must not stand there.
  private var flow: String? { flow { $0 != .block && ($0 == .flow || $1 <= 1) } }

  /// The same whatever its style says; `nil` for texts of several lines.
  var line: String? { flow { _, _ in true } }

  /// The value on one line, if every part of it that has a style may stand there.
  private func flow(where fits: (_ style: Style, _ count: Int) -> Bool) -> String? {
    switch self {
    case let .word(text): return text
    case .indented: return nil
    case let .list(elements, style):
      let texts = elements.compactMap { $0.flow(where: fits) }
      guard fits(style, 1), texts.count == elements.count else {
        return nil
      }
      return "[" + texts.joined(separator: ", ") + "]"
    case let .mapping(entries, style):
      let texts = entries.compactMap { entry in
        entry.value.flatMap { $0.flow(where: fits) }.map { "\(entry.key): \($0)" }
      }
      guard fits(style, entries.count), texts.count == entries.count else { return nil }
      return "{" + texts.joined(separator: ", ") + "}"
    }
  }

  /// The lines of a document that is this mapping.
  var lines: [String] { block(0) }

  /// The value on lines of its own.
  private func block(_ indentation: Int) -> [String] {
    switch self {
    case let .word(text): [Self.space(indentation) + text]
    case let .list(elements, _): elements.flatMap { $0.element(indentation) }
    case let .mapping(entries, _): entries.flatMap { $0.lines(indentation) }
    case let .indented(_, lines):
      lines.map { $0.isEmpty ? "" : Self.space(indentation) + $0 }
    }
  }

  /// The value behind a dash.
  private func element(_ indentation: Int) -> [String] {
    let margin = Self.space(indentation) + "- "
    if let flow, margin.count + flow.count <= Self.width { return [margin + flow] }
    var lines = block(indentation + 2)
    if let first = lines.first { lines[0] = margin + first.dropFirst(margin.count) }
    return lines
  }

  fileprivate static func space(_ count: Int) -> String { String(repeating: " ", count: count) }

  fileprivate func lines(behind key: String, _ indentation: Int) -> [String] {
    let margin = Self.space(indentation) + key + ":"
    if let flow, margin.count + 1 + flow.count <= Self.width { return [margin + " " + flow] }
    switch self {
    case let .word(text): return [margin + " " + text]
    case .list, .mapping: return [margin] + block(indentation + 2)
    case let .indented(mark, _): return [margin + " " + mark] + block(indentation + 2)
    }
  }
}

extension YAML.Entry {
  fileprivate func lines(_ indentation: Int) -> [String] {
    value?.lines(behind: key, indentation) ?? [YAML.space(indentation) + key]
  }
}

extension YAML {
  static func words(_ texts: [String]) -> YAML { .list(texts.map { .text($0) }) }
}

extension YAML {
  /// A text, in quotes where YAML would read it as something else.
  static func text(_ text: String) -> YAML { .word(quotedWhereNeeded(text, .flow)) }

  /// A text that stands behind its key, never between braces.
  static func line(_ text: String) -> YAML { .word(quotedWhereNeeded(text, .block)) }

  /// A text of paragraphs that stands behind its key, each on lines of its own.
  static func paragraphs(_ text: String) -> YAML {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let isPlain = lines.allSatisfy { line in
      line.first != " " && line.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
    }
    guard text.hasSuffix("\n"), !text.hasSuffix("\n\n"), isPlain, lines.first?.isEmpty == false
    else { return .line(text) }
    let isWide = lines.contains { $0.count + 2 > width }
    return isWide ? .indented(">", folded(lines)) : .indented("|", lines.map(String.init))
  }

  /// A text with long lines: each of them on several that are joined by spaces when they are read,
  /// with an empty one behind it for its line feed.
  private static func folded(_ lines: some Collection<Substring>) -> [String] {
    var result: [String] = []
    for line in lines {
      if !result.isEmpty { result.append("") }
      var text = ""
      for word in line.split(separator: " ", omittingEmptySubsequences: false) {
        if !text.isEmpty, !word.isEmpty, text.count + word.count + 3 > width {
          result.append(text)
          text = String(word)
        } else {
          text += (text.isEmpty ? "" : " ") + word
        }
      }
      if !text.isEmpty { result.append(text) }
    }
    return result
  }

  /// The key of a mapping. Numbers are texts there.
  static func key(_ text: String) -> String {
    let isNumber = !text.isEmpty && text.utf8.allSatisfy(\.isDigit)
    return isNumber ? text : quotedWhereNeeded(text, .flow)
  }

  /// `1.5s`, `30ms`, `2h`.
  static func duration(_ interval: Interval) -> YAML { .word(durationText(interval)) }

  /// `10ms`, or `10ms..60ms`.
  static func range(_ range: ClosedRange<Interval>) -> YAML {
    let ends = [range.lowerBound, range.upperBound].map(durationText)
    return .word(ends[0] == ends[1] ? ends[0] : ends.joined(separator: ".."))
  }

  /// A length of time with its direction.
  static func shift(_ interval: Interval) -> YAML {
    let isBack = interval < .zero
    let length = isBack ? .zero - interval : interval
    return .word((isBack ? "-" : "") + durationText(length))
  }

  /// `200B`, `64KB`, `10MB`.
  static func size(_ count: Int) -> YAML {
    let unit = [("MB", 1024 * 1024), ("KB", 1024)].first { count > 0 && count % $0.1 == 0 }
    return .word(unit.map { "\(count / $0.1)\($0.0)" } ?? "\(count)B")
  }

  static func value(_ json: JSON) -> YAML {
    switch json {
    case .null, .bool, .number: .word(json.text)
    case let .string(text): .text(text)
    case let .array(elements): .list(elements.map { .value($0) })
    case let .object(members): .mapping(members.map { Entry(key($0.name), .value($0.value)) })
    }
  }

  static func value(_ node: Node) -> YAML { .value(node.json) }

  static func value(_ scalar: Scalar?) -> YAML { .value(scalar?.json ?? .null) }

  /// Without the leading slash, which only the root needs.
  static func path(_ path: Path) -> YAML { path.isRoot ? .word("/") : .text(path.relativeText) }
}

extension YAML {
  private static func durationText(_ interval: Interval) -> String {
    let count = interval.nanoseconds
    let units: [(name: String, length: Int64)] = [("h", 3_600_000_000_000), ("m", 60_000_000_000)]
    if let unit = units.first(where: { count > 0 && count % $0.length == 0 }) {
      return "\(count / unit.length)\(unit.name)"
    }
    return count >= 1_000_000_000
      ? canonicalText(of: Double(count) / 1e9) + "s" : canonicalText(of: Double(count) / 1e6) + "ms"
  }
}

extension YAML {
  private enum Context {
    /// Between braces, where commas and brackets mean something.
    case flow
    case block
  }

  private static func quotedWhereNeeded(_ text: String, _ context: Context) -> String {
    if isPlain(text, context) { return text }
    let scalars = text.unicodeScalars
    if scalars.allSatisfy(isPrintable) { return "'" + text.replacing("'", with: "''") + "'" }
    return "\"" + scalars.map(escaped).joined() + "\""
  }

  /// Whether YAML reads the text without quotes as this very text. Not everything that it would.
  private static func isPlain(_ text: String, _ context: Context) -> Bool {
    let scalars = Array(text.unicodeScalars)
    guard let first = scalars.first, let last = scalars.last else { return false }
    let isDotted = first == "." && scalars.dropFirst().first?.properties.isAlphabetic == true
    guard first.properties.isAlphabetic || first == "/" || first == "$" || isDotted, last != " ",
      last != ":", !reserved.contains(text.lowercased())
    else { return false }
    let marks: String.UnicodeScalarView =
      context == .flow
      ? "_-./@+*$()!?=&%;<>|' ".unicodeScalars : "_-./@+*$()!?=&%;<>|' ,".unicodeScalars
    return scalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || marks.contains($0)
    }
  }

  private static let reserved = ["null", "true", "false", ".nan", ".inf"]

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD: true
    default: scalar.value > 0xFFFF
    }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": return "\\n"
    case "\t": return "\\t"
    case "\"": return "\\\""
    case "\\": return "\\\\"
    default: break
    }
    if isPrintable(scalar) { return String(scalar) }
    return "\\u" + hexadecimal(scalar.value, digits: 4, .upper)
  }
}
