package import ClientInterface
package import Tree
package import Wire

/// A plain write or a transaction that an application asked for, and what the server made of it.
package struct RequestedCall {
  package let call: CallID
  package let operation: Operation
  package let content: Content
  package let path: Path
  /// How many sign-ins and sign-outs the client was asked for before.
  let credentials: Int
  package internal(set) var acceptance = Acceptance.none
  /// The connection over which the server accepted it; `nil` where that is not certain.
  var connection: Int?
  /// Whether its end was reported, or it ended with its process.
  package internal(set) var hasEnded = false
  /// What the function of a transaction was given, run by run.
  package internal(set) var inputs: [JSON] = []

  package enum Content {
    case write(PlainWrite)
    case transaction(TransactionFunction, Operation.LocalEvents)
  }

  /// Whether the server has accepted it.
  package enum Acceptance {
    case none
    /// It may have been part of what the server accepted.
    case possible
    case certain
  }

  /// The plain write; `nil` for a transaction.
  package var write: PlainWrite? {
    if case let .write(write) = content { write } else { nil }
  }

  /// Whether it is a plain write that a request carries. First what takes no copy of the write: a
  /// request carries writes of its own location only.
  func isWrite(carriedBy request: Request) -> Bool {
    path == request.path && write?.isCarried(by: request) ?? false
  }

  package var isTransaction: Bool { if case .transaction = content { true } else { false } }

  /// What another call says about the same data.
  func isRelated(to other: RequestedCall) -> Bool {
    write?.reaches(other.path) ?? other.write?.reaches(path) ?? path.isRelated(to: other.path)
  }

  /// What its function makes of `node`; `nil` when it gives up, and for a plain write.
  package func result(on node: Node, _ arrays: ArrayReading) -> Node? {
    guard case let .transaction(function, _) = content,
      case let .returned(json) = function(node.plainJSON(arrays))
    else { return nil }
    let new = Node(json: json)
    // TXN-20: the result keeps the priority of the path unless it names one.
    return json[".priority"] == nil ? new.settingPriority(node.priority) : new
  }

  /// Whether it may give data a priority.
  package var mayGivePriorities: Bool {
    guard let write else { return result(on: .empty, .moreThanHalf)?.hasPriorities ?? false }
    return write.sets.contains { $0.path.key == .priority || $0.node.hasPriorities }
  }
}

extension Operation {
  /// Whether it is an on-disconnect request that may give data a priority.
  package var givesPrioritiesAtTheEnd: Bool {
    switch onDisconnectRequest {
    case let .onDisconnectPut(_, node): node.hasPriorities
    case let .onDisconnectMerge(_, assignments):
      assignments.contains { $0.path.key == .priority || $0.node.hasPriorities }
    default: false
    }
  }

  /// Whether this call about disconnection is what a request asks of the server.
  func isCarried(by request: Request) -> Bool {
    guard let asked = onDisconnectRequest else { return false }
    guard case let .onDisconnectMerge(path, assignments) = asked,
      case let .onDisconnectMerge(sentPath, data) = request
    else { return asked == request }
    return path == sentPath && assignments.count == data.count
      && data.allSatisfy(assignments.contains)
  }
}

extension Node {
  /// Whether it or anything below it has a priority.
  ///
  /// - Complexity: O(size).
  package var hasPriorities: Bool {
    priority != nil || children.contains { $0.node.hasPriorities }
  }
}

extension Request {
  /// Whether it is a write that carries no condition.
  package var isPlainWrite: Bool {
    switch self {
    case .put(_, _, nil): true
    case let .merge(_, assignments, nil): !assignments.isEmpty
    case .put, .merge, .listen, .unlisten, .get, .onDisconnectPut, .onDisconnectMerge,
      .onDisconnectCancel, .stats, .authenticate, .unauthenticate:
      false
    }
  }
}
