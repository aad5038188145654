internal import ClientInterface
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

  /// Whether two keys beside each other, at any depth, are canonically equivalent.
  var hasEquivalentKeys: Bool {
    switch self {
    case let .exactly(json): Node(json: json).hasEquivalentKeys
    case let .mapping(members), let .subset(members):
      members.map(\.name).hasEquivalents || parts.contains(where: \.hasEquivalentKeys)
    default: parts.contains(where: \.hasEquivalentKeys)
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

extension Pattern {
  /// Whether an answer to an inspection is as the pattern says.
  ///
  /// An answer is plain JSON: lists, null and empty mappings are what they are, while a value of
  /// the database knows mappings only. `$bind` and `$ref` compare as the database does, so that a
  /// name can be shared with the events of listeners.
  ///
  /// - Complexity: O(*n*) in the size of the answer; `unordered` tries every assignment in the
  ///   worst case.
  public func matches(answer: JSON, bindings: inout Bindings) -> Bool {
    let before = bindings
    let isMatched = compare(answer, &bindings)
    if !isMatched { bindings = before }
    return isMatched
  }

  private func compare(_ answer: JSON, _ bindings: inout Bindings) -> Bool {
    switch self {
    case let .exactly(json): json == answer
    case let .list(patterns): Self.compare(answer, elements: patterns, &bindings)
    case let .mapping(members):
      answer.members?.count == members.count && Self.compare(answer, members, &bindings)
    case let .subset(members): Self.compare(answer, members, &bindings)
    case let .unordered(patterns):
      answer.parts?.count == patterns.count
        && Self.assign(patterns[...], to: answer.parts ?? [], &bindings) { $0.compare($1, &$2) }
    case let .each(pattern):
      answer.parts?.isEmpty == false
        && (answer.parts ?? []).allSatisfy { pattern.compare($0, &bindings) }
    case let .oneOf(patterns): patterns.contains { $0.matches(answer: answer, bindings: &bindings) }
    case let .not(pattern): !pattern.isMatched(by: answer, bindings)
    case let .all(patterns): patterns.allSatisfy { $0.compare(answer, &bindings) }
    case let .type(type): type.holds(answer)
    case .any: true
    case .bind, .ref: mismatch(with: Node(json: answer), bindings: &bindings) == nil
    case .gte, .lte, .approx, .pushID, .serverTime:
      answer.isScalar && mismatch(with: Node(json: answer), bindings: &bindings) == nil
    }
  }

  private func isMatched(by answer: JSON, _ bindings: Bindings) -> Bool {
    var scratch = bindings
    return matches(answer: answer, bindings: &scratch)
  }

  private static func compare(
    _ answer: JSON, elements patterns: [Pattern], _ bindings: inout Bindings
  ) -> Bool {
    guard let elements = answer.elements, elements.count == patterns.count else { return false }
    return zip(patterns, elements).allSatisfy { $0.compare($1, &bindings) }
  }

  private static func compare(
    _ answer: JSON, _ members: [Member], _ bindings: inout Bindings
  ) -> Bool {
    members.allSatisfy { member in
      answer[member.name].map { member.pattern.compare($0, &bindings) } ?? false
    }
  }
}

extension JSON {
  /// The elements of a list or the values of a mapping.
  fileprivate var parts: [JSON]? { elements ?? members.map { $0.map(\.value) } }

  fileprivate var isScalar: Bool {
    switch self {
    case .bool, .number, .string: true
    case .null, .array, .object: false
    }
  }
}

extension Pattern.ValueType {
  fileprivate func holds(_ answer: JSON) -> Bool {
    switch answer {
    case .null: self == .null
    case .bool: self == .boolean
    case .number: self == .number
    case .string: self == .string
    case .object: self == .mapping
    case .array: false
    }
  }
}

extension Pattern {
  /// Whether `value`, in export format, is as the pattern says.
  public func matches(_ value: JSON, bindings: inout Bindings) -> Bool {
    mismatch(with: Node(json: value), bindings: &bindings) == nil
  }

  /// Where `node` differs from the pattern, or `nil` when it matches.
  ///
  /// A match adds to the bindings what it has named; a mismatch leaves them as they were.
  ///
  /// - Complexity: O(*n*) in the size of the node; `unordered` tries every assignment in the worst
  ///   case.
  public func mismatch(with node: Node, bindings: inout Bindings) -> PatternMismatch? {
    let before = bindings
    let mismatch = compare(node, &bindings)
    if mismatch != nil { bindings = before }
    return mismatch
  }

  private func compare(_ node: Node, _ bindings: inout Bindings) -> PatternMismatch? {
    switch self {
    case let .exactly(json): Self.difference(from: Node(json: json), to: node)
    case let .mapping(members): Self.compare(node, with: members, .complete, &bindings)
    case let .list(patterns):
      Self.compare(node, with: Self.members(patterns), .complete, &bindings)
    case let .subset(members): Self.compare(node, with: members, .partial, &bindings)
    case let .unordered(patterns): unordered(node, patterns, &bindings)
    case let .each(pattern): each(node, pattern, &bindings)
    case let .oneOf(patterns):
      patterns.contains { $0.mismatch(with: node, bindings: &bindings) == nil }
        ? nil : unlike(node)
    case let .not(pattern): negation(of: pattern, node, bindings)
    case let .bind(name): bind(name, to: node, &bindings)
    case let .ref(name): reference(name, node, bindings)
    case let .all(patterns): Self.firstMismatch(of: patterns, with: node, &bindings)
    case .any: nil
    case let .type(type): type.holds(node) ? nil : unlike(node)
    case let .gte(bound): number(node) { $0 >= bound }
    case let .lte(bound): number(node) { $0 <= bound }
    case let .approx(center, tolerance): number(node) { abs($0 - center) <= tolerance }
    case .serverTime: number(node) { Self.isTime($0, in: bindings.serverTimes) }
    case .pushID: Self.isPushID(node) ? nil : unlike(node)
    }
  }

  private func unlike(_ node: Node) -> PatternMismatch {
    PatternMismatch(expected: phrase, observed: node)
  }

  /// What the pattern wants, in the words of a sentence.
  private var phrase: String {
    switch self {
    case .pushID: "a push id"
    case .serverTime: "a time by the server's clock"
    case let .type(type): type.phrase
    case let .gte(bound): "a number >= \(canonicalText(of: bound))"
    case let .lte(bound): "a number <= \(canonicalText(of: bound))"
    case let .approx(center, tolerance):
      "\(canonicalText(of: center)) within \(canonicalText(of: tolerance))"
    case let .exactly(value): PatternMismatch.shown(Node(json: value))
    case .any, .mapping, .list, .subset, .unordered, .each, .oneOf, .not, .bind, .ref, .all:
      description
    }
  }

  private func number(_ node: Node, where holds: (Double) -> Bool) -> PatternMismatch? {
    guard case let .number(number)? = node.scalar, holds(number) else { return unlike(node) }
    return nil
  }

  private func negation(of pattern: Pattern, _ node: Node, _ bindings: Bindings) -> PatternMismatch?
  {
    var scratch = bindings
    guard pattern.mismatch(with: node, bindings: &scratch) == nil else { return nil }
    return PatternMismatch(expected: "anything but \(pattern.phrase)", observed: node)
  }

  private func bind(_ name: String, to node: Node, _ bindings: inout Bindings) -> PatternMismatch? {
    if bindings.values[name] != nil { return reference(name, node, bindings) }
    bindings.values[name] = node
    return nil
  }

  private func reference(_ name: String, _ node: Node, _ bindings: Bindings) -> PatternMismatch? {
    guard let bound = bindings.values[name] else {
      return PatternMismatch(
        expected: "the value named \(name), which nothing has yet", observed: node)
    }
    guard bound != node else { return nil }
    return PatternMismatch(
      expected: "\(PatternMismatch.shown(bound)) (named \(name))", observed: node)
  }

  private static func firstMismatch(
    of patterns: [Pattern], with node: Node, _ bindings: inout Bindings
  ) -> PatternMismatch? {
    for pattern in patterns {
      if let mismatch = pattern.compare(node, &bindings) { return mismatch }
    }
    return nil
  }
}

extension Pattern {
  private enum Completeness {
    /// What is not listed must be missing.
    case complete
    case partial
  }

  private static func compare(
    _ node: Node, with members: [Member], _ completeness: Completeness,
    _ bindings: inout Bindings
  ) -> PatternMismatch? {
    for member in members {
      let part = part(of: node, named: member.name)
      if let mismatch = member.pattern.compare(part, &bindings) {
        return mismatch.below(Key(member.name))
      }
    }
    guard completeness == .complete else { return nil }
    let listed = Set(members.map { Key($0.name) })
    if node.isScalar && !listed.contains(".value") {
      return PatternMismatch(expected: "a mapping", observed: node)
    }
    if let priority = node.priority, !listed.contains(.priority) {
      return PatternMismatch(expected: "nothing", observed: Node(priority)).below(.priority)
    }
    let extra = node.children.first { !listed.contains($0.key) }
    return extra.map { PatternMismatch(expected: "nothing", observed: $0.node).below($0.key) }
  }

  /// An array is a mapping from indices (VAL-5).
  private static func members(_ patterns: [Pattern]) -> [Member] {
    patterns.enumerated().map { Member(String($0.offset), $0.element) }
  }

  private static func part(of node: Node, named name: String) -> Node {
    guard name == ".value" else { return node[Key(name)] }
    return node.scalar.map { Node($0) } ?? .empty
  }

  private func each(
    _ node: Node, _ pattern: Pattern, _ bindings: inout Bindings
  ) -> PatternMismatch? {
    guard !node.children.isEmpty else {
      return PatternMismatch(expected: "children", observed: node)
    }
    for entry in node.children {
      if let mismatch = pattern.compare(entry.node, &bindings) { return mismatch.below(entry.key) }
    }
    return nil
  }

  private func unordered(
    _ node: Node, _ patterns: [Pattern], _ bindings: inout Bindings
  ) -> PatternMismatch? {
    let values = node.children.map(\.node)
    guard values.count == patterns.count, !node.isScalar else {
      let count = patterns.count == 1 ? "1 child" : "\(patterns.count) children"
      return PatternMismatch(expected: count, observed: node)
    }
    let fits = Self.assign(patterns[...], to: values, &bindings) { $0.compare($1, &$2) == nil }
    return fits ? nil : unlike(node)
  }

  /// Whether each pattern can have a value of its own. Backtracks, because the first value that
  /// fits one pattern may be the only one that fits another.
  static func assign<Value>(
    _ patterns: ArraySlice<Pattern>, to values: [Value], _ bindings: inout Bindings,
    fits: (Pattern, Value, inout Bindings) -> Bool
  ) -> Bool {
    guard let pattern = patterns.first else { return true }
    for index in values.indices {
      var attempt = bindings
      guard fits(pattern, values[index], &attempt) else { continue }
      var rest = values
      rest.remove(at: index)
      if assign(patterns.dropFirst(), to: rest, &attempt, fits: fits) {
        bindings = attempt
        return true
      }
    }
    return false
  }

  /// The first location at which two trees differ.
  private static func difference(from expected: Node, to observed: Node) -> PatternMismatch? {
    guard expected != observed else { return nil }
    guard !expected.children.isEmpty, !observed.children.isEmpty else {
      return PatternMismatch(expected: PatternMismatch.shown(expected), observed: observed)
    }
    if expected.priority != observed.priority {
      let priorities = [expected, observed].map { $0[.priority] }
      return PatternMismatch(
        expected: PatternMismatch.shown(priorities[0]), observed: priorities[1]
      )
      .below(.priority)
    }
    let difference = observed.children.differences(from: expected.children).first
    return difference.flatMap {
      Self.difference(from: $0.old, to: $0.new)?.below($0.key)
    }
  }
}

extension Pattern {
  private static func isTime(_ number: Double, in ranges: [ClosedRange<Double>]?) -> Bool {
    guard number > 0, number == number.rounded() else { return false }
    return ranges?.contains { $0.contains(number) } ?? true
  }

  private static func isPushID(_ node: Node) -> Bool {
    guard case let .string(text)? = node.scalar, node.priority == nil else { return false }
    let bytes = text.string.utf8
    return bytes.count == 20
      && bytes.allSatisfy { $0.isLetterOrDigit || "-_".utf8.contains($0) }
  }
}

extension Pattern.ValueType {
  /// Its name, which needs no quotes in a file: that of null is null.
  fileprivate var json: JSON { self == .null ? .null : .string(rawValue) }

  fileprivate var phrase: String {
    switch self {
    case .null: "nothing"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .mapping: "a mapping"
    }
  }

  fileprivate func holds(_ node: Node) -> Bool {
    switch node.scalar {
    case nil: node.isEmpty ? self == .null : self == .mapping
    case .bool?: self == .boolean
    case .number?: self == .number
    case .string?: self == .string
    case .serverValue?: false
    }
  }
}

extension Pattern: CustomStringConvertible {
  /// The pattern as a scenario file writes it, in JSON.
  public var json: JSON {
    switch self {
    case let .exactly(value): value
    case let .mapping(members): Self.json(of: members)
    case let .list(patterns): .array(patterns.map(\.json))
    case .any: "$any"
    case .pushID: "$pushId"
    case .serverTime: "$serverTime"
    case let .type(type): ["$type": type.json]
    case let .oneOf(patterns):
      Self.types(patterns).map { ["$type": .array($0)] }
        ?? ["$oneOf": .array(patterns.map(\.json))]
    case let .not(pattern): ["$not": pattern.json]
    case let .subset(members): ["$subset": Self.json(of: members)]
    case let .unordered(patterns): ["$unordered": .array(patterns.map(\.json))]
    case let .each(pattern): ["$each": pattern.json]
    case let .gte(bound): ["$gte": .number(bound)]
    case let .lte(bound): ["$lte": .number(bound)]
    case let .approx(center, tolerance):
      ["$approx": ["value": .number(center), "tolerance": .number(tolerance)]]
    case let .bind(name): ["$bind": .string(name)]
    case let .ref(name): ["$ref": .string(name)]
    case let .all(patterns):
      .object(
        patterns.flatMap { pattern in
          let json = pattern.json
          return json.members ?? json.string.map { [JSON.Member($0, .null)] } ?? []
        })
    }
  }

  public var description: String { json.text }

  /// The names of the types, where there is nothing but types.
  private static func types(_ patterns: [Pattern]) -> [JSON]? {
    let types = patterns.compactMap { pattern -> JSON? in
      if case let .type(type) = pattern { type.json } else { nil }
    }
    return types.count == patterns.count ? types : nil
  }

  private static func json(of members: [Member]) -> JSON {
    .object(members.map { JSON.Member($0.name, $0.pattern.json) })
  }
}
