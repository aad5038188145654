internal import Faults
public import Tree
public import Wire

/// Replacements for what steps name, each applied wherever such a name occurs. What is not replaced
/// stays.
public struct ActionMapping<Failure: Error> {
  /// Replaces the name of a client, in calls, faults and triggers alike.
  public var client: (String) throws(Failure) -> String = { $0 }
  /// What calls do. The client of a call has been replaced before.
  public var call: (Action.Call) throws(Failure) -> Action.Call = { $0 }
  /// The paths of the server's own actions.
  public var path: (Path) throws(Failure) -> Path = { $0 }
  /// What the server writes at a path, given as it was before.
  public var node: (Node, _ at: Path) throws(Failure) -> Node = { node, _ in node }
  /// Replaces the parts of an update that the server makes at a path, given as that path was
  /// before; the paths of the parts are relative to it.
  public var assignments: ([Assignment], _ at: Path) throws(Failure) -> [Assignment] = {
    parts, _ in parts
  }

  /// Creates a mapping that replaces nothing.
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
    case let .fault(fault): return .fault(try fault.mapped(mapping))
    case let .together(steps):
      var mapped: [Step] = []
      for step in steps { mapped.append(try step.mapped(mapping)) }
      return .together(mapped)
    case .wait, .settle, .disarm, .expect: return self
    }
  }
}

extension Fault<String> {
  fileprivate func mapped<Failure: Error>(
    _ mapping: ActionMapping<Failure>
  ) throws(Failure) -> NamedFault {
    try self.mapping(client: mapping.client).mapping(path: mapping.path) {
      write throws(Failure) in
      switch write {
      case let .set(path, node): try .set(mapping.path(path), mapping.node(node, path))
      case let .update(path, parts):
        try .update(mapping.path(path), mapping.assignments(parts, path))
      case let .remove(path): .remove(try mapping.path(path))
      }
    }
  }
}
