public import Tree
public import Wire

/// Replacements for what steps name, each applied wherever such a name occurs. What is not replaced
/// stays.
public struct ActionMapping<Failure: Error> {
  public var client: (String) throws(Failure) -> String = { $0 }
  /// What calls do. The client of a call has been replaced before.
  public var call: (Action.Call) throws(Failure) -> Action.Call = { $0 }
  /// The paths of the server's own actions.
  public var path: (Path) throws(Failure) -> Path = { $0 }
  /// What the server writes at a path, given as it was before.
  public var node: (Node, _ at: Path) throws(Failure) -> Node = { node, _ in node }
  public var assignments: ([Assignment], _ at: Path) throws(Failure) -> [Assignment] = {
    parts, _ in parts
  }

  public init() {}
}

extension Step {
  /// The step with other names in its action and its trigger; what it expects stays.
  ///
  /// - Throws: What the mapping throws.
  public func mapped<Failure: Error>(
    _ mapping: ActionMapping<Failure>
  ) throws(Failure) -> Step {
    var copy = self
    copy.action = try action.mapped(mapping)
    switch trigger {
    case var .frame(frame)?:
      frame.client = try frame.client.map(mapping.client)
      copy.trigger = .frame(frame)
    case let .messages(count, direction, client)?:
      copy.trigger = .messages(count, direction, client: try mapping.client(client))
    case .after?, nil: break
    }
    return copy
  }
}

extension Action {
  /// The action with other names, those of `together` included.
  ///
  /// - Throws: What the mapping throws.
  public func mapped<Failure: Error>(
    _ mapping: ActionMapping<Failure>
  ) throws(Failure) -> Action {
    switch self {
    case var .call(call):
      call.client = try mapping.client(call.client)
      return .call(try mapping.call(call))
    case let .process(action): return .process(try action.mapped(mapping.client))
    case let .network(action): return .network(try action.mapped(mapping.client))
    case let .server(action): return .server(try action.mapped(mapping))
    case let .together(steps):
      var mapped: [Step] = []
      for step in steps { mapped.append(try step.mapped(mapping)) }
      return .together(mapped)
    case .wait, .settle, .disarm, .expect: return self
    }
  }
}

extension ProcessAction {
  fileprivate func mapped<Failure: Error>(
    _ name: (String) throws(Failure) -> String
  ) throws(Failure) -> ProcessAction {
    let client = try name(client)
    return switch self {
    case .kill: .kill(client: client)
    case let .start(_, storage): .start(client: client, storage: storage)
    case let .clock(_, fault): .clock(client: client, fault)
    case let .storage(_, fault): .storage(client: client, fault)
    }
  }
}

extension NetworkAction {
  fileprivate func mapped<Failure: Error>(
    _ name: (String) throws(Failure) -> String
  ) throws(Failure) -> NetworkAction {
    switch self {
    case let .cut(client): .cut(client: try name(client))
    case let .drop(client): .drop(client: try name(client))
    case let .heal(client): .heal(client: try name(client))
    case let .refuse(client): .refuse(client: try name(client))
    case let .latency(range, client): .latency(range, client: try client.map(name))
    case let .stall(client, direction): .stall(client: try name(client), direction)
    case let .resume(client, direction): .resume(client: try name(client), direction)
    case let .halfOpen(client, notices): .halfOpen(client: try name(client), notices: notices)
    case let .closeAfter(client, messages, direction):
      .closeAfter(client: try name(client), messages: messages, direction)
    case let .loseAcknowledgement(client): .loseAcknowledgement(client: try name(client))
    case let .lateClose(client, delay): .lateClose(client: try name(client), after: delay)
    }
  }
}

extension ServerAction {
  fileprivate func mapped<Failure: Error>(
    _ mapping: ActionMapping<Failure>
  ) throws(Failure) -> ServerAction {
    switch self {
    case let .set(path, node): return try .set(mapping.path(path), mapping.node(node, path))
    case let .update(path, parts):
      return try .update(mapping.path(path), mapping.assignments(parts, path))
    case let .remove(path): return .remove(try mapping.path(path))
    case var .reject(restriction):
      restriction.path = try mapping.path(restriction.path)
      return .reject(restriction)
    case let .revoke(path): return .revoke(try mapping.path(path))
    case let .revokeCredential(client):
      return .revokeCredential(client: try mapping.client(client))
    case let .redirect(client, host):
      return .redirect(client: try client.map(mapping.client), host: host)
    case let .shutdown(client): return .shutdown(client: try client.map(mapping.client))
    case .restart, .clock, .stale: return self
    }
  }
}
