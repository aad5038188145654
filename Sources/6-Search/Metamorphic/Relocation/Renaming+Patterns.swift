internal import Scenario
internal import Tree

extension Renaming {
  /// What a value must look like.
  func callAsFunction(_ pattern: Pattern) -> Pattern {
    switch pattern {
    case let .exactly(json): .exactly(self(json))
    case let .mapping(members): .mapping(self(members))
    case let .subset(members): .subset(self(members))
    case let .list(patterns):
      integers == .kept
        ? .list(patterns.map { self($0) })
        : .mapping(
          patterns.enumerated().map { .init(self(String($0.offset)), self($0.element)) })
    case let .oneOf(patterns): .oneOf(patterns.map { self($0) })
    case let .unordered(patterns): .unordered(patterns.map { self($0) })
    case let .all(patterns): .all(patterns.map { self($0) })
    case let .not(pattern): .not(self(pattern))
    case let .each(pattern): .each(self(pattern))
    case .any, .type, .gte, .lte, .approx, .bind, .ref, .pushID, .serverTime: pattern
    }
  }

  private func callAsFunction(_ members: [Pattern.Member]) -> [Pattern.Member] {
    members.map { .init(self($0.name), $0.name.hasPrefix(".") ? $0.pattern : self($0.pattern)) }
  }
}

extension Pattern {
  /// The pattern for texts that are all rewritten in the same way.
  func mappingTexts(_ rewrite: (String) -> String) -> Pattern {
    switch self {
    case let .exactly(.string(text)): .exactly(.string(rewrite(text)))
    case let .exactly(.array(elements)):
      .exactly(.array(elements.map { $0.string.map { .string(rewrite($0)) } ?? $0 }))
    case let .list(patterns): .list(patterns.map { $0.mappingTexts(rewrite) })
    case let .oneOf(patterns): .oneOf(patterns.map { $0.mappingTexts(rewrite) })
    case let .unordered(patterns): .unordered(patterns.map { $0.mappingTexts(rewrite) })
    case let .all(patterns): .all(patterns.map { $0.mappingTexts(rewrite) })
    case let .not(pattern): .not(pattern.mappingTexts(rewrite))
    case let .each(pattern): .each(pattern.mappingTexts(rewrite))
    case .exactly, .mapping, .subset, .any, .type, .gte, .lte, .approx, .bind, .ref, .pushID,
      .serverTime:
      self
    }
  }

  /// Whether a list occurs somewhere in it.
  var hasList: Bool {
    switch self {
    case .list: true
    case let .exactly(json): json.hasList
    case let .mapping(members), let .subset(members): members.contains { $0.pattern.hasList }
    case let .oneOf(patterns), let .unordered(patterns), let .all(patterns):
      patterns.contains { $0.hasList }
    case let .not(pattern), let .each(pattern): pattern.hasList
    case .any, .type, .gte, .lte, .approx, .bind, .ref, .pushID, .serverTime: false
    }
  }
}

extension JSON {
  fileprivate var hasList: Bool {
    switch self {
    case .array: true
    case let .object(members): members.contains { $0.value.hasList }
    case .null, .bool, .number, .string: false
    }
  }
}
