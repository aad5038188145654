internal import ClientInterface
public import Document
internal import Scenario
internal import Tree
internal import Wire

/// Reads sync-point files: a JSON list of `{name, steps}`.
///
/// Members that the format does not have are comments. Everything else is checked.
public struct CaseReader {
  let file: String
  /// How many writes the steps of the current case have made so far.
  var writes = 0

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - file: The name that errors shall show.
  /// - Returns: Its cases, in its order.
  /// - Throws: `SourceError` with the first mistake.
  public static func read(_ bytes: [UInt8], file: String) throws(SourceError) -> [Case] {
    let document = DocumentReader.readJSON(bytes)
    if let error = document.problems.first { throw SourceError(file: file, error) }
    var reader = CaseReader(file: file)
    guard let root = document.root else { return [] }
    let nodes = try reader.list(
      root, "the file", of: "cases: [{\"name\": \"...\", \"steps\": [...]}, ...]")
    var cases: [Case] = []
    for node in nodes { cases.append(try reader.readCase(node)) }
    return cases
  }

  private init(file: String) {
    self.file = file
  }

  private mutating func readCase(_ node: DocumentNode) throws(SourceError) -> Case {
    writes = 0
    try requireMapping(node, "the case")
    let name = try text(try field("name", of: node, "the case"), "\"name\"")
    let nodes = try list(
      try field("steps", of: node, "the case"), "\"steps\"", of: "steps: [{\"type\": ...}, ...]")
    var steps: [CaseStep] = []
    for node in nodes { steps.append(try step(node)) }
    return Case(name: name, file: file, position: node.position, steps: steps)
  }
}

// MARK: - Kinds of value

extension CaseReader {
  func fail(_ node: DocumentNode, _ message: String) -> SourceError {
    SourceError(file: file, position: node.position, message: message)
  }

  /// What `part` finds in the node.
  private func require<Value>(
    _ part: Value?, _ node: DocumentNode, _ what: String, expected: String, found: String? = nil
  ) throws(SourceError) -> Value {
    if let part { return part }
    throw fail(node, "\(what) is \(found ?? node.json.kind); expected \(expected)")
  }

  /// A member that must be there.
  func field(
    _ name: String, of node: DocumentNode, _ owner: String
  ) throws(SourceError) -> DocumentNode {
    if let value = node[name] { return value }
    let slip = node.json.members?.first { !closestMatches(to: $0.name, in: [name]).isEmpty }
    let hint = slip.map { "found \"\($0.name)\": did you mean \"\(name)\"?" }
    throw fail(node, "\(owner) has no \"\(name)\"; \(hint ?? "expected \"\(name)\": ...")")
  }

  func requireMapping(_ node: DocumentNode, _ what: String) throws(SourceError) {
    _ = try require(node.json.members, node, what, expected: "a mapping")
  }

  func list(
    _ node: DocumentNode, _ what: String, of elements: String
  ) throws(SourceError) -> [DocumentNode] {
    if case let .list(nodes) = node.content { return nodes }
    let inner = node.json.members?.first { $0.value.elements != nil }
    let hint =
      inner.map { "; under \"\($0.name)\" in it is a list: put that in place of the mapping" }
      ?? (node.json.members == nil ? "" : "; put one alone in [ ]")
    throw fail(node, "\(what) is \(node.json.kind); expected a list of \(elements)\(hint)")
  }

  func text(_ node: DocumentNode, _ what: String) throws(SourceError) -> String {
    try require(node.json.string, node, what, expected: "a string")
  }

  func path(of node: DocumentNode, _ owner: String) throws(SourceError) -> Path {
    Path(try text(try field("path", of: node, owner), "\"path\""))
  }

  /// A whole number from `minimum`.
  func number(
    _ node: DocumentNode, _ what: String, from minimum: Int
  ) throws(SourceError) -> Int {
    try require(
      node.json.integer.flatMap { $0 >= minimum ? $0 : nil }, node, what,
      expected: "a whole number from \(minimum)",
      found: node.json.number == nil ? nil : node.json.text)
  }

  /// The number under `name`, or `nil` when it is not there or null.
  func optionalNumber(_ name: String, of node: DocumentNode) throws(SourceError) -> Int? {
    guard let value = node[name], value.json != .null else { return nil }
    return try number(value, "\"\(name)\"", from: 0)
  }

  /// The truth value under `name`, or `nil` when it is not there.
  func flag(_ name: String, of node: DocumentNode) throws(SourceError) -> Bool? {
    guard let value = node[name] else { return nil }
    return try require(value.json.bool, value, "\"\(name)\"", expected: "true or false")
  }

  /// A scalar, or `nil` for null.
  func scalar(_ node: DocumentNode, _ what: String) throws(SourceError) -> Scalar? {
    if node.json == .null { return nil }
    let isCollection = node.json.members != nil || node.json.elements != nil
    return try require(
      isCollection ? nil : Scalar(node.json), node, what, expected: "a scalar or null")
  }

  /// The members of `data`, whose names may be paths.
  func assignments(of node: DocumentNode, _ owner: String) throws(SourceError) -> [Assignment] {
    let data = try field("data", of: node, owner)
    return try require(
      [Assignment](json: data.json), data, "\"data\"", expected: "a mapping of paths to values")
  }
}

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
      let nodes = try list(
        try field("events", of: node, "the \(name) step"), "\"events\"",
        of: "events: [{\"type\": ..., \"path\": ...}, ...]")
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
