extension Node {
  /// This node with every placeholder replaced by what it stands for.
  ///
  /// Time is in milliseconds since 1970; increments add to what is stored at the location.
  ///
  /// - Complexity: O(*n*) in what is written, whatever is stored.
  package func resolved(time: Double, over stored: Node) -> Node {
    guard hasServerValues else { return self }
    let priority = priority?.resolved(time: time, current: stored.priority)
    if let scalar {
      return Node(scalar.resolved(time: time, current: stored.scalar), priority: priority)
    }
    let children = children.map { ($0.key, $0.node.resolved(time: time, over: stored[$0.key])) }
    return Node(Children(children), priority: priority)
  }
}

extension Scalar {
  fileprivate func resolved(time: Double, current: Scalar?) -> Scalar {
    guard case let .serverValue(value) = self else { return self }
    return value.resolved(time: time, current: current)
  }
}
