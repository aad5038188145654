import Document
import Scenario
import Tree

/// A word that stands for a value in an expectation.
struct Matcher: Sendable {
  /// Its name, what it matches, and how its argument is read and written.
  let rule: OneOf<Pattern>.Case
  /// How it is written, with an argument if it has one.
  let example: String
  /// The pattern that its name alone is; `nil` for a matcher with an argument.
  let plain: Pattern?

  /// A matcher without an argument.
  private init(_ name: String, _ pattern: Pattern, _ summary: String) {
    (example, plain) = (name, pattern)
    rule = .init(
      FieldKey(name, ["type": ["null", "object"]], summary),
      read: { reading, node, _ in
        reading.checkNoArguments(node, name)
        return pattern
      }, write: { $0 == pattern ? [.init(name, .word("null"))] : nil })
  }

  /// A matcher with an argument, of which there is an example.
  private init<Argument>(
    _ name: String, _ argument: String, _ form: Form<Argument>, _ summary: String,
    _ pattern: @escaping @Sendable (Argument) -> Pattern,
    of part: @escaping @Sendable (Pattern) -> Argument?
  ) {
    (example, plain) = ("{\(name): \(argument)}", nil)
    rule = .init(name, form, summary, pattern, of: part)
  }

  static func named(_ name: String) -> Matcher? { all.first { $0.rule.key.name == name } }

  static let names = all.map(\.rule.key.name)

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
      "$type", "number", .types,
      "`null`, `boolean`, `number`, `string`, `mapping`; or a list of them",
      { $0.count == 1 ? .type($0[0]) : .oneOf($0.map { .type($0) }) }, of: \.types),
    Matcher(
      "$oneOf", "[V, V]", .patterns(from: 2), "one of several", Pattern.oneOf,
      of: { if case let .oneOf(patterns) = $0 { patterns } else { nil } }),
    Matcher(
      "$not", "V", .pattern, "all but this", Pattern.not,
      of: { if case let .not(pattern) = $0 { pattern } else { nil } }),
  ]

  private static let children: [Matcher] = [
    Matcher(
      "$subset", "{a: V}", .members, "a mapping with these children, and any others",
      Pattern.subset, of: { if case let .subset(members) = $0 { members } else { nil } }),
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
      "$approx", "{value: 1, tolerance: 0.1}", .near, "numbers near one",
      { .approx($0.value, tolerance: $0.tolerance) },
      of: { if case let .approx(value, tolerance) = $0 { (value, tolerance) } else { nil } }),
  ]

  private static let bindings: [Matcher] = [
    Matcher(
      "$bind", "id", .label, "anything, and gives it a name", Pattern.bind,
      of: { if case let .bind(name) = $0 { name } else { nil } }),
    Matcher(
      "$ref", "id", .label, "what has that name", Pattern.ref,
      of: { if case let .ref(name) = $0 { name } else { nil } }),
    Matcher(
      "$exactly", "V", Form(read: { _, node, _ in node.json }, write: { .value($0) }),
      "V, with nothing in it read as a matcher", Pattern.exactly,
      of: { if case let .exactly(json) = $0 { json } else { nil } }),
  ]

  /// What a JSON Schema says of a value in which matchers may stand. Children are such values again.
  static var schema: JSON {
    let plain = all.filter { $0.plain != nil }.map { JSON.string($0.rule.key.name) }
    return [
      "anyOf": [
        ["enum": .array(plain)],
        [
          "properties": ScenarioGrammar.properties(all.map(\.rule.key)),
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

extension Form<[Pattern.ValueType]> {
  /// A type, or a list of them.
  fileprivate static let types = Form(
    read: { reading, node, what in
      guard case .list = node.content else { return reading.type(node, what).map { [$0] } }
      return reading.list(node, what, of: "types").compactMap { reading.type($0, what) }
    },
    write: { types in
      let words = types.map { YAML.word($0.rawValue) }
      return words.count == 1 ? words[0] : .list(words)
    })
}

extension Form<[Pattern.Member]> {
  fileprivate static let members = Form(
    ["type": "object", "minProperties": 1],
    read: { reading, node, what in
      if case let .mapping(entries) = node.content, !entries.isEmpty {
        return reading.members(entries, what)
      }
      reading.report(
        node.position, "\(what) is \(node.flowText); expected a mapping with children")
      return nil
    }, write: { .members($0) })
}

extension Form<(value: Double, tolerance: Double)> {
  fileprivate static let near = Form.mapping(
    Table([
      Field("value", .number, \.value, "The number."),
      Field(
        "tolerance", Form<Double>.number.schema, isRequired: true,
        summary: "How far from it others are.",
        read: { reading, node, near in
          near.tolerance = reading.number(node, "tolerance") ?? 0
          if near.tolerance >= 0 { return }
          reading.report(
            node.position, "the tolerance is negative; expected a number from 0 up")
        }, write: { .value(.number($0.tolerance)) }),
    ]), from: (0, 0))
}

extension Form<String> {
  /// A name that is given, or was given before.
  fileprivate static let label = Form(
    Schema.text, read: { $0.binding($1, $2) }, write: { .text($0) })
}

extension Pattern {
  /// The types that it consists of; `nil` where there are other things in it.
  fileprivate var types: [ValueType]? {
    if case let .type(type) = self { return [type] }
    guard case let .oneOf(patterns) = self else { return nil }
    let types = patterns.compactMap { pattern in
      if case let .type(type) = pattern { type } else { nil }
    }
    return types.count == patterns.count ? types : nil
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

  fileprivate mutating func members(
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
        let fields = Fields(position: entry.keyPosition)
        patterns.append(matcher.rule.read(&self, entry.value, fields) ?? .any)
      } else {
        unknownMatcher(entry.key, at: entry.keyPosition)
      }
    }
    return patterns.count == 1 ? patterns[0] : .all(patterns)
  }
}

extension Reading {
  fileprivate mutating func type(_ node: DocumentNode, _ what: String) -> Pattern.ValueType? {
    node.isNull ? .null : choice(node, what, as: Pattern.ValueType.self)
  }

  fileprivate mutating func binding(_ node: DocumentNode, _ what: String) -> String? {
    guard let name = string(node, what) else { return nil }
    if !isLabel(name) {
      report(node.position, "\(quoted(name)) cannot be a name; expected \(labelForm)")
      return nil
    }
    if what == "$ref" {
      checkBound(name, at: node.position)
    } else {
      if boundNames.contains(name) {
        report(node.position, "$bind names \(name) again; expected $ref")
      }
      boundNames.append(name)
    }
    return name
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
    case let .all(patterns): return .mapping(patterns.flatMap { matcher(of: $0).entries })
    case .exactly, .any, .pushID, .serverTime, .type, .oneOf, .not, .subset, .unordered, .each,
      .gte, .lte, .approx, .bind, .ref:
      let (matcher, entries) = matcher(of: pattern)
      return matcher.plain == nil ? .mapping(entries) : .word(matcher.rule.key.name)
    }
  }

  fileprivate static func members(_ members: [Pattern.Member]) -> YAML {
    .mapping(members.map { Entry(key($0.name), .pattern($0.pattern)) })
  }

  private static func matcher(of pattern: Pattern) -> (matcher: Matcher, entries: [Entry]) {
    for matcher in Matcher.all {
      if let entries = matcher.rule.write(pattern) { return (matcher, entries) }
    }
    preconditionFailure("no matcher makes \(pattern)")
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
