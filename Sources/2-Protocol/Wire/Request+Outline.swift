internal import Tree

extension Request {
  /// The request without what a client is free in: tags, and hashes but for whether there is one.
  package var outline: Request {
    switch self {
    case let .listen(listen):
      var query = listen.query
      query?.reach = .acrossKinds
      return .listen(.init(path: listen.path, query: query))
    case let .put(path, node, hash): return .put(path, node, hash: hash.map { _ in "" })
    case let .merge(path, assignments, hash):
      return .merge(
        path, assignments.sorted { $0.path < $1.path }, hash: hash.map { _ in "" })
    case let .onDisconnectMerge(path, assignments):
      return .onDisconnectMerge(path, assignments.sorted { $0.path < $1.path })
    case let .unlisten(path, query, _):
      var query = query
      query?.reach = .acrossKinds
      return .unlisten(path, query: query, tag: nil)
    case .onDisconnectPut, .onDisconnectCancel, .get, .stats, .authenticate,
      .unauthenticate:
      return self
    }
  }

  /// Whether both are conditional writes at one location: what they write depends on when they are
  /// sent.
  package func isSameTransaction(as other: Request) -> Bool {
    guard case let .put(path, _, _?) = self, case let .put(otherPath, _, _?) = other else {
      return false
    }
    return path == otherPath
  }
}
