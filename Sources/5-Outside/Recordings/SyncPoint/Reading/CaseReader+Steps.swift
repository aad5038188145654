internal import ClientInterface
internal import Document
internal import Scenario
internal import Tree
internal import Wire

extension CaseReader {
  private static let stepTypes = [
    "listen", "unlisten", "serverUpdate", "serverMerge", "set", "update", "ackUserWrite",
    "suppressWarning",
  ]

  mutating func step(_ node: DocumentNode) throws(SourceError) -> CaseStep {
    try requireMapping(node, "the step")
    let type = try field("type", of: node, "the step")
    let name = try text(type, "\"type\"")
    guard Self.stepTypes.contains(name) else {
      throw fail(
        type, "unknown step type \"\(name)\"" + closestOrAll(to: name, in: Self.stepTypes))
    }
    let action = try action(name, node)
    var events: [CaseStep.Event] = []
    if name != "suppressWarning" || node["events"] != nil {
      let nodes = try list(try field("events", of: node, "the \(name) step"), "\"events\"")
      for node in nodes { events.append(try event(node)) }
    }
    return CaseStep(action: action, events: events, position: node.position)
  }

  private mutating func action(
    _ name: String, _ node: DocumentNode
  ) throws(SourceError) -> CaseStep.Action {
    let owner = "the \(name) step"
    switch name {
    case "ackUserWrite": return try acknowledgement(node, owner)
    case "suppressWarning": return .suppressWarning
    default: break
    }
    if name == "unlisten" {
      let callback = try number(try field("callbackId", of: node, owner), "\"callbackId\"", from: 0)
      return .unlisten(try path(of: node, owner), callback: callback)
    }
    if name == "listen" {
      let callback = try optionalNumber("callbackId", of: node)
      let path = try path(of: node, owner)
      let params = try node["params"].map { params throws(SourceError) in try query(params) }
      return .listen(
        Operation.Target(path, params?.query ?? .all), tag: params?.tag, callback: callback)
    }
    let path = try path(of: node, owner)
    switch name {
    case "serverUpdate":
      return .serverUpdate(
        path, try data(of: node, owner), tag: try optionalNumber("tag", of: node))
    case "serverMerge":
      return .serverMerge(
        path, try assignments(of: node, owner), tag: try optionalNumber("tag", of: node))
    case "set":
      let isVisible = try flag("visible", of: node) != false
      let write = set(try data(of: node, owner), at: path)
      return isVisible ? .write(write) : .hiddenWrite
    default:
      let parts = try assignments(of: node, owner)
      return .write(
        write(.update(path, parts), kind: "merge", at: path, parts.sets(below: path)))
    }
  }

  /// A set of a priority is a call of its own.
  private mutating func set(_ node: Node, at path: Path) -> CaseWrite {
    guard path.key == .priority, let owner = path.parent else {
      return write(.set(path, node), kind: "put", at: path, [(path, node)])
    }
    return write(
      .setPriority(owner, node.scalar?.json ?? .null), kind: "put", at: owner, [(path, node)])
  }

  private mutating func write(
    _ operation: ClientInterface.Operation, kind: String, at path: Path,
    _ parts: [(path: Path, node: Node)]
  ) -> CaseWrite {
    writes += 1
    return CaseWrite(
      number: writes - 1, operation: operation, kind: kind, path: path, parts: parts)
  }

  private func data(of node: DocumentNode, _ owner: String) throws(SourceError) -> Node {
    Node(json: try field("data", of: node, owner).json)
  }

  private func acknowledgement(
    _ node: DocumentNode, _ owner: String
  ) throws(SourceError) -> CaseStep.Action {
    let id = try field("writeId", of: node, owner)
    let write = try number(id, "\"writeId\"", from: 0)
    guard write < writes else {
      let made =
        writes == 0 ? "none" : writes == 1 ? "only write 0" : "only writes 0 to \(writes - 1)"
      throw fail(id, "write \(write) is answered here, but the steps before make \(made)")
    }
    return .acknowledge(write: write, isAccepted: try flag("revert", of: node) != true)
  }

  // MARK: Events

  private func event(_ node: DocumentNode) throws(SourceError) -> CaseStep.Event {
    try requireMapping(node, "the event")
    let path = try path(of: node, "the event")
    let field = try field("type", of: node, "the event")
    let name = try text(field, "\"type\"")
    guard let type = EventType(rawValue: name) else {
      let types = EventType.allCases.map(\.rawValue)
      throw fail(field, "unknown event type \"\(name)\"" + closestOrAll(to: name, in: types))
    }
    let value = try data(of: node, "the event")
    var expected = ExpectedEvent(
      position: node.position, kind: .event(type), value: .exactly(value.json))
    if type != .value {
      let key = try text(try self.field("name", of: node, "the \(name) event"), "\"name\"")
      expected.key = .exactly(.string(key))
      if type != .childRemoved { expected.previous = try previous(of: node) }
    }
    return CaseStep.Event(path: path, type: type, value: value, expected: expected)
  }

  private func previous(of node: DocumentNode) throws(SourceError) -> ExpectedEvent.Previous {
    guard let value = node["prevName"], value.json != .null else { return .first }
    return .key(.exactly(.string(try text(value, "\"prevName\""))))
  }
}

// MARK: - Queries

extension CaseReader {
  private static let parameters = [
    "tag", "orderBy", "orderByKey", "orderByPriority", "limitToFirst", "limitToLast", "startAt",
    "startAfter", "endAt", "endBefore", "equalTo",
  ]

  private func query(_ params: DocumentNode) throws(SourceError) -> (query: Query, tag: Int?) {
    try requireMapping(params, "\"params\"")
    var query = Query()
    if case let .mapping(entries) = params.content {
      for entry in entries where entry.key != "tag" && !entry.key.hasPrefix(".") {
        try add(entry, to: &query)
      }
    }
    return (query, try optionalNumber("tag", of: params))
  }

  private func add(
    _ entry: DocumentNode.Entry, to query: inout Query
  ) throws(SourceError) {
    let what = "\"\(entry.key)\""
    switch entry.key {
    case "orderBy": query.ordering = .child(Path(try text(entry.value, what)))
    case "orderByKey": query.ordering = .key
    case "orderByPriority": query.ordering = .priority
    case "limitToFirst": query.limit = .first(try number(entry.value, what, from: 1))
    case "limitToLast": query.limit = .last(try number(entry.value, what, from: 1))
    case "startAt": query.start = try bound(entry.value, what, .inclusive)
    case "startAfter": query.start = try bound(entry.value, what, .exclusive)
    case "endAt": query.end = try bound(entry.value, what, .inclusive)
    case "endBefore": query.end = try bound(entry.value, what, .exclusive)
    case "equalTo":
      query.start = try bound(entry.value, what, .inclusive)
      query.end = query.start
    default:
      throw SourceError(
        file: file, position: entry.keyPosition,
        message: "unknown query parameter " + what
          + closestOrAll(to: entry.key, in: Self.parameters))
    }
  }

  /// `{index, name?}`: a value, and a key among the children that have it.
  private func bound(
    _ node: DocumentNode, _ what: String, _ edge: Query.Bound.Edge
  ) throws(SourceError) -> Query.Bound {
    try requireMapping(node, what)
    let value = try scalar(try field("index", of: node, what), "\"index\"")
    var key: Key?
    if let name = node["name"], name.json != .null { key = Key(try text(name, "\"name\"")) }
    return Query.Bound(value, key: key, edge: edge)
  }
}
