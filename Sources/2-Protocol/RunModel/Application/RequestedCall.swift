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

extension [RequestedCall] {
  /// Whether a call is a plain write that a request carries.
  func isWrite(at index: Int, carriedBy request: Request) -> Bool {
    self[index].write?.isCarried(by: request) ?? false
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

/// A plain write that an application made: one object, because all that it concerns has it.
package final class PlainWrite: Sendable {
  package let call: CallID
  package let operation: Operation
  /// Counts up in the order of the calls.
  package let number: Int
  package let path: Path
  /// What it sets, by absolute path.
  package let sets: [(path: Path, node: Node)]
  /// Whether a request of this form carries it.
  package let form: Form
  /// Whether the server fills something in, so that it is unknown what is shown.
  package let hasServerValues: Bool

  package enum Form {
    case put
    case merge
  }

  fileprivate init(
    _ operation: Operation, as call: CallID, number: Int, _ path: Path, _ form: Form,
    _ sets: [(path: Path, node: Node)]
  ) {
    (self.call, self.operation, self.number) = (call, operation, number)
    (self.path, self.form, self.sets) = (path, form, sets)
    hasServerValues = sets.contains { $0.node.hasServerValues }
  }
}

extension Operation {
  /// The write that a call makes; `nil` for calls that are none, for an update of nothing, and for a
  /// push of nothing, which only makes a key.
  /// `key` is what a push was answered with.
  func plainWrite(as call: CallID, number: Int, key: JSON?) -> PlainWrite? {
    func put(_ node: Node, at path: Path) -> PlainWrite {
      PlainWrite(self, as: call, number: number, path, .put, [(path, node)])
    }
    switch self {
    case let .set(path, node): return put(node.stored, at: path)
    case let .remove(path): return put(.empty, at: path)
    case let .setPriority(path, priority):
      return put(Node(json: priority), at: path.appending(.priority))
    case let .update(path, assignments):
      if assignments.isEmpty { return nil }
      return PlainWrite(
        self, as: call, number: number, path, .merge, assignments.sets(below: path))
    case let .push(path, node):
      guard let node, !node.isEmpty, let key = key?.string else { return nil }
      return put(node, at: path.appending(Key(key)))
    default: return nil
    }
  }
}

extension PlainWrite {
  /// Whether this is what a request asks of the server.
  package func isCarried(by request: Request) -> Bool {
    switch request {
    case let .put(path, node, nil):
      form == .put && path == self.path && node == sets.first?.node
    case let .merge(path, assignments, nil):
      // In any order: it says nothing, and JavaScript puts names that look like indexes first.
      form == .merge && path == self.path && assignments.count == sets.count
        && assignments.allSatisfy { assignment in
          let location = path.appending(assignment.path)
          return sets.contains { $0.path == location && $0.node == assignment.node }
        }
    default: false
    }
  }

  /// Whether it can be seen at a location.
  package func reaches(_ location: Path) -> Bool {
    sets.contains { $0.path.isRelated(to: location) }
  }
}

extension Request {
  /// Whether it writes nothing at a new key below one of these paths, which is no write.
  func isEmptyPush(at paths: [Path]) -> Bool {
    guard !paths.isEmpty, case let .put(path, node, nil) = self, node.isEmpty,
      let parent = path.parent
    else { return false }
    return paths.contains(parent)
  }
}

extension [(path: Path, node: Node)] {
  /// What these writes make of `node`, which stands at `location`.
  package func applied(to node: Node, at location: Path) -> Node {
    reduce(node) { node, set in
      if let below = set.path.relative(to: location) { return node.setting(set.node, at: below) }
      if let below = location.relative(to: set.path) { return set.node[below] }
      return node
    }
  }
}
