public import Faults
public import Tree
internal import Wire

extension ReferenceServer {
  /// Adds a rule that holds from now on.
  ///
  /// Listens that are in place stay; see `revoke`.
  public mutating func deny(_ rule: SecurityRule) {
    security.append(rule)
  }

  func allows(_ access: SecurityRule.Access, at path: Path, for user: String?) -> Bool {
    refusal(of: access, at: path, for: user) == nil
  }

  /// The status by which a location is refused: that of the first rule that applies.
  func refusal(of access: SecurityRule.Access, at path: Path, for user: String?) -> String? {
    for index in security.indices
    where path.starts(with: security[index].path) && security[index].deny.contains(access)
      && security[index].applies(to: user)
    {
      return security[index].answer
    }
    return nil
  }

  /// The status by which a write is refused; `nil` when every location that it touches may be
  /// written.
  func refusal(of write: Write, for user: String?) -> String? {
    if security.isEmpty { return nil }
    if let status = refusal(of: .write, at: write.path, for: user) { return status }
    for path in write.paths {
      if let status = refusal(of: .write, at: path, for: user) { return status }
    }
    return nil
  }
}

extension ReferenceServer {
  /// Takes reading away at `path` and below: ends every listen there, notifies those who made them
  /// (ACC-10), and refuses those who listen again.
  public mutating func revoke(_ path: Path, into out: inout [Outgoing]) {
    deny(SecurityRule(path, deny: [.read]))
    for index in connections.indices {
      let ended = connections[index].removeListens(at: path) { _ in true }
      if defect == .revokesSilently { continue }
      announce(ended, of: index, into: &out)
    }
  }

  /// Notifies a connection that listens of its have ended.
  mutating func announce(_ ended: [Listen], of index: Int, into out: inout [Outgoing]) {
    let id = connections[index].id
    for listen in ended {
      removeFromListenIndex(index, listen.request.path)
      let queries = listen.request.query.map { [$0] }
      out.append(Outgoing(id, .revoked(listen.request.path, queries: queries)))
    }
  }
}
