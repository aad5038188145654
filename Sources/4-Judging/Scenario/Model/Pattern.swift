public import Tree

/// What a value must look like: a value, or a rule for values.
public indirect enum Pattern: Hashable, Sendable {
  /// This value in export format, compared as the database compares: numbers by value, children in
  /// any order, nulls and missing children alike. The order of members is that of the file.
  case exactly(JSON)
  /// Children (and `.priority`, `.value`) that match; one that is not listed must be missing.
  case mapping([Member])
  /// A list of elements that match, one by one. Of a value of the database: the children with the
  /// indices as keys.
  case list([Pattern])
  /// Anything, also nothing.
  case any
  case type(ValueType)
  case oneOf([Pattern])
  case not(Pattern)
  /// Like `mapping`, but what is not listed does not matter.
  case subset([Member])
  /// The values of the children match these, each one of them, in any order and under any keys.
  case unordered([Pattern])
  /// There are children and the value of every one matches.
  case each(Pattern)
  case gte(Double)
  case lte(Double)
  case approx(Double, tolerance: Double)
  /// Anything; its first match gives the value a name.
  case bind(String)
  /// The value that `bind` gave this name.
  case ref(String)
  /// A string of the form of a push id (PSH-1).
  case pushID
  /// A time in milliseconds that the server's clock has shown in this run (SRV-1).
  case serverTime
  /// All of these at once.
  case all([Pattern])

  /// One child and what it must look like.
  public struct Member: Hashable, Sendable {
    /// The key of the child, or `.priority` or `.value`.
    public var name: String
    /// What the child must match; a missing child is matched as an empty node.
    public var pattern: Pattern

    /// Creates a member; the name is taken as it is and not checked to be a key.
    public init(_ name: String, _ pattern: Pattern) {
      self.name = name
      self.pattern = pattern
    }
  }

  /// The types that `$type` distinguishes; the raw values are their names in scenario files.
  public enum ValueType: String, CaseIterable, Hashable, Sendable {
    case null
    case boolean
    case number
    case string
    /// A node with children.
    case mapping
  }
}

extension Pattern {
  /// The patterns that it consists of; empty for one that consists of no others.
  public var parts: [Pattern] {
    switch self {
    case let .mapping(members), let .subset(members): members.map(\.pattern)
    case let .list(patterns), let .oneOf(patterns), let .unordered(patterns), let .all(patterns):
      patterns
    case let .not(pattern), let .each(pattern): [pattern]
    case .exactly, .any, .type, .gte, .lte, .approx, .bind, .ref, .pushID, .serverTime: []
    }
  }

  /// The pattern with others in place of its parts; those of members keep their names.
  public func mapParts(_ change: (Pattern) -> Pattern) -> Pattern {
    func changed(_ members: [Member]) -> [Member] {
      members.map { Member($0.name, change($0.pattern)) }
    }
    return switch self {
    case let .mapping(members): .mapping(changed(members))
    case let .subset(members): .subset(changed(members))
    case let .list(patterns): .list(patterns.map(change))
    case let .oneOf(patterns): .oneOf(patterns.map(change))
    case let .unordered(patterns): .unordered(patterns.map(change))
    case let .all(patterns): .all(patterns.map(change))
    case let .not(pattern): .not(change(pattern))
    case let .each(pattern): .each(change(pattern))
    case .exactly, .any, .type, .gte, .lte, .approx, .bind, .ref, .pushID, .serverTime: self
    }
  }
}
