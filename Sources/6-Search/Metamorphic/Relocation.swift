internal import ClientInterface
internal import Scenario
internal import Tree

/// A scenario's locations elsewhere: all below one location, or under other names.
struct Relocation {
  private let names: Renaming
  /// Renames steps and data; what clients are asked and what is expected has to be added.
  private var base = ScenarioRenaming()
  /// What clients are asked, to know what their answers are about.
  private var inspections: [Label: Inspection] = [:]
  private let obstacle = Obstacle()

  private struct Label: Hashable {
    var client: String
    var call: CallID
  }

  /// The first reason against it that is met.
  private final class Obstacle {
    var reason: String?

    func note(_ reason: String) { self.reason = self.reason ?? reason }
  }

  static let deepPrefix = Path("deep/root")

  private init(prefix: Path, _ names: Renaming, of scenario: Scenario) {
    self.names = names
    base.prefix = prefix
    base.key = { [obstacle] key, _ in
      if !names.keepsOrder(of: key) {
        obstacle.note("the key \"\(key)\" would not stay in its place among push ids")
      }
      return names(key)
    }
    base.argument = { names($0) }
    base.onMove = { [obstacle] path, moved in
      if path.problem == nil, moved.problem != nil {
        obstacle.note("a path would be deeper or longer than the database allows")
      }
    }
    for call in scenario.calls {
      guard case let .inspect(inspection) = call.operation else { continue }
      inspections[Label(client: call.client, call: call.id)] = inspection
    }
  }
}

extension Relocation {
  /// The scenario with all that happens at the root happening at `deepPrefix`.
  static func deeper(_ scenario: Scenario) throws(UnsupportedReason) -> Scenario {
    try Relocation(prefix: deepPrefix, .none, of: scenario).moved(scenario)
  }

  /// The scenario with other names for all keys.
  static func renamed(_ scenario: Scenario) throws(UnsupportedReason) -> Scenario {
    let pushes = scenario.calls.contains { if case .push = $0.operation { true } else { false } }
    func relocation(_ integers: Renaming.Integers) -> Relocation {
      let names = Renaming(
        integers: integers, prefix: Renaming.usualPrefix, meetsPushIDs: pushes)
      return Relocation(prefix: .root, names, of: scenario)
    }
    if !scenario.showsLists, let moved = try? relocation(.stretched).moved(scenario) {
      return moved
    }
    return try relocation(.kept).moved(scenario)
  }

  /// - Throws: `UnsupportedReason` when a location was allowed and the new one is not, when keys
  ///   would not stay in order, and when answers depend on where the root is.
  private func moved(_ scenario: Scenario) throws(UnsupportedReason) -> Scenario {
    if scenario.persistence.values.contains(where: { $0 != .init() }) {
      throw UnsupportedReason("a cache of a stated size holds less where paths are longer")
    }
    if scenario.databaseRules != nil {
      throw UnsupportedReason("the rules of the database hold at the locations that they name")
    }
    var renaming = base
    renaming.inspection = inspection
    renaming.pattern = pattern
    let moved = renaming(scenario)
    if let reason = obstacle.reason { throw UnsupportedReason(reason) }
    return moved
  }

  private func pattern(
    _ pattern: Pattern, of content: ScenarioRenaming.ExpectedContent
  ) -> Pattern {
    switch content {
    case .tree:
      base.prefix.keys.reversed().reduce(names(pattern)) { .mapping([.init($1.string, $0)]) }
    case .value: names(pattern)
    case .key: pattern.mappingTexts { names($0) }
    case let .answer(client, call):
      answer(pattern, to: inspections[Label(client: client, call: call)])
    }
  }
}

// What clients are asked, and what they answer.

extension Relocation {
  /// Whether a location that was the root is another one now.
  private var movesRoot: Bool { !base.prefix.isRoot }

  private static let asksForRoot =
    "an inspection asks what the root is called or what is above it"

  private func inspection(_ inspection: Inspection) -> Inspection {
    check(inspection)
    var moved = inspection
    moved.part = base.relative(inspection.part)
    moved.argument = argument(of: inspection)
    switch inspection.subject {
    case let .reference(path): moved.subject = .reference(base.path(path))
    case .address, .snapshot, .completion: break
    case let .mutableData(value, changes):
      moved.subject = .mutableData(names(value), changes: changes.map(change))
    case let .query(path, steps):
      moved.subject = .query(base.path(path), steps: steps.map(condition))
    }
    return moved
  }

  /// Notes it where the answer depends on where the root is.
  private func check(_ inspection: Inspection) {
    if case .address = inspection.subject { obstacle.note("an absolute address is inspected") }
    if ["url", "description"].contains(inspection.question) {
      obstacle.note("an inspection asks for an absolute address")
    }
    guard movesRoot, ["key", "parent"].contains(inspection.question) else { return }
    switch inspection.subject {
    case .mutableData, .snapshot, .completion: return
    case let .reference(path) where !path.isRoot || !inspection.part.isRoot: return
    case .reference, .address, .query: obstacle.note(Self.asksForRoot)
    }
  }

  private func argument(of inspection: Inspection) -> JSON {
    switch (inspection.question, inspection.argument) {
    case let ("child", .string(text)), let ("hasChild", .string(text)):
      .string(base.relative(Path(text)).relativeText)
    case let ("equals", .string(text)): .string(base.path(Path(text)).description)
    case let ("valid", .array(conditions)): .array(conditions.map(condition))
    default: inspection.argument
    }
  }

  /// A change of mutable data.
  private func change(_ change: JSON) -> JSON {
    change.mapMembers { name, value in
      if name == "value" { return names(value) }
      guard name == "child", case let .string(text) = value else { return value }
      return .string(base.relative(Path(text)).relativeText)
    }
  }

  /// One step of a query that is being built. Only what it is ordered by is a location.
  private func condition(_ condition: JSON) -> JSON {
    condition.mapMembers { name, value in
      guard name == "orderBy", case let .string(text) = value, !text.hasPrefix(".") else {
        return value
      }
      let path = Path(text)
      return path.problem == nil ? .string(base.relative(path).relativeText) : value
    }
  }

  /// What the answer to an inspection must look like.
  private func answer(_ pattern: Pattern, to inspection: Inspection?) -> Pattern {
    switch inspection?.question {
    case "key":
      if movesRoot, inspection?.subject.name != nil, pattern.texts.allSatisfy(\.isEmpty) {
        obstacle.note(Self.asksForRoot)
      }
      return pattern.mappingTexts { names($0) }
    case "parent", "child", "ref":
      return pattern.mappingTexts { base.path(Path($0)).description }
    case "children" where inspection?.argument == .null:
      return pattern.mappingTexts { names($0) }
    case "value", "export", "children": return names(pattern)
    default: return pattern
    }
  }
}

extension JSON {
  /// The object with other values; without members for what is no object.
  fileprivate func mapMembers(_ change: (_ name: String, JSON) -> JSON) -> JSON {
    .object((members ?? []).map { .init($0.name, change($0.name, $0.value)) })
  }
}

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
