import Document
import Scenario
import Tree

/// A word that stands for a value in an expectation.
struct Matcher: Sendable {
  enum Form: Sendable {
    /// It needs nothing else.
    case plain(Pattern)
    /// It has an argument, which this reads; `nil` for one that is wrong and reported.
    case withArgument(@Sendable (inout Reading, DocumentNode, _ name: String) -> Pattern?)
  }

  let name: String
  /// How it is written, with an argument if it has one.
  let example: String
  /// What it matches.
  let summary: String
  let form: Form

  private init(_ name: String, _ pattern: Pattern, _ summary: String) {
    (self.name, example, self.summary, form) = (name, name, summary, .plain(pattern))
  }

  private init(
    _ name: String, _ argument: String, _ summary: String,
    read: @escaping @Sendable (inout Reading, DocumentNode, _ name: String) -> Pattern?
  ) {
    (self.name, self.summary, form) = (name, summary, .withArgument(read))
    example = "{\(name): \(argument)}"
  }

  static func named(_ name: String) -> Matcher? { all.first { $0.name == name } }

  static let names = all.map(\.name)

  /// All matchers, in the order in which messages list them.
  static let all: [Matcher] = [
    Matcher("$any", .any, "anything, also nothing"),
    Matcher("$pushId", .pushID, "a text of the form of a push id"),
    Matcher(
      "$serverTime", .serverTime,
      "a time in milliseconds that the server's clock has shown in this run"),
    Matcher(
      "$type", "number", "`null`, `boolean`, `number`, `string`, `mapping`; or a list of them",
      read: { reading, node, _ in reading.type(node) }),
    Matcher(
      "$oneOf", "[V, V]", "one of several", read: { .oneOf($0.patterns($1, $2, atLeast: 2)) }),
    Matcher("$not", "V", "all but this", read: { .not($0.pattern($1, $2)) }),
    Matcher(
      "$subset", "{a: V}", "a mapping with these children, and any others",
      read: { reading, node, _ in reading.subset(node) }),
    Matcher(
      "$unordered", "[V, V]", "children with exactly these values, under any keys",
      read: { .unordered($0.patterns($1, $2, atLeast: 1)) }),
    Matcher(
      "$each", "V", "children that all match, of which there is at least one",
      read: { .each($0.pattern($1, $2)) }),
    Matcher("$gte", "1", "numbers from this up", read: { $0.number($1, $2).map(Pattern.gte) }),
    Matcher("$lte", "5", "numbers up to this", read: { $0.number($1, $2).map(Pattern.lte) }),
    Matcher(
      "$approx", "{value: 1, tolerance: 0.1}", "numbers near one",
      read: { reading, node, _ in reading.approximation(node) }),
    Matcher(
      "$bind", "id", "anything, and gives it a name",
      read: { reading, node, name in reading.binding(name, node) }),
    Matcher(
      "$ref", "id", "what has that name",
      read: { reading, node, name in reading.binding(name, node) }),
    Matcher(
      "$exactly", "V", "V, with nothing in it read as a matcher",
      read: { _, node, _ in .exactly(node.json) }),
  ]
}

// MARK: - Reading

extension Reading {
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
    switch Matcher.named(text)?.form {
    case let .plain(pattern): return pattern
    case .withArgument: report(position, "\(text) has no argument; expected {\(text): ARGUMENT}")
    case nil: unknownMatcher(text, at: position)
    }
    return .any
  }

  private mutating func unknownMatcher(_ text: String, at position: Position) {
    report(
      position,
      "unknown matcher \(quoted(text)); expected \(alternatives(Matcher.names)), "
        + "or {$exactly: TEXT} for a text like this" + hint(for: text, among: Matcher.names))
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
      switch Matcher.named(entry.key)?.form {
      case let .plain(pattern):
        checkNoArguments(entry)
        patterns.append(pattern)
      case let .withArgument(read): patterns.append(read(&self, entry.value, entry.key) ?? .any)
      case nil: unknownMatcher(entry.key, at: entry.keyPosition)
      }
    }
    return patterns.count == 1 ? patterns[0] : .all(patterns)
  }
}

extension Reading {
  /// A type, or a list of them.
  fileprivate mutating func type(_ node: DocumentNode) -> Pattern? {
    guard case .list = node.content else { return oneType(node) }
    return .oneOf(list(node, "$type", of: "types").compactMap { oneType($0) })
  }

  private mutating func oneType(_ node: DocumentNode) -> Pattern? {
    if node.isNull { return .type(.null) }
    return choice(node, "$type", as: Pattern.ValueType.self).map(Pattern.type)
  }

  fileprivate mutating func patterns(
    _ node: DocumentNode, _ name: String, atLeast least: Int
  ) -> [Pattern] {
    guard case let .list(elements) = node.content, elements.count >= least else {
      let expected = least == 1 ? "a list of values" : "a list of at least two values"
      report(node.position, "\(name) is \(node.flowText); expected \(expected)")
      return []
    }
    return elements.map { pattern($0, name) }
  }

  fileprivate mutating func subset(_ node: DocumentNode) -> Pattern? {
    guard case let .mapping(entries) = node.content, !entries.isEmpty else {
      report(node.position, "$subset is \(node.flowText); expected a mapping with children")
      return nil
    }
    return .subset(members(entries, "$subset"))
  }

  fileprivate mutating func approximation(_ node: DocumentNode) -> Pattern? {
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

  fileprivate mutating func binding(_ name: String, _ node: DocumentNode) -> Pattern? {
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

// MARK: - Writing

extension YAML {
  /// A pattern as a file writes it: read again, it is the same pattern.
  static func pattern(_ pattern: Pattern) -> YAML {
    if case let .exactly(json) = pattern, !json.looksLikeMatcher { return .value(json) }
    switch pattern {
    case .any: return .word("$any")
    case .pushID: return .word("$pushId")
    case .serverTime: return .word("$serverTime")
    case let .mapping(members): return .members(members)
    case let .list(patterns): return .list(patterns.map { .pattern($0) })
    case let .all(patterns): return .mapping(patterns.flatMap { matchers($0) })
    case .exactly, .type, .oneOf, .not, .subset, .unordered, .each, .gte, .lte, .approx, .bind,
      .ref:
      return .mapping(matchers(pattern))
    }
  }

  private static func members(_ members: [Pattern.Member]) -> YAML {
    .mapping(members.map { Entry(key($0.name), .pattern($0.pattern)) })
  }

  /// The pattern as entries of a mapping of matchers.
  private static func matchers(_ pattern: Pattern) -> [Entry] {
    switch pattern {
    case let .exactly(json): [Entry("$exactly", .value(json))]
    case .any: [Entry("$any", .word("null"))]
    case .pushID: [Entry("$pushId", .word("null"))]
    case .serverTime: [Entry("$serverTime", .word("null"))]
    case let .type(type): [Entry("$type", .word(type.rawValue))]
    case let .oneOf(patterns): [oneOf(patterns)]
    case let .not(pattern): [Entry("$not", .pattern(pattern))]
    case let .subset(members): [Entry("$subset", .members(members))]
    case let .unordered(patterns): [Entry("$unordered", .list(patterns.map { .pattern($0) }))]
    case let .each(pattern): [Entry("$each", .pattern(pattern))]
    case let .gte(bound): [Entry("$gte", .value(.number(bound)))]
    case let .lte(bound): [Entry("$lte", .value(.number(bound)))]
    case let .approx(center, tolerance):
      [Entry("$approx", .value(["value": .number(center), "tolerance": .number(tolerance)]))]
    case let .bind(name): [Entry("$bind", .text(name))]
    case let .ref(name): [Entry("$ref", .text(name))]
    case .mapping, .list, .all: []
    }
  }

  /// Several types are a list of them.
  private static func oneOf(_ patterns: [Pattern]) -> Entry {
    let types = patterns.compactMap { pattern -> YAML? in
      if case let .type(type) = pattern { .word(type.rawValue) } else { nil }
    }
    return types.count == patterns.count
      ? Entry("$type", .list(types)) : Entry("$oneOf", .list(patterns.map { .pattern($0) }))
  }
}

extension JSON {
  /// Whether a text or a key in it would be read as a matcher.
  fileprivate var looksLikeMatcher: Bool {
    switch self {
    case .null, .bool, .number: false
    case let .string(text): Reading.looksLikeMatcher(text)
    case let .array(elements): elements.contains(where: \.looksLikeMatcher)
    case let .object(members):
      members.contains { Reading.looksLikeMatcher($0.name) || $0.value.looksLikeMatcher }
    }
  }
}
