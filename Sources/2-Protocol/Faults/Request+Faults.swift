public import Tree
package import Wire

extension Request {
  /// What it needs the permission for; `nil` for what no rule is about.
  package var access: SecurityRule.Access? {
    switch self {
    case .listen, .get: .read
    case .put, .merge, .onDisconnectPut, .onDisconnectMerge: .write
    case .unlisten, .onDisconnectCancel, .stats, .authenticate, .unauthenticate: nil
    }
  }

  /// Whether the request is of a kind and at a location that the rule is about.
  package func touches(_ rule: SecurityRule) -> Bool {
    guard let path, let access, rule.deny.contains(access) else { return false }
    switch self {
    case let .merge(_, assignments, _), let .onDisconnectMerge(_, assignments):
      let below = assignments.map { path.appending($0.path) }
      return ([path] + below).contains { $0.starts(with: rule.path) }
    default: return path.starts(with: rule.path)
    }
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
