internal import Scenario
internal import Tree

extension ShrinkSearch {
  /// Removes each part once by itself.
  ///
  /// - Returns: Whether the failure was another one, or none, each time. A removal that leaves the
  ///   failure as it is stays removed.
  mutating func prove() -> Bool {
    let before = text
    withLongTimeout { search in
      for element in search.current.elements.reversed() {
        search.attempt(search.current.without([element]))
      }
      search.dropClients()
      search.simplifySetup()
      search.dropData()
    }
    return text == before && !isSpent
  }

  /// Leaves out each child of the data once, from the deepest up.
  mutating func dropData() {
    for path in current.data.paths.reversed() where !current.data[path].isEmpty {
      _ = attempt { $0.data = $0.data.setting(.empty, at: path) }
    }
  }
}

extension Node {
  /// Every location below this one that has something, in order.
  fileprivate var paths: [Path] {
    children.flatMap { child -> [Path] in
      let own = Path([child.key])
      return [own] + child.node.paths.map { own.appending($0) }
    }
  }
}
