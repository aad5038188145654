public import Tree

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
