public import ClientInterface
public import Tree
internal import Wire

extension Operation {
  /// The arguments of the call as recordings and the adapter protocol write them, `op` first.
  public var json: JSON {
    .object([.init("op", .string(name))] + members)
  }

  private var members: [JSON.Member] {
    switch self {
    case let .listen(listener, target, events):
      let names = events.sorted().map { JSON.string($0.rawValue) }
      return [.init("listener", .string(listener.name))] + target.members
        + [names.count == 1 ? .init("event", names[0]) : .init("events", .array(names))]
    case let .once(listener, target, event):
      return [.init("listener", .string(listener.name))] + target.members
        + [.init("event", .string(event.rawValue))]
    case let .unlisten(listener, path):
      return [.init("listener", .string(listener.name))]
        + (path.map { [.init("path", .string($0.description))] } ?? [])
    case let .unlistenAll(target): return target.members
    case .goOffline, .goOnline, .unauthenticate: return []
    case let .keepSynced(target, synchronization):
      return target.members + [.init("on", .bool(synchronization == .on))]
    case let .authenticate(token): return [.init("token", .string(token))]
    case let .inspect(inspection): return inspection.members
    case .set, .remove, .setPriority, .update, .push, .transaction, .onDisconnectSet,
      .onDisconnectRemove, .onDisconnectUpdate, .onDisconnectCancel:
      return [.init("path", .string((path ?? .root).description))] + writtenMembers
    }
  }

  private var writtenMembers: [JSON.Member] {
    switch self {
    case let .set(_, node), let .onDisconnectSet(_, node): [.init("value", node.json)]
    case let .setPriority(_, priority): [.init("priority", priority?.json ?? .null)]
    case let .update(_, assignments), let .onDisconnectUpdate(_, assignments):
      [.init("value", assignments.json)]
    case let .push(_, node): node.map { [.init("value", $0.json)] } ?? []
    case let .transaction(_, function, localEvents):
      [.init("update", function.json)]
        + (localEvents == .hidden ? [.init("localEvents", false)] : [])
    default: []
    }
  }
}

extension Operation.Target {
  fileprivate var members: [JSON.Member] {
    let path = JSON.Member("path", .string(path.description))
    return query == .all ? [path] : [path, .init("query", query.arguments)]
  }
}

extension Query {
  /// The arguments of the query as `Query.init(arguments:)` reads them.
  public var arguments: JSON {
    var members: [JSON.Member] = []
    switch ordering {
    case .key: members.append(.init("orderBy", ".key"))
    case .value: members.append(.init("orderBy", ".value"))
    case .priority: break
    case let .child(path): members.append(.init("orderBy", .string(path.relativeText)))
    }
    if let start, start == end, start.edge == .inclusive {
      members.append(.init("equalTo", start.argument))
    } else {
      if let start { members.append(.init(start.name("startAt", "startAfter"), start.argument)) }
      if let end { members.append(.init(end.name("endAt", "endBefore"), end.argument)) }
    }
    switch limit {
    case let .first(count)?: members.append(.init("limitToFirst", .number(Double(count))))
    case let .last(count)?: members.append(.init("limitToLast", .number(Double(count))))
    case nil: break
    }
    return .object(members)
  }
}

extension Query.Bound {
  fileprivate func name(_ inclusive: String, _ exclusive: String) -> String {
    edge == .inclusive ? inclusive : exclusive
  }

  fileprivate var argument: JSON {
    let value = value?.json ?? .null
    guard let key else { return value }
    return ["value": value, "key": .string(key.string)]
  }
}
