package import ClientInterface
package import Tree
package import Wire

/// A plain write that an application made.
package struct PlainWrite {
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

  /// The write that a call makes; `nil` for calls that are none, for an update of nothing, and for a
  /// push of nothing, which only makes a key.
  /// `key` is what a push was answered with.
  package init?(_ operation: Operation, as call: CallID, number: Int, key: JSON?) {
    var form = Form.put
    switch operation {
    case let .set(path, node): (self.path, sets) = (path, [(path, node.stored)])
    case let .remove(path): (self.path, sets) = (path, [(path, .empty)])
    case let .setPriority(path, priority):
      self.path = path.appending(.priority)
      sets = [(self.path, Node(json: priority))]
    case let .update(path, assignments):
      guard !assignments.isEmpty else { return nil }
      (self.path, form) = (path, .merge)
      sets = assignments.sets(below: path)
    case let .push(path, node):
      guard let node, !node.isEmpty, let key = key?.string else { return nil }
      self.path = path.appending(Key(key))
      sets = [(self.path, node)]
    default: return nil
    }
    self.call = call
    self.operation = operation
    self.number = number
    self.form = form
    hasServerValues = sets.contains { $0.node.hasServerValues }
  }
}

extension ClientStep {
  /// The plain write that the application made with the input; `nil` where the client refused it.
  var plainWrite: PlainWrite? {
    guard case let .call(call, operation) = input, !isRefusal else { return nil }
    return PlainWrite(operation, as: call, number: sequence, key: answer)
  }
}

extension PlainWrite {
  /// Whether this is what a request asks of the server.
  package func isCarried(by request: Request) -> Bool {
    switch (form, request) {
    case let (.put, .put(path, node, nil)): path == self.path && node == sets.first?.node
    case let (.merge, .merge(path, assignments, nil)):
      // In any order: it says nothing, and JavaScript puts names that look like indexes first.
      path == self.path && assignments.count == sets.count
        && assignments.allSatisfy { assignment in
          let location = path.appending(assignment.path)
          return sets.contains { $0.path == location && $0.node == assignment.node }
        }
    default: false
    }
  }

  /// Whether it can be seen at a location.
  @inlinable package func reaches(_ location: Path) -> Bool {
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
