public import Tree
package import Wire

extension Request {
  /// Whether the request is of a kind and at a location that the rule is about.
  package func touches(_ rule: SecurityRule) -> Bool {
    let paths: [Path]
    let access: SecurityRule.Access
    switch self {
    case let .listen(listen): (paths, access) = ([listen.path], .read)
    case let .get(path, _): (paths, access) = ([path], .read)
    case let .put(path, _, _), let .onDisconnectPut(path, _): (paths, access) = ([path], .write)
    case let .merge(path, assignments, _), let .onDisconnectMerge(path, assignments):
      (paths, access) = ([path] + assignments.map { path.appending($0.path) }, .write)
    case .unlisten, .onDisconnectCancel, .stats, .authenticate, .unauthenticate: return false
    }
    return rule.deny.contains(access) && paths.contains { $0.starts(with: rule.path) }
  }

  /// Whether the server fills in the time when it does what is asked.
  package var holdsTimestamp: Bool {
    switch self {
    case let .put(_, node, _): node.holdsTimestamp
    case let .merge(_, assignments, _): assignments.contains { $0.node.holdsTimestamp }
    case .listen, .get, .unlisten, .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel,
      .stats, .authenticate, .unauthenticate:
      false
    }
  }
}

extension Node {
  /// Whether the time is to be filled in somewhere in it.
  public var holdsTimestamp: Bool {
    if case .serverValue(.timestamp)? = scalar { return true }
    if case .serverValue(.timestamp)? = priority { return true }
    return children.contains { $0.node.holdsTimestamp }
  }
}
