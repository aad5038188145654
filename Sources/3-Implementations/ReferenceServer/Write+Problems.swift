package import Tree
package import Wire

// What the database cannot store although the protocol has words for it.

extension ReferenceServer.Write {
  /// Whether it is still to be found out that paths and data can be stored.
  package enum Check {
    case due, passed
  }

  /// What a request writes at once; `nil` if it writes nothing.
  package init?(_ request: Request) {
    switch request {
    case let .put(path, node, _): self = .put(path, node)
    case let .merge(path, assignments, _): self = .merge(path, assignments)
    default: return nil
    }
  }

  /// About how many bytes of JSON it writes.
  package var byteCount: Int {
    switch self {
    case let .put(_, node): node.byteCount()
    case let .merge(_, assignments): assignments.byteCount()
    }
  }

  /// Why it cannot be done; `nil` when it can.
  package func problem(_ check: Check = .due) -> String? {
    switch self {
    case let .put(path, node): check == .passed ? nil : Self.problem(of: node, at: path)
    case let .merge(path, assignments): Self.problem(of: assignments, check, at: path)
    }
  }

  private static func problem(of node: Node, at path: Path) -> String? {
    if let problem = path.storageProblem { return problem }
    if path.key == .priority {
      guard node.isEmpty || node.scalar?.isPriority == true else {
        return "the priority at \(path) is no number and no string"
      }
    }
    return NodeProblem.first(in: node, at: path)?.description
  }

  private static func problem(
    of assignments: [Assignment], _ check: Check, at path: Path
  ) -> String? {
    for assignment in assignments where check == .due {
      let location = path.appending(assignment.path)
      if let problem = problem(of: assignment.node, at: location) { return problem }
    }
    let paths = assignments.map(\.path).sorted()
    for (first, second) in zip(paths, paths.dropFirst()) where second.starts(with: first) {
      return "\(first) and \(second) are written in one update, and one is inside the other"
    }
    return nil
  }
}

extension Path {
  /// What is wrong with it as a location; the last key may be that of a priority.
  package var storageProblem: String? {
    let location = key == .priority ? parent ?? self : self
    if location.keys.first == .info { return "\(self) is of the client and never sent" }
    return location.problem?.description
  }
}
