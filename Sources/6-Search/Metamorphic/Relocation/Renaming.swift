internal import Scenario
internal import Tree

/// Other names for keys, in the same order.
///
/// What cannot be a key keeps its name, so that it is refused as before. Keys that the client makes
/// keep theirs as well, since they are unpredictable; so the order of the new names to push ids,
/// which begin with `-`, is that of the old ones.
struct Renaming: Sendable {
  /// What becomes of keys that are integers.
  var integers = Integers.kept
  /// Stands in front of all other keys; empty changes nothing.
  var prefix = ""
  /// Whether there are keys besides that clients make.
  var meetsPushIDs = false

  enum Integers: Sendable {
    case kept
    /// Ten times as far from each other. Then no value is a list any more.
    case stretched
  }

  static let none = Renaming()
  /// Sorts behind `-`, as all keys do that begin with a letter or a digit.
  static let usualPrefix = "k-"

  func callAsFunction(_ key: Key) -> Key {
    if key.problem != nil { return key }
    guard let integer = key.integer else { return Key(prefix + key.string) }
    return integers == .stretched ? Key(String(Int(integer) * 10 + 7)) : key
  }

  /// The name of a member in a value, which may also be one such as `.priority`.
  func callAsFunction(_ name: String) -> String { self(Key(name)).string }

  /// Whether the order of this key to push ids and among integers stays.
  func keepsOrder(of key: Key) -> Bool {
    guard key.problem == nil else { return true }
    guard let integer = key.integer else {
      return prefix.isEmpty || !meetsPushIDs || key > Key("-~")
    }
    return integers == .kept || key.string == String(integer) && abs(Int(integer)) < 100_000_000
  }
}

// Values. Members of lists have indices as keys. What comes after a name with a dot is no value of
// the tree.

extension Renaming {
  /// A value in export or application format.
  func callAsFunction(_ json: JSON) -> JSON {
    switch json {
    case .null, .bool, .number, .string: json
    case let .array(elements):
      integers == .kept
        ? .array(elements.map { self($0) })
        : .object(
          elements.enumerated().map { JSON.Member(self(String($0.offset)), self($0.element)) })
    case let .object(members):
      .object(
        members.map {
          JSON.Member(self($0.name), $0.name.hasPrefix(".") ? $0.value : self($0.value))
        })
    }
  }

  /// What a value must look like.
  func callAsFunction(_ pattern: Pattern) -> Pattern {
    func renamed(_ members: [Pattern.Member]) -> [Pattern.Member] {
      members.map { .init(self($0.name), $0.name.hasPrefix(".") ? $0.pattern : self($0.pattern)) }
    }
    if case let .exactly(json) = pattern { return .exactly(self(json)) }
    if case let .mapping(members) = pattern { return .mapping(renamed(members)) }
    if case let .subset(members) = pattern { return .subset(renamed(members)) }
    if case let .list(patterns) = pattern, integers == .stretched {
      return .mapping(patterns.enumerated().map { .init(self("\($0.offset)"), self($0.element)) })
    }
    return pattern.mapParts { self($0) }
  }
}

extension Pattern {
  /// The pattern for texts that are all rewritten in the same way.
  func mappingTexts(_ rewrite: (String) -> String) -> Pattern {
    switch self {
    case let .exactly(.string(text)): .exactly(.string(rewrite(text)))
    case let .exactly(.array(elements)):
      .exactly(.array(elements.map { $0.string.map { .string(rewrite($0)) } ?? $0 }))
    case .mapping, .subset: self
    default: mapParts { $0.mappingTexts(rewrite) }
    }
  }

  /// The texts that `mappingTexts` rewrites, but for those in lists of values.
  var texts: [String] {
    switch self {
    case let .exactly(.string(text)): [text]
    case .mapping, .subset: []
    default: parts.flatMap(\.texts)
    }
  }

  /// Whether a list occurs somewhere in it.
  var hasList: Bool {
    switch self {
    case .list: true
    case let .exactly(json): json.hasList
    default: parts.contains(where: \.hasList)
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
