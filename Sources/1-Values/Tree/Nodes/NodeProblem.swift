/// Why the database would refuse to store a node.
public enum NodeProblem: Error, Hashable, Sendable {
  case key(KeyProblem, below: Path)
  case path(PathProblem)
  case priority(Scalar, at: Path)
  case number(at: Path)
}

extension NodeProblem: CustomStringConvertible {
  public var description: String {
    switch self {
    case let .key(problem, path): "below \(path): \(problem)"
    case let .path(problem): problem.description
    case let .priority(priority, path):
      "the priority \(priority.json) at \(path) is not allowed; a priority is a number, a string, a"
        + " server timestamp, or null"
    case let .number(path):
      "the number at \(path) is not finite; the database stores finite numbers only"
    }
  }

  /// The first thing that is wrong with writing `node` at `path`, in key order, or `nil`.
  ///
  /// - Complexity: O(*n*).
  public static func first(in node: Node, at path: Path) -> NodeProblem? {
    if let scalar = node.scalar, !scalar.isFinite { return .number(at: path) }
    if let priority = node.priority {
      if !priority.isPriority { return .priority(priority, at: path) }
      if !priority.isFinite { return .number(at: path.appending(.priority)) }
    }
    for entry in node.children {
      if let problem = entry.key.problem { return .key(problem, below: path) }
      let child = path.appending(entry.key)
      if let problem = child.problem { return .path(problem) }
      if let problem = first(in: entry.node, at: child) { return problem }
    }
    return nil
  }
}

extension Scalar {
  /// Whether this scalar can be a priority (PRI-4).
  public var isPriority: Bool {
    switch self {
    case .number, .string, .serverValue(.timestamp): true
    case .bool, .serverValue(.increment): false
    }
  }

  /// Whether this is not an infinite number, nor one that is not a number (ERR-3).
  var isFinite: Bool {
    switch self {
    case let .number(number), let .serverValue(.increment(number)): number.isFinite
    case .bool, .string, .serverValue(.timestamp): true
    }
  }
}
