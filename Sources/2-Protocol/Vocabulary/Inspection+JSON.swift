internal import ClientInterface
internal import Tree

extension Inspection {
  /// Reads `{"path": "a/b", "ask": "key"}` and its like: the same words as in scenarios.
  ///
  /// - Throws: `VocabularyError` when nothing is named to be looked at, and for an argument that is
  ///   missing or of the wrong kind.
  init(json: JSON) throws(VocabularyError) {
    let part = Path(json["of"] == nil ? "" : try json.text("of"))
    self.init(
      try Subject(json: json), of: part, try json.text("ask"), json["with"] ?? .null)
  }
}

extension Inspection {
  /// What `init(json:)` reads.
  var members: [JSON.Member] {
    var members = subject.members
    if !part.isRoot { members.append(.init("of", .string(part.relativeText))) }
    members.append(.init("ask", .string(question)))
    if argument != .null { members.append(.init("with", argument)) }
    return members
  }
}

extension Inspection.Subject {
  fileprivate var members: [JSON.Member] {
    switch self {
    case let .reference(path): [.init("path", .string(path.description))]
    case let .address(text): [.init("url", .string(text))]
    case let .snapshot(listener, nth):
      [.init("snapshot", .string(listener.name))]
        + (nth.map { [.init("nth", .number(Double($0)))] } ?? [])
    case let .completion(call): [.init("completion", .string(call.name))]
    case let .mutableData(value, changes):
      [.init("mutable", value), .init("changes", .array(changes))]
    case let .query(path, steps):
      [.init("path", .string(path.description)), .init("query", .array(steps))]
    }
  }

  fileprivate init(json: JSON) throws(VocabularyError) {
    if json["url"] != nil {
      self = .address(try json.text("url"))
    } else if json["snapshot"] != nil {
      self = .snapshot(ListenerID(try json.text("snapshot")), nth: json["nth"]?.integer)
    } else if json["completion"] != nil {
      self = .completion(CallID(try json.text("completion")))
    } else if let value = json["mutable"] {
      self = .mutableData(value, changes: try json.list("changes"))
    } else if json["query"] != nil {
      self = .query(Path(try json.text("path")), steps: try json.list("query"))
    } else if json["path"] != nil {
      self = .reference(Path(try json.text("path")))
    } else {
      throw VocabularyError(
        "nothing is inspected; expected path, url, snapshot, completion or mutable")
    }
  }
}

extension JSON {
  func list(_ name: String) throws(VocabularyError) -> [JSON] {
    guard let value = self[name] else { return [] }
    guard let elements = value.elements else {
      throw VocabularyError("\"\(name)\" is \(value.kind), expected a list")
    }
    return elements
  }
}
