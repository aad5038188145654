internal import ClientInterface
internal import Document
internal import Tree

extension CaseReader {
  mutating func step(_ node: DocumentNode) throws(SourceError) -> CaseStep {
    try requireMapping(node, "the step")
    let type = try field("type", of: node, "the step")
    let name = try text(type, "\"type\"")
    guard CaseStep.Action.names.contains(name) else { throw fail(type, .unknownStep(name)) }
    let action = try action(name, node)
    var events: [CaseStep.Event] = []
    if name != "suppressWarning" || node["events"] != nil {
      let nodes = try list(try field("events", of: node, "the \(name) step"), "\"events\"")
      for node in nodes { events.append(try event(node)) }
    }
    return CaseStep(action, events: events, at: node.position)
  }

  private mutating func action(
    _ name: String, _ node: DocumentNode
  ) throws(SourceError) -> CaseStep.Action {
    let owner = "the \(name) step"
    switch name {
    case "listen": return try listen(node, owner)
    case "unlisten":
      let callback = try field("callbackId", of: node, owner)
      return .unlisten(
        try path(of: node, owner), callback: try number(callback, "\"callbackId\"", from: 0))
    case "serverUpdate":
      return .serverUpdate(
        try path(of: node, owner), try data(of: node, owner),
        tag: try optionalNumber("tag", of: node))
    case "serverMerge":
      return .serverMerge(
        try path(of: node, owner), try assignments(of: node, owner),
        tag: try optionalNumber("tag", of: node))
    case "set":
      writes += 1
      let isHidden = try flag("visible", of: node) == false
      return .set(
        try path(of: node, owner), try data(of: node, owner), isHidden ? .hidden : .shown)
    case "update":
      writes += 1
      return .update(try path(of: node, owner), try assignments(of: node, owner))
    case "ackUserWrite": return try acknowledgement(node, owner)
    default: return .suppressWarning
    }
  }

  private func data(of node: DocumentNode, _ owner: String) throws(SourceError) -> Node {
    Node(json: try field("data", of: node, owner).json)
  }

  private func acknowledgement(
    _ node: DocumentNode, _ owner: String
  ) throws(SourceError) -> CaseStep.Action {
    let id = try field("writeId", of: node, owner)
    let write = try number(id, "\"writeId\"", from: 0)
    guard write < writes else { throw fail(id, .unknownWrite(write, made: writes)) }
    return .acknowledge(
      write: write, try flag("revert", of: node) == true ? .rejected : .accepted)
  }

  // MARK: Events

  static let eventTypes = EventType.allCases.map(\.rawValue)

  private func event(_ node: DocumentNode) throws(SourceError) -> CaseStep.Event {
    try requireMapping(node, "the event")
    let path = try path(of: node, "the event")
    let field = try field("type", of: node, "the event")
    let name = try text(field, "\"type\"")
    guard let type = EventType(rawValue: name) else { throw fail(field, .unknownEvent(name)) }
    let value = try data(of: node, "the event")
    if type == .value { return CaseStep.Event(type, at: path, value: value) }
    let key = Key(try text(try self.field("name", of: node, "the \(name) event"), "\"name\""))
    return CaseStep.Event(
      type, at: path, key: key,
      previous: type == .childRemoved ? .none : try previous(of: node), value: value)
  }

  private func previous(
    of node: DocumentNode
  ) throws(SourceError) -> ClientInterface.Event.Previous {
    guard let value = node["prevName"], value.json != .null else { return .first }
    return .key(Key(try text(value, "\"prevName\"")))
  }
}

// MARK: - Queries

extension CaseReader {
  static let parameters = [
    "tag", "orderBy", "orderByKey", "orderByPriority", "limitToFirst", "limitToLast", "startAt",
    "startAfter", "endAt", "endBefore", "equalTo",
  ]

  private func listen(
    _ node: DocumentNode, _ owner: String
  ) throws(SourceError) -> CaseStep.Action {
    let callback = try optionalNumber("callbackId", of: node)
    let path = try path(of: node, owner)
    guard let params = node["params"] else {
      return .listen(path, .all, tag: nil, callback: callback)
    }
    guard case let .mapping(entries) = params.content else {
      try requireMapping(params, "\"params\"")
      return .listen(path, .all, tag: nil, callback: callback)
    }
    var query = Query()
    for entry in entries where entry.key != "tag" && !entry.key.hasPrefix(".") {
      try add(entry, to: &query)
    }
    let tag = try optionalNumber("tag", of: params)
    return .listen(path, query, tag: tag, callback: callback)
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
        message: CaseMistake.unknownParameter(entry.key).message)
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
