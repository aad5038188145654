public import Tree

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
      && bytes.allSatisfy {
        switch $0 {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}

extension Pattern.ValueType {
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
