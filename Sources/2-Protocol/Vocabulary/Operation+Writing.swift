public import ClientInterface
public import Tree
internal import Wire

extension Operation {
  /// The arguments of the call as recordings and the adapter protocol write them, `op` first.
  public var json: JSON {
    .object([.init("op", .string(name))] + arguments.members)
  }
}

extension Operation.Arguments {
  /// In the order of ``Operation/Kind/parameters``. What is usual is left out.
  fileprivate var members: [JSON.Member] {
    var members: [JSON.Member] = []
    func add(_ name: String, _ value: JSON?) {
      if let value { members.append(.init(name, value)) }
    }
    add("listener", listener.map { .string($0.name) })
    add("path", path.map { .string($0.description) })
    add("query", query == .all ? nil : query?.arguments)
    let names = events?.sorted().map { JSON.string($0.rawValue) }
    if let names, names.count != 1 { add("events", .array(names)) } else { add("event", names?[0]) }
    add("event", event.map { .string($0.rawValue) })
    let parts = changes?.map { JSON.Member($0.path.relativeText, $0.node.argument) }
    add("value", value?.argument ?? parts.map { .object($0) })
    add("priority", priority)
    add("update", function?.json)
    add("localEvents", localEvents == .hidden ? false : nil)
    add("on", synchronization.map { .bool($0 == .on) })
    add("token", token.map { .string($0) })
    return members + (inspection?.members ?? reaction?.members ?? [])
  }
}

extension Node {
  /// The value as an application writes it: children with the keys 0, 1, 2, … as a list, so that
  /// clients are given lists, too (VAL-5).
  fileprivate var argument: JSON {
    if children.isEmpty { return json }
    let values = children.map { $0.node.argument }
    let isList = children.enumerated().allSatisfy { $0.element.key.string == String($0.offset) }
    if isList, priority == nil { return .array(values) }
    let members = zip(children, values).map { JSON.Member($0.key.string, $1) }
    return .object(members + (priority.map { [.init(".priority", $0.json)] } ?? []))
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
