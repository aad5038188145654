internal import Document

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
  private var flow: String? {
    switch self {
    case let .word(text): return text
    case .indented: return nil
    case let .list(elements, style):
      if style == .block { return nil }
      let texts = elements.compactMap(\.flow)
      guard texts.count == elements.count else { return nil }
      return "[" + texts.joined(separator: ", ") + "]"
    case let .mapping(entries, style):
      if style == .block || (style == .single && entries.count > 1) { return nil }
      let texts = entries.compactMap { entry in
        entry.value.flatMap(\.flow).map { "\(entry.key): \($0)" }
      }
      guard texts.count == entries.count else { return nil }
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
  /// A mapping without the entries that have no value.
  static func mapping(of entries: [(String, YAML?)], _ style: Style = .flow) -> YAML {
    .mapping(
      entries.compactMap { key, value in value.map { Entry(key, $0) } }, style)
  }

  static func words(_ texts: [String]) -> YAML { .list(texts.map { .text($0) }) }
}
