package import ClientInterface
internal import Tree
internal import Wire

/// Why a call is refused before anything is done (ERR-3).
package struct Refusal: Error {
  package let code: ErrorCode
  /// What is wrong, in words.
  package let reason: String?

  /// Whether no data can cause it, only a mistake in the code of the application.
  package let isMistake: Bool

  package init(code: ErrorCode, reason: String? = nil, isMistake: Bool = false) {
    (self.code, self.reason, self.isMistake) = (code, reason, isMistake)
  }

  /// Why an operation is refused whatever the state of the client; `nil` when it is not.
  package static func first(in operation: Operation) -> Refusal? {
    guard operation.kind != .unlisten, let path = operation.path else { return nil }
    if let problem = path.problem { return .invalidPath(problem.description) }
    var refusal = operation.kind.family == .listening ? nil : write(.empty, at: path)
    operation.forEachArgument { argument in
      switch argument {
      case let .query(query): refusal = self.query(query)
      case let .changes(changes): refusal = update(changes, at: path)
      case let .priority(priority): refusal = self.priority(priority, at: path)
      case let .function(function): refusal = write(function.constant, at: path)
      case let .value(value): refusal = write(value ?? .empty, at: path)
      case .listener, .path, .events, .event, .localEvents, .synchronization, .token, .inspection,
        .reaction:
        break
      }
    }
    return refusal
  }

  /// PRI-4: what is no scalar is no priority either.
  private static func priority(_ priority: JSON, at path: Path) -> Refusal? {
    guard priority == .null || Scalar(priority) != nil else {
      return .invalidValue("a priority is a number, a string, or nothing")
    }
    return write(Node(true, priority: Scalar(priority)), at: path)
  }

  private static func write(_ node: Node, at path: Path) -> Refusal? {
    if path.keys.first == .info { return .invalidPath("nothing can be written there") }
    guard let problem = NodeProblem.first(in: node, at: path) else { return nil }
    switch problem {
    case .priority, .key, .number: return .invalidValue(problem.description)
    case .path: return .invalidPath(problem.description)
    }
  }

  /// WRT-25: the names of an update are paths, and none may lie at or below another.
  private static func update(_ assignments: [Assignment], at path: Path) -> Refusal? {
    for (index, assignment) in assignments.enumerated() {
      if assignment.path.isRoot { return .invalidPath("a name of the update is empty") }
      if let refusal = part(assignment.node, at: path.appending(assignment.path)) { return refusal }
      let overlaps = assignments[..<index].contains { $0.path.isRelated(to: assignment.path) }
      if overlaps { return .invalidPath("\(assignment.path) and another name overlap") }
    }
    return write(.empty, at: path)
  }

  /// One part of an update. A name may end in `.priority`; what it sets is the priority.
  private static func part(_ node: Node, at path: Path) -> Refusal? {
    guard path.key == .priority, let owner = path.parent else {
      return path.problem.map { .invalidPath($0.description) } ?? write(node, at: path)
    }
    if let problem = owner.problem { return .invalidPath(problem.description) }
    if !node.children.isEmpty { return .invalidValue("a priority has no children") }
    return write(Node(true, priority: node.scalar), at: owner)
  }

  static func query(_ query: Query) -> Refusal? {
    if let limit = query.limit, limit.count < 1 {
      return .invalidQuery("a limit is a whole number of at least 1")
    }
    guard query.ordering == .key else { return nil }
    for bound in [query.start, query.end].compactMap({ $0 }) {
      guard case .string? = bound.value, bound.key == nil else {
        return .invalidQuery("a bound of keys is a string, with no key beside it")
      }
    }
    return nil
  }
}

extension Refusal {
  package static let invalidPath = Refusal(code: "invalid_path")
  package static let invalidValue = Refusal(code: "invalid_value")
  package static let invalidQuery = Refusal(code: "invalid_query")
  /// A condition of a query that it has already (ERR-4, ERR-13).
  package static let repeatedCondition = Refusal(
    code: "invalid_query", reason: "the query has such a condition already", isMistake: true)

  static func invalidPath(_ reason: String) -> Refusal {
    Refusal(code: "invalid_path", reason: reason)
  }

  static func invalidValue(_ reason: String) -> Refusal {
    Refusal(code: "invalid_value", reason: reason)
  }

  static func invalidQuery(_ reason: String) -> Refusal {
    Refusal(code: "invalid_query", reason: reason)
  }
  /// The client does not know the question.
  package static let unknownQuestion = Refusal(code: "not_supported")
  /// Nothing was handed to the application.
  package static let noSnapshot = Refusal(code: "no_snapshot")
}

extension TransactionFunction {
  /// What the function writes whatever it finds: seen to be wrong before it runs.
  fileprivate var constant: Node {
    switch kind.argument {
    case .number, .value, .children: Node(json: argument)
    case .none: .empty
    }
  }
}
