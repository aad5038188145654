internal import Document

/// The lines of a list, and which of them belong to which entry.
struct ListLayout {
  /// What becomes of the lines of an entry.
  private enum EntryChange {
    case kept
    case removed
    case replaced([NewEntry])
  }

  private var lines: [String]
  /// The lines of each entry, without the comments above it.
  private let ranges: [Range<Int>]
  private var fates: [EntryChange]
  private var added: [NewEntry] = []

  init(_ text: String, _ entries: [KnownFailure]) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    let starts = entries.map { entry in
      var line = entry.position.line - 1
      // A dash can stand on a line of its own above the first key.
      while line > 0, !Self.hasDash(lines[line]) { line -= 1 }
      return line
    }
    ranges = starts.enumerated().map { index, start in
      Self.range(from: start, next: index + 1 < starts.count ? starts[index + 1] : nil, lines)
    }
    fates = ranges.map { _ in .kept }
    self.lines = lines
  }

  /// The lines of an entry: to the last one that is further in than its dash.
  private static func range(from start: Int, next: Int?, _ lines: [String]) -> Range<Int> {
    let limit = max(next ?? lines.count, start + 1)
    let margin = margin(of: lines[start])
    let end = (start + 1..<limit).last {
      !lines[$0].allSatisfy(\.isWhitespace) && Self.margin(of: lines[$0]) > margin
    }
    return start..<(end.map { $0 + 1 } ?? start + 1)
  }

  mutating func remove(_ index: Int) { fates[index] = .removed }

  mutating func replace(_ index: Int, with entries: [NewEntry]) {
    fates[index] = .replaced(entries)
  }

  mutating func append(_ entry: NewEntry) { added.append(entry) }

  /// Writes another signature, and another rule where one is given.
  mutating func change(_ index: Int, signature: String, rule: String?) {
    for line in ranges[index] {
      lines[line] = Self.setting("signature", to: signature, in: lines[line])
      if let rule { lines[line] = Self.setting("rule", to: rule, in: lines[line]) }
    }
  }

  /// The whole text.
  var text: String {
    var dropped: Set<Int> = []
    var replacements: [Int: [String]] = [:]
    for (range, fate) in zip(ranges, fates) {
      switch fate {
      case .kept: continue
      case .removed:
        var start = range.lowerBound
        while start > 0, Self.isComment(lines[start - 1]) { start -= 1 }
        dropped.formUnion(start..<range.upperBound)
      case let .replaced(entries):
        dropped.formUnion(range)
        replacements[range.lowerBound] = entries.flatMap {
          $0.lines(indentation: Self.margin(of: lines[range.lowerBound]))
        }
      }
    }
    var result: [String] = []
    for (index, line) in lines.enumerated() {
      result += replacements[index] ?? []
      if !dropped.contains(index) { result.append(line) }
    }
    return finished(
      result, isEmpty: fates.allSatisfy { if case .removed = $0 { true } else { false } })
  }

  /// With what is added behind the last entry, and with a list that is empty where nothing is left.
  private func finished(_ lines: [String], isEmpty: Bool) -> String {
    var lines = lines
    if isEmpty, let head = lines.firstIndex(where: { $0.hasPrefix("known:") }) {
      let comment = lines[head].firstIndex(of: "#").map { "  " + lines[head][$0...] } ?? ""
      lines[head] = (added.isEmpty ? "known: []" : "known:") + comment
    }
    let indentation = ranges.first.map { Self.margin(of: self.lines[$0.lowerBound]) } ?? 2
    lines += added.flatMap { $0.lines(indentation: indentation) }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func margin(of line: String) -> Int { line.prefix { $0 == " " }.count }

  private static func hasDash(_ line: String) -> Bool {
    let text = line.drop { $0 == " " }
    return text == "-" || text.hasPrefix("- ")
  }

  private static func isComment(_ line: String) -> Bool {
    line.drop { $0 == " " }.hasPrefix("#")
  }

  /// The line with another value behind a key; the same line when it has no such key.
  private static func setting(_ key: String, to value: String, in line: String) -> String {
    guard let range = line.firstRange(of: key + ": ") else { return line }
    let before = line[..<range.lowerBound].last { $0 != " " }
    guard before == nil || "-{,".contains(before ?? " ") else { return line }
    var rest = line[range.upperBound...].drop { $0 == " " }
    if let quote = rest.first, quote == "'" || quote == "\"" {
      rest = rest.dropFirst().drop { $0 != quote }.dropFirst()
    } else {
      rest = rest.drop { !",}#".contains($0) }
      if rest.first == "#" { rest = "  " + rest }
    }
    return line[..<range.upperBound] + value + rest
  }
}
