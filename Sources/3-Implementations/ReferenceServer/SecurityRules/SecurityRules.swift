public import Tree

/// Rules of the database in their documented form: who may read and write where, what data must
/// look like, and what is indexed.
///
/// A value without a clock: who asks, and when, is handed in (SEC-1).
public struct SecurityRules: Sendable {
  /// The rules as they were written, `{"rules": …}`.
  public let json: JSON
  let root: RuleNode

  init(_ json: JSON, root: RuleNode) {
    self.json = json
    self.root = root
  }

  /// Whether a location may be read whole, or what a query of it finds (SEC-2).
  ///
  /// - Complexity: O(*d*) rules for a path of *d* keys.
  public func allowRead(
    of path: Path, _ query: Query?, in tree: Node, for request: RuleRequest
  ) -> Bool {
    let context = RuleContext(
      auth: request.auth, now: request.time, tree: tree, newTree: nil, query: query)
    var isAllowed = false
    visit(path, context) { node, context in
      isAllowed = isAllowed || node.rules.read?.holds(in: context) == true
    }
    return isAllowed
  }

  /// Whether data may become what they would be (SEC-3, SEC-4).
  ///
  /// - Parameters:
  ///   - paths: The locations that are overwritten; priorities count as their nodes.
  ///   - tree: What is stored.
  ///   - newTree: What would be stored.
  ///   - request: Who asks.
  /// - Returns: Whether every location may be written, and everything that is written is valid.
  /// - Complexity: O(*n*) in what is written below locations that have rules.
  public func allowWrite(
    to paths: [Path], from tree: Node, to newTree: Node, for request: RuleRequest
  ) -> Bool {
    let context = RuleContext(
      auth: request.auth, now: request.time, tree: tree, newTree: newTree, query: nil)
    return paths.allSatisfy { path in
      let path = path.key == .priority ? path.parent ?? path : path
      var (isAllowed, isValid) = (false, true)
      let last = visit(path, context) { node, context in
        isAllowed = isAllowed || node.rules.write?.holds(in: context) == true
        isValid = isValid && Self.isValid(node, context, newTree)
      }
      guard isAllowed, isValid else { return false }
      guard let last else { return true }
      return Self.areValid(below: last.node, last.context, newTree[path])
    }
  }

  /// Whether the children of a location are indexed for a query's order (SEC-6).
  public func isIndexed(_ path: Path, by ordering: Query.Ordering) -> Bool {
    let name: String
    switch ordering {
    case .key, .priority: return true
    case .value: name = ".value"
    case let .child(path): name = path.relativeText
    }
    let context = RuleContext(auth: .null, now: 0, tree: .empty, newTree: nil, query: nil)
    return visit(path, context) { _, _ in }?.node.indexes.contains(name) ?? false
  }
}

extension SecurityRules {
  /// Visits the rules of every location from the root down to `path`.
  ///
  /// - Returns: The rules at `path`; `nil` where there are none.
  @discardableResult
  private func visit(
    _ path: Path, _ context: RuleContext, _ body: (RuleNode, RuleContext) -> Void
  ) -> (node: RuleNode, context: RuleContext)? {
    var (node, context) = (root, context)
    body(node, context)
    for key in path.keys {
      guard let child = node.child(key) else { return nil }
      context = context.moved(to: key, called: child.name)
      node = child.node
      body(node, context)
    }
    return (node, context)
  }

  /// Whether the data at a location are as its rule wants them. Nothing needs no permission.
  private static func isValid(_ node: RuleNode, _ context: RuleContext, _ newTree: Node) -> Bool {
    guard let rule = node.rules.validate, !newTree[context.path].isEmpty else { return true }
    return rule.holds(in: context)
  }

  /// Whether everything below a location is as its rules want it; `data` is what is there.
  private static func areValid(
    below node: RuleNode, _ context: RuleContext, _ data: Node
  ) -> Bool {
    if node.children.isEmpty, case .none = node.others { return true }
    for entry in data.children {
      guard let child = node.child(entry.key) else { continue }
      let inner = context.moved(to: entry.key, called: child.name)
      if let rule = child.node.rules.validate, !rule.holds(in: inner) { return false }
      guard areValid(below: child.node, inner, entry.node) else { return false }
    }
    return true
  }
}
