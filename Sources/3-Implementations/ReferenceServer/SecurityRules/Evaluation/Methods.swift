internal import Tree

extension RuleSnapshot {
  /// What a method of data gives.
  func call(_ method: Method, _ argument: RuleValue?) throws(EvaluationFailure) -> RuleValue {
    switch method {
    case .val: return node.scalar == nil && !node.isEmpty ? .branch : RuleValue(node.scalar)
    case .child: return .snapshot(child(at: try Self.text(argument)))
    case .parent:
      guard let parent = path.parent else { throw EvaluationFailure() }
      return .snapshot(RuleSnapshot(root: root, path: parent))
    case .hasChild: return .bool(!child(at: try Self.text(argument)).node.isEmpty)
    case .hasChildren:
      guard case let .list(names)? = argument else {
        return .bool(!node.isEmpty && node.scalar == nil)
      }
      return .bool(!names.isEmpty && names.allSatisfy { !child(at: $0).node.isEmpty })
    case .exists: return .bool(!node.isEmpty)
    case .getPriority: return RuleValue(node.priority)
    case .isNumber: return .bool(RuleValue(node.scalar).type == .number)
    case .isString: return .bool(RuleValue(node.scalar).type == .string)
    case .isBoolean: return .bool(RuleValue(node.scalar).type == .boolean)
    case .contains, .beginsWith, .endsWith, .replace, .toLowerCase, .toUpperCase, .matches:
      throw EvaluationFailure()
    }
  }

  private func child(at text: String) -> RuleSnapshot {
    RuleSnapshot(root: root, path: path.appending(Path(text)))
  }

  private static func text(_ value: RuleValue?) throws(EvaluationFailure) -> String {
    guard case let .string(text)? = value else { throw EvaluationFailure() }
    return text
  }
}

extension String {
  /// What a method of a text gives.
  func call(
    _ method: Method, _ first: RuleValue?, _ last: RuleValue?
  ) throws(EvaluationFailure) -> RuleValue {
    switch method {
    case .toLowerCase: return .string(lowercased())
    case .toUpperCase: return .string(uppercased())
    default: break
    }
    guard case let .string(other)? = first else { throw EvaluationFailure() }
    switch method {
    case .contains: return .bool(Array(utf8).position(of: Array(other.utf8), from: 0) != nil)
    case .beginsWith: return .bool(utf8.starts(with: other.utf8))
    case .endsWith: return .bool(utf8.reversed().starts(with: other.utf8.reversed()))
    case .replace:
      guard case let .string(replacement)? = last else { throw EvaluationFailure() }
      return .string(replacing(Array(other.utf8), with: Array(replacement.utf8)))
    default: throw EvaluationFailure()
    }
  }

  /// Every occurrence is replaced; nothing is, where nothing is looked for.
  private func replacing(_ part: [UInt8], with replacement: [UInt8]) -> String {
    if part.isEmpty { return self }
    let bytes = Array(utf8)
    var (result, start): ([UInt8], Int) = ([], 0)
    while let found = bytes.position(of: part, from: start) {
      result += bytes[start..<found] + replacement
      start = found + part.count
    }
    return String(decoding: result + bytes[start...], as: UTF8.self)
  }
}

extension [UInt8] {
  /// Where `part` occurs, at `start` or later.
  fileprivate func position(of part: [UInt8], from start: Int) -> Int? {
    guard count >= part.count, start <= count - part.count else { return nil }
    return (start...(count - part.count)).first { self[$0...].starts(with: part) }
  }
}
