import Scenario
internal import Tree

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
