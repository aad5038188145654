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
  /// Reads what stands behind its name; `nil` for what is wrong, and is reported by then.
  let read: @Sendable (inout Reading, DocumentNode.Entry) -> Pattern?
  /// What stands behind its name; `nil` for a pattern that it does not make.
  let write: @Sendable (Pattern) -> YAML?

  private init(
    _ name: String, _ argument: String?, _ schema: JSON, _ summary: String, plain: Pattern? = nil,
    read: @escaping @Sendable (inout Reading, DocumentNode.Entry) -> Pattern?,
    write: @escaping @Sendable (Pattern) -> YAML?
  ) {
    key = FieldKey(name, schema, summary)
    example = argument.map { "{\(name): \($0)}" } ?? name
    (self.plain, self.read, self.write) = (plain, read, write)
  }

  /// A matcher without an argument.
  private init(_ name: String, _ pattern: Pattern, _ summary: String) {
    self.init(
      name, nil, ["type": ["null", "object"]], summary, plain: pattern,
      read: { reading, entry in
        reading.checkNoArguments(entry)
        return pattern
      }, write: { $0 == pattern ? .word("null") : nil })
  }

  /// A matcher with an argument of a usual form.
  private init<Argument>(
    _ name: String, _ argument: String, _ form: Form<Argument>, _ summary: String,
    _ pattern: @escaping @Sendable (Argument) -> Pattern,
    of part: @escaping @Sendable (Pattern) -> Argument?
  ) {
    self.init(
      name, argument, form.schema, summary,
      read: { form.read(&$0, $1.value, name).map(pattern) },
      write: { part($0).map { form.write($0) } })
  }

  static func named(_ name: String) -> Matcher? { all.first { $0.key.name == name } }

  static let names = all.map(\.key.name)

  /// All matchers, in the order in which messages list them; a pattern is written as the first that
  /// makes it.
  static let all: [Matcher] = words + choices + children + numbers + bindings

  private static let words: [Matcher] = [
    Matcher("$any", .any, "anything, also nothing"),
    Matcher("$pushId", .pushID, "a text of the form of a push id"),
    Matcher(
      "$serverTime", .serverTime,
      "a time in milliseconds that the server's clock has shown in this run"),
  ]

  private static let choices: [Matcher] = [
    Matcher(
      "$type", "number", true,
      "`null`, `boolean`, `number`, `string`, `mapping`; or a list of them",
      read: { $0.type($1.value) }, write: \.typeYAML),
    Matcher(
      "$oneOf", "[V, V]", .patterns(from: 2), "one of several", Pattern.oneOf,
      of: { if case let .oneOf(patterns) = $0 { patterns } else { nil } }),
    Matcher(
      "$not", "V", .pattern, "all but this", Pattern.not,
      of: { if case let .not(pattern) = $0 { pattern } else { nil } }),
  ]

  private static let children: [Matcher] = [
    Matcher(
      "$subset", "{a: V}", ["type": "object", "minProperties": 1],
      "a mapping with these children, and any others", read: { $0.subset($1.value) },
      write: { if case let .subset(members) = $0 { .members(members) } else { nil } }),
    Matcher(
      "$unordered", "[V, V]", .patterns(from: 1),
      "children with exactly these values, under any keys", Pattern.unordered,
      of: { if case let .unordered(patterns) = $0 { patterns } else { nil } }),
    Matcher(
      "$each", "V", .pattern, "children that all match, of which there is at least one",
      Pattern.each, of: { if case let .each(pattern) = $0 { pattern } else { nil } }),
  ]

  private static let numbers: [Matcher] = [
    Matcher(
      "$gte", "1", .number, "numbers from this up", Pattern.gte,
      of: { if case let .gte(bound) = $0 { bound } else { nil } }),
    Matcher(
      "$lte", "5", .number, "numbers up to this", Pattern.lte,
      of: { if case let .lte(bound) = $0 { bound } else { nil } }),
    Matcher(
      "$approx", "{value: 1, tolerance: 0.1}", ["type": "object"], "numbers near one",
      read: { $0.approximation($1.value) },
      write: { pattern in
        guard case let .approx(value, tolerance) = pattern else { return nil }
        return .value(["value": .number(value), "tolerance": .number(tolerance)])
      }),
  ]

  private static let bindings: [Matcher] = [
    Matcher(
      "$bind", "id", Schema.text, "anything, and gives it a name", read: { $0.binding($1) },
      write: { if case let .bind(name) = $0 { .text(name) } else { nil } }),
    Matcher(
      "$ref", "id", Schema.text, "what has that name", read: { $0.binding($1) },
      write: { if case let .ref(name) = $0 { .text(name) } else { nil } }),
    Matcher(
      "$exactly", "V", true, "V, with nothing in it read as a matcher",
      read: { .exactly($1.value.json) },
      write: { if case let .exactly(json) = $0 { .value(json) } else { nil } }),
  ]

  /// What a JSON Schema says of a value in which matchers may stand. Children are such values again.
  static var schema: JSON {
    let plain = all.filter { $0.plain != nil }.map { JSON.string($0.key.name) }
    return [
      "anyOf": [
        ["enum": .array(plain)],
        [
          "properties": ScenarioGrammar.properties(all.map(\.key)),
          "additionalProperties": Form.pattern.schema, "items": Form.pattern.schema,
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

extension Form<[Pattern]> {
  fileprivate static func patterns(from least: Int) -> Form {
    Form(
      Schema.list(of: Form<Pattern>.pattern.schema, from: least),
      read: { reading, node, what in
        guard case let .list(elements) = node.content, elements.count >= least else {
          let expected = least == 1 ? "a list of values" : "a list of at least two values"
          reading.report(node.position, "\(what) is \(node.flowText); expected \(expected)")
          return nil
        }
        return elements.map { reading.pattern($0, what) }
      }, write: { .list($0.map { .pattern($0) }) })
  }
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
        patterns.append(matcher.read(&self, entry) ?? .any)
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

  fileprivate mutating func binding(_ entry: DocumentNode.Entry) -> Pattern? {
    guard let name = string(entry.value, entry.key) else { return nil }
    guard isLabel(name) else {
      report(entry.value.position, "\(quoted(name)) cannot be a name; expected \(labelForm)")
      return nil
    }
    if entry.key == "$ref" {
      checkBound(name, at: entry.value.position)
      return .ref(name)
    }
    if boundNames.contains(name) {
      report(entry.value.position, "$bind names \(name) again; expected $ref")
    }
    boundNames.append(name)
    return .bind(name)
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
    switch pattern {
    case let .exactly(json) where !json.looksLikeMatcher: return .value(json)
    case let .mapping(members): return .members(members)
    case let .list(patterns): return .list(patterns.map { .pattern($0) })
    case let .all(patterns): return .mapping(patterns.map { matcher($0).entry })
    case .exactly, .any, .pushID, .serverTime, .type, .oneOf, .not, .subset, .unordered, .each,
      .gte, .lte, .approx, .bind, .ref:
      let (entry, isPlain) = matcher(pattern)
      return isPlain ? .word(entry.key) : .mapping([entry])
    }
  }

  fileprivate static func members(_ members: [Pattern.Member]) -> YAML {
    .mapping(members.map { Entry(key($0.name), .pattern($0.pattern)) })
  }

  /// The matcher that makes the pattern, with its argument.
  private static func matcher(_ pattern: Pattern) -> (entry: Entry, isPlain: Bool) {
    for matcher in Matcher.all {
      guard let argument = matcher.write(pattern) else { continue }
      return (Entry(matcher.key.name, argument), matcher.plain != nil)
    }
    preconditionFailure("no matcher makes \(pattern)")
  }
}

extension Pattern {
  /// A type or a list of them; `nil` for what is more than types.
  fileprivate var typeYAML: YAML? {
    if case let .type(type) = self { return .word(type.rawValue) }
    guard case let .oneOf(patterns) = self else { return nil }
    let types = patterns.compactMap { pattern in
      if case let .type(type) = pattern { YAML.word(type.rawValue) } else { nil }
    }
    return types.count == patterns.count ? .list(types) : nil
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
