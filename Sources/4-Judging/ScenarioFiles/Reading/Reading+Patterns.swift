import Document
import Scenario
import Tree

extension Reading {
  private static let plainMatchers: [(name: String, pattern: Pattern)] = [
    ("$any", .any), ("$pushId", .pushID), ("$serverTime", .serverTime),
  ]
  private static let matchersWithArgument = [
    "$type", "$oneOf", "$not", "$subset", "$unordered", "$each", "$gte", "$lte", "$approx",
    "$bind", "$ref", "$exactly",
  ]
  static let matchers = plainMatchers.map(\.name) + matchersWithArgument

  /// A value in export format in which matchers may stand.
  ///
  /// What cannot be read becomes `any`: by then it is reported.
  mutating func pattern(_ node: DocumentNode, _ what: String) -> Pattern {
    switch node.content {
    case .null, .bool, .number: return .exactly(node.json)
    case let .string(text):
      guard Self.looksLikeMatcher(text) else { return .exactly(node.json) }
      return plainMatcher(text, at: node.position)
    case let .list(elements):
      let patterns = elements.map { pattern($0, what) }
      return node.containsMatcher ? .list(patterns) : .exactly(node.json)
    case let .mapping(entries):
      if entries.contains(where: { Self.looksLikeMatcher($0.key) }) { return matchers(entries) }
      let members = members(entries, what)
      return node.containsMatcher ? .mapping(members) : .exactly(node.json)
    }
  }

  /// A key of an event: a string, or a matcher for strings.
  mutating func keyPattern(_ node: DocumentNode, _ what: String) -> Pattern? {
    if case let .mapping(entries) = node.content {
      if entries.contains(where: { Self.looksLikeMatcher($0.key) }) { return matchers(entries) }
      mismatch(what, node, expected: "a string or a matcher")
      return nil
    }
    guard let text = string(node, what) else { return nil }
    if Self.looksLikeMatcher(text) { return plainMatcher(text, at: node.position) }
    if let problem = Key(text).problem { report(node.position, problem.description) }
    return .exactly(.string(text))
  }

  private mutating func members(
    _ entries: [DocumentNode.Entry], _ what: String
  ) -> [Pattern.Member] {
    entries.map { entry in
      let isLeafPart = entry.key == ".value" || entry.key == ".priority"
      if entry.key == ".sv" {
        report(
          entry.keyPosition, "clients never show a server value; expected $serverTime or a number")
      } else if entry.key.hasPrefix("."), !isLeafPart {
        unknown("key", entry.key, at: entry.keyPosition, among: [".value", ".priority"])
      } else if let problem = Key(entry.key).problem, !isLeafPart {
        report(entry.keyPosition, problem.description)
      }
      return .init(entry.key, pattern(entry.value, what))
    }
  }

  /// `$` and a letter: no key of the database begins so, and few values do.
  static func looksLikeMatcher(_ text: String) -> Bool {
    text.first == "$" && text.unicodeScalars.dropFirst().first?.properties.isAlphabetic == true
  }

  private mutating func plainMatcher(_ text: String, at position: Position) -> Pattern {
    if let matcher = Self.plainMatchers.first(where: { $0.name == text }) {
      return matcher.pattern
    }
    if Self.matchersWithArgument.contains(text) {
      report(position, "\(text) has no argument; expected {\(text): ARGUMENT}")
    } else {
      unknownMatcher(text, at: position)
    }
    return .any
  }

  private mutating func unknownMatcher(_ text: String, at position: Position) {
    report(
      position,
      "unknown matcher \(quoted(text)); expected \(alternatives(Self.matchers)), "
        + "or {$exactly: TEXT} for a text like this" + hint(for: text, among: Self.matchers))
  }

  /// A mapping of matchers, all of which must hold.
  private mutating func matchers(_ entries: [DocumentNode.Entry]) -> Pattern {
    var patterns: [Pattern] = []
    for entry in entries {
      guard Self.looksLikeMatcher(entry.key) else {
        report(
          entry.keyPosition,
          "child \(quoted(entry.key)) is beside a matcher; expected matchers alone, or $subset")
        continue
      }
      if let matcher = Self.plainMatchers.first(where: { $0.name == entry.key }) {
        checkNoArguments(entry)
        patterns.append(matcher.pattern)
      } else if Self.matchersWithArgument.contains(entry.key) {
        patterns.append(matcher(entry.key, entry.value) ?? .any)
      } else {
        unknownMatcher(entry.key, at: entry.keyPosition)
      }
    }
    return patterns.count == 1 ? patterns[0] : .all(patterns)
  }
}

extension Reading {
  private mutating func matcher(_ name: String, _ node: DocumentNode) -> Pattern? {
    switch name {
    case "$type": return type(node)
    case "$oneOf": return .oneOf(patterns(node, name, atLeast: 2))
    case "$unordered": return .unordered(patterns(node, name, atLeast: 1))
    case "$not": return .not(pattern(node, name))
    case "$each": return .each(pattern(node, name))
    case "$subset": return subset(node)
    case "$gte": return number(node, name).map(Pattern.gte)
    case "$lte": return number(node, name).map(Pattern.lte)
    case "$approx": return approximation(node)
    case "$bind", "$ref": return binding(name, node)
    default: return .exactly(node.json)
    }
  }

  /// A type, or a list of them.
  private mutating func type(_ node: DocumentNode) -> Pattern? {
    guard case .list = node.content else { return oneType(node) }
    return .oneOf(list(node, "$type", of: "types").compactMap { oneType($0) })
  }

  private mutating func oneType(_ node: DocumentNode) -> Pattern? {
    if node.isNull { return .type(.null) }
    return choice(node, "$type", as: Pattern.ValueType.self).map(Pattern.type)
  }

  private mutating func patterns(
    _ node: DocumentNode, _ name: String, atLeast least: Int
  ) -> [Pattern] {
    guard case let .list(elements) = node.content, elements.count >= least else {
      let expected = least == 1 ? "a list of values" : "a list of at least two values"
      report(node.position, "\(name) is \(node.flowText); expected \(expected)")
      return []
    }
    return elements.map { pattern($0, name) }
  }

  private mutating func subset(_ node: DocumentNode) -> Pattern? {
    guard case let .mapping(entries) = node.content, !entries.isEmpty else {
      report(node.position, "$subset is \(node.flowText); expected a mapping with children")
      return nil
    }
    return .subset(members(entries, "$subset"))
  }

  private mutating func approximation(_ node: DocumentNode) -> Pattern? {
    let keys = ["value", "tolerance"]
    guard let fields = fields(of: node, "$approx", keys: keys, required: keys),
      let value = fields["value"].flatMap({ number($0, "value") }),
      let tolerance = fields["tolerance"].flatMap({ number($0, "tolerance") })
    else { return nil }
    if tolerance < 0, let node = fields["tolerance"] {
      report(node.position, "the tolerance is negative; expected a number from 0 up")
    }
    return .approx(value, tolerance: tolerance)
  }

  private mutating func binding(_ name: String, _ node: DocumentNode) -> Pattern? {
    guard let label = string(node, name) else { return nil }
    guard isLabel(label) else {
      report(node.position, "\(quoted(label)) cannot be a name; expected \(labelForm)")
      return nil
    }
    if name == "$bind" {
      if boundNames.contains(label) {
        report(node.position, "$bind names \(label) again; expected $ref")
      }
      boundNames.append(label)
      return .bind(label)
    }
    checkBound(label, at: node.position)
    return .ref(label)
  }

  /// Reports a name that no expectation has given so far.
  mutating func checkBound(_ label: String, at position: Position) {
    if boundNames.contains(label) { return }
    report(
      position,
      "nothing has the name \(label) yet; expected {$bind: \(label)} before"
        + hint(for: label, among: boundNames))
  }
}

extension DocumentNode {
  /// Whether a matcher occurs anywhere in this value.
  fileprivate var containsMatcher: Bool {
    switch content {
    case .null, .bool, .number: false
    case let .string(text): Reading.looksLikeMatcher(text)
    case let .list(elements): elements.contains(where: \.containsMatcher)
    case let .mapping(entries):
      entries.contains { Reading.looksLikeMatcher($0.key) || $0.value.containsMatcher }
    }
  }
}
