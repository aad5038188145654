internal import ClientInterface
internal import Tree
internal import Wire

extension Node {
  /// The values that people take when any will do. Several, since two writes often must differ.
  private static let usual: [Node] = [Node(1), Node(2), Node(3)]

  /// Simpler values, the simplest first; none for a usual one but those before it.
  var simpler: [Node] {
    if isEmpty { return [] }
    let before = Self.usual.prefix { $0 != self }
    if before.count < Self.usual.count { return Array(before) }
    let plain = priority == nil ? [] : [settingPriority(nil)]
    return Self.usual + plain + simplerParts + simplerPriority
  }

  /// With fewer children or simpler ones.
  var simplerParts: [Node] {
    let fewer = children.map { setting(.empty, at: $0.key) }.filter { !$0.isEmpty }
    let smaller = children.flatMap { child in
      child.node.simpler.map { setting($0, at: child.key) }
    }
    return fewer + smaller
  }

  private var simplerPriority: [Node] {
    priority == nil || priority == 1 ? [] : [settingPriority(1)]
  }
}

extension [Assignment] {
  /// Fewer parts, and parts with simpler values.
  var simpler: [[Assignment]] {
    var result: [[Assignment]] = []
    if count > 1 {
      for index in indices {
        var copy = self
        copy.remove(at: index)
        result.append(copy)
      }
    }
    for index in indices {
      for node in self[index].node.simpler {
        var copy = self
        copy[index].node = node
        result.append(copy)
      }
      for path in self[index].path.shorter {
        var copy = self
        copy[index].path = path
        result.append(copy)
      }
    }
    return result
  }
}

extension Path {
  /// The location above, where that is not the root.
  var shorter: [Path] { count > 1 && keys.first != ".info" ? [Path(Array(keys.dropLast()))] : [] }
}

extension TransactionFunction {
  var simpler: [TransactionFunction] {
    switch kind.argument {
    case .number: self == .increment(1) ? [] : [.increment(1)]
    case .none: [.increment(1)]
    case .value: Node(json: argument).simpler.map { .init(kind, $0.json) }
    case .children:
      Node(json: argument).simplerParts.map(\.json).filter { $0.members != nil }
        .map { .init(kind, $0) }
    }
  }
}
