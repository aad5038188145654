public import ClientInterface
public import Tree
internal import Wire

/// A line that does not fit the vocabulary that adapters and recordings share.
public struct VocabularyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was found and what was expected.
  public var description: String

  package init(_ description: String) {
    self.description = description
  }
}

extension Operation {
  /// Reads the arguments of a call, as recordings and the adapter protocol write them.
  ///
  /// - Throws: `VocabularyError` for an unknown operation and for an argument that is missing or of
  ///   the wrong kind.
  public init(json: JSON) throws(VocabularyError) {
    let name = try json.text("op")
    guard let kind = Kind(rawValue: name) else {
      throw VocabularyError("\"\(name)\" is not an operation")
    }
    var given = Arguments()
    for parameter in kind.parameters { try given.read(parameter, from: json) }
    guard let operation = Operation(kind, given) else {
      throw VocabularyError("an argument of \(name) is missing")
    }
    self = operation
  }
}

extension Operation.Arguments {
  fileprivate mutating func read(
    _ parameter: Operation.Parameter, from json: JSON
  ) throws(VocabularyError) {
    switch parameter {
    case .listener: listener = ListenerID(try json.text("listener"))
    case .path: path = Path(try json.text("path"))
    case .optionalPath: path = json["path"]?.string.map { Path($0) }
    case .query:
      query =
        try json["query"].map { json throws(VocabularyError) in try Query(arguments: json) } ?? .all
    case .events: events = try json.events() ?? Set(EventType.allCases)
    case .event: event = try json.events()?.min() ?? .value
    case .value: value = json.node()
    case .optionalValue: value = json["value"] == nil ? nil : json.node()
    case .changes: changes = try json.assignments()
    case .priority: priority = json["priority"] ?? .null
    case .function: function = try TransactionFunction(json: try json.member("update"))
    case .localEvents: localEvents = json["localEvents"]?.bool == false ? .hidden : .shown
    case .synchronization: synchronization = json["on"] == false ? .off : .on
    case .token: token = try json.text("token")
    case .inspection: inspection = try Inspection(json: json)
    case .reaction: reaction = try Reaction(json: json)
    }
  }
}

extension TransactionFunction {
  /// Reads `{"increment": 1}`, `{"set": v}`, `{"setIfNull": v}`, `{"merge": {…}}`, `{"abort": true}`.
  ///
  /// - Throws: `VocabularyError` when `json` is none of these.
  public init(json: JSON) throws(VocabularyError) {
    guard let member = json.members?.first, json.members?.count == 1 else {
      throw VocabularyError("\"update\" is \(json.text), expected one of increment, set, …")
    }
    guard let kind = Kind(rawValue: member.name) else {
      throw VocabularyError(
        "\"\(member.name)\" is not a transaction function; expected one of "
          + Kind.allCases.map(\.rawValue).joined(separator: ", "))
    }
    self = .init(kind, member.value)
  }
}

extension JSON {
  package func member(_ name: String) throws(VocabularyError) -> JSON {
    guard let value = self[name] else { throw VocabularyError("\"\(name)\" is missing") }
    return value
  }

  package func text(_ name: String) throws(VocabularyError) -> String {
    let value = try member(name)
    guard let text = value.string else {
      throw VocabularyError("\"\(name)\" is \(value.kind), expected a string")
    }
    return text
  }

  /// The `value` of a write, with its `priority` if there is one beside it.
  fileprivate func node() -> Node {
    let priority = (self["priority"] ?? self["value"]?[".priority"]).flatMap { Scalar($0) }
    let node = Node(json: self["value"] ?? .null, priority: priority)
    return node.isEmpty ? priority.map { .nothing(priority: $0) } ?? .empty : node
  }

  fileprivate func assignments() throws(VocabularyError) -> [Assignment] {
    let value = try member("value")
    guard let assignments = [Assignment](json: value) else {
      throw VocabularyError("\"value\" is \(value.kind), expected a mapping of paths to values")
    }
    return assignments
  }

  /// The event types that are stated; `nil` when none is.
  fileprivate func events() throws(VocabularyError) -> Set<EventType>? {
    let names = self["events"]?.elements ?? self["event"].map { [$0] } ?? []
    var events: Set<EventType> = []
    for name in names {
      guard let event = name.string.flatMap(EventType.init(rawValue:)) else {
        throw VocabularyError("\(name.text) is not an event type")
      }
      events.insert(event)
    }
    return events.isEmpty ? nil : events
  }
}

extension Query {
  /// Reads the arguments of a query: `orderBy`, `startAt`, `endAt`, `startAfter`, `endBefore`,
  /// `equalTo`, `limitToFirst`, `limitToLast`. A bound is a scalar, or `{"value": v, "key": k}`.
  ///
  /// - Throws: `VocabularyError` for an unknown argument.
  public init(arguments json: JSON) throws(VocabularyError) {
    self.init()
    for member in json.members ?? [] {
      switch member.name {
      case "orderBy": ordering = Ordering(indexName: try json.text("orderBy"))
      case "startAt": start = Bound(argument: member.value, .inclusive)
      case "startAfter": start = Bound(argument: member.value, .exclusive)
      case "endAt": end = Bound(argument: member.value, .inclusive)
      case "endBefore": end = Bound(argument: member.value, .exclusive)
      case "equalTo":
        start = Bound(argument: member.value, .inclusive)
        end = start
      case "limitToFirst": limit = .first(member.value.integer ?? 0)
      case "limitToLast": limit = .last(member.value.integer ?? 0)
      default: throw VocabularyError("\"\(member.name)\" is not an argument of a query")
      }
    }
  }
}

extension Query.Bound {
  fileprivate init(argument json: JSON, _ edge: Edge) {
    if json.members != nil {
      self.init(
        json["value"].flatMap { Scalar($0) }, key: json["key"]?.string.map { Key($0) }, edge: edge)
    } else {
      self.init(Scalar(json), edge: edge)
    }
  }
}
