internal import ClientInterface
internal import Tree

extension ReferenceClient {
  /// Begins or ends to hold a listen that no listener needs (OFF-17).
  ///
  /// Calls are not counted: the last one decides (OFF-27). There is nothing to hold below `.info`.
  mutating func keepSynced(
    _ target: Operation.Target, _ synchronization: Operation.Synchronization
  ) {
    if target.path.keys.first == .info { return }
    let index = synchronized.firstIndex { $0.target == target }
    switch (synchronization, index) {
    case (.on, nil):
      let token = registerAndListen(nil, target, [], .lasting).token
      synchronized.append((target, token))
    case let (.off, index?): stopWatching(synchronized.remove(at: index).token)
    case (.on, _?), (.off, nil): break
    }
  }

  /// The server will not serve a location, or one query there: nothing holds its listen any more.
  mutating func forgetSynchronization(at path: Path, _ query: Query?) {
    synchronized.removeAll {
      $0.target.path == path && (query == nil || $0.target.query == query)
    }
  }
}
