import Document
import Scenario
import Tree

/// A word that stands for a value in an expectation.
struct Matcher: Sendable {
  /// Its name, and what it matches.
  let key: FieldKey
  /// How it is written, with an argument if it has one.
  let example: String
  /// The pattern that its name alone is; `nil` for a matcher with an argument.
  let plain: Pattern?
  /// Reads its argument; `nil` for one that is wrong, and is reported by then. How it is written is
  /// part of the pattern, since reports show it too.
  let read: @Sendable (inout Reading, DocumentNode, _ name: String) -> Pattern?

  /// A matcher without an argument.
  private init(_ name: String, _ pattern: Pattern, _ summary: String) {
    key = FieldKey(name, ["type": ["null", "object"]], summary)
    (example, plain) = (name, pattern)
    read = { reading, node, name in
      reading.checkNoArguments(node, name)
      return pattern
    }
  }

  private init(
    _ name: String, _ argument: String, _ schema: JSON, _ summary: String,
    read: @escaping @Sendable (inout Reading, DocumentNode, _ name: String) -> Pattern?
  ) {
    key = FieldKey(name, schema, summary)
    (example, plain) = ("{\(name): \(argument)}", nil)
    self.read = read
  }

  static func named(_ name: String) -> Matcher? { all.first { $0.key.name == name } }

  static let names = all.map(\.key.name)

  /// All matchers, in the order in which messages list them.
  static let all: [Matcher] = [
    Matcher("$any", .any, "anything, also nothing"),
    Matcher("$pushId", .pushID, "a text of the form of a push id"),
    Matcher(
      "$serverTime", .serverTime,
      "a time in milliseconds that the server's clock has shown in this run"),
    Matcher(
      "$type", "number", true,
      "`null`, `boolean`, `number`, `string`, `mapping`; or a list of them",
      read: { reading, node, _ in reading.type(node) }),
    Matcher(
      "$oneOf", "[V, V]", Schema.list(of: pattern, from: 2), "one of several",
      read: { .oneOf($0.patterns($1, $2, atLeast: 2)) }),
    Matcher("$not", "V", pattern, "all but this", read: { .not($0.pattern($1, $2)) }),
    Matcher(
      "$subset", "{a: V}", ["type": "object", "minProperties": 1],
      "a mapping with these children, and any others",
      read: { reading, node, _ in reading.subset(node) }),
    Matcher(
      "$unordered", "[V, V]", Schema.list(of: pattern),
      "children with exactly these values, under any keys",
      read: { .unordered($0.patterns($1, $2, atLeast: 1)) }),
    Matcher(
      "$each", "V", pattern, "children that all match, of which there is at least one",
      read: { .each($0.pattern($1, $2)) }),
    Matcher(
      "$gte", "1", number, "numbers from this up", read: { $0.number($1, $2).map(Pattern.gte) }),
    Matcher(
      "$lte", "5", number, "numbers up to this", read: { $0.number($1, $2).map(Pattern.lte) }),
    Matcher(
      "$approx", "{value: 1, tolerance: 0.1}", ["type": "object"], "numbers near one",
      read: { reading, node, _ in reading.approximation(node) }),
    Matcher(
      "$bind", "id", Schema.text, "anything, and gives it a name",
      read: { reading, node, name in reading.binding(name, node) }),
    Matcher(
      "$ref", "id", Schema.text, "what has that name",
      read: { reading, node, name in reading.binding(name, node) }),
    Matcher(
      "$exactly", "V", true, "V, with nothing in it read as a matcher",
      read: { _, node, _ in .exactly(node.json) }),
  ]

  private static let pattern = Form<Pattern>.pattern.schema
  private static let number = Form<Double>.number.schema

  /// What a JSON Schema says of a value in which matchers may stand. Children are such values too.
  static var schema: JSON {
    let plain = all.filter { $0.plain != nil }.map { JSON.string($0.key.name) }
    return [
      "anyOf": [
        ["enum": .array(plain)],
        [
          "properties": ScenarioGrammar.properties(all.map(\.key)),
          "additionalProperties": pattern, "items": pattern,
        ],
      ]
    ]
  }
}

extension Form<Pattern> {
  /// A value in export format in which matchers may stand.
  static let pattern = Form(
    ["$ref": "#/$defs/pattern"], read: { $0.pattern($1, $2) }, write: { .pattern($0) })

  /// A key: a string, or a matcher for strings.
  static let key = Form(
    pattern.schema, read: { reading, node, _ in reading.keyPattern(node, "the key") },
    write: { .pattern($0) })
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
      return node.json.looksLikeMatcher ? .list(patterns) : .exactly(node.json)
    case let .mapping(entries):
      if entries.contains(where: { Self.looksLikeMatcher($0.key) }) { return matchers(entries) }
      let members = members(entries, what)
      return node.json.looksLikeMatcher ? .mapping(members) : .exactly(node.json)
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
    guard let matcher = Matcher.named(text) else {
      unknownMatcher(text, at: position)
      return .any
    }
    if let plain = matcher.plain { return plain }
    report(position, "\(text) has no argument; expected {\(text): ARGUMENT}")
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
      if let matcher = Matcher.named(entry.key) {
        patterns.append(matcher.read(&self, entry.value, entry.key) ?? .any)
      } else {
        unknownMatcher(entry.key, at: entry.keyPosition)
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

// MARK: - Writing

extension YAML {
  /// A pattern as a file writes it: read again, it is the same pattern.
  static func pattern(_ pattern: Pattern) -> YAML { .value(pattern.quoted.json) }
}

extension Pattern {
  /// The pattern with `$exactly` in front of what would be read as matchers, or beside some.
  fileprivate var quoted: Pattern {
    switch self {
    case let .exactly(json) where json.looksLikeMatcher: .exactly(["$exactly": json])
    case let .all(patterns):
      .all(
        patterns.map { pattern in
          if case let .exactly(json) = pattern {
            .exactly(["$exactly": json])
          } else {
            pattern.quoted
          }
        })
    case .exactly, .mapping, .list, .any, .type, .oneOf, .not, .subset, .unordered, .each, .gte,
      .lte, .approx, .bind, .ref, .pushID, .serverTime:
      mapParts(\.quoted)
    }
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
