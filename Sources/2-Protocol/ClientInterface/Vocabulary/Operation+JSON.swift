internal import Document
public import Tree
internal import Wire

extension Operation {
  /// The arguments of the call as recordings and the adapter protocol write them, `op` first.
  public var json: JSON {
    .object([.init("op", .string(name))] + arguments.members)
  }

  /// Reads the arguments of a call, as recordings and the adapter protocol write them.
  ///
  /// - Throws: `VocabularyError` for an unknown operation and for an argument that is missing or of
  ///   the wrong kind.
  public init(json: JSON) throws(VocabularyError) {
    let name = try json.text("op")
    guard let kind = Kind(rawValue: name) else {
      throw VocabularyError(
        unknown: name, of: "an operation", known: Kind.allCases.map(\.rawValue))
    }
    var given = Arguments()
    for parameter in kind.parameters { try given.read(parameter, from: json) }
    guard let operation = Operation(kind, given) else {
      throw VocabularyError("an argument of \(name) is missing")
    }
    self = operation
  }

  /// What the JSON of a call with its id looks like.
  static let shape = shape(of: Kind.allCases)
  /// The same of one that is made from inside a callback.
  fileprivate static let nestedShape = Shape.named(
    "nested", shape(of: Kind.allCases.filter { $0 != .on }))

  private static func shape(of kinds: [Kind]) -> Shape {
    .operation(
      kinds.map { kind in
        let head: [Shape.Field] = [.needs("id", .text), .needs("op", .word([kind.rawValue]))]
        return Shape.Case(kind.rawValue, "", head + kind.parameters.flatMap(\.fields))
      })
  }
}

extension Operation.Parameter {
  fileprivate var fields: [Shape.Field] {
    switch self {
    case .listener: [.needs("listener", .text)]
    case .path: [.needs("path", .text)]
    case .optionalPath: [.may("path", .text)]
    case .query: [.may("query", Query.shape)]
    case .events: [.may("event", EventType.shape), .may("events", .list(EventType.shape))]
    case .event: [.needs("event", EventType.shape)]
    case .value: [.needs("value", .anything)]
    case .optionalValue: [.may("value", .anything)]
    case .changes: [.needs("value", .mapping(.anything))]
    case .priority: [.needs("priority", .anything)]
    case .function: [.needs("update", TransactionFunction.shape)]
    case .localEvents: [.may("localEvents", .flag)]
    case .synchronization: [.needs("on", .flag)]
    case .token: [.needs("token", .text)]
    case .inspection:
      [
        .may("path", .text), .may("url", .text), .may("snapshot", .text),
        .may("nth", .whole), .may("completion", .text), .may("mutable", .anything),
        .may("changes", .list(.mapping(.anything))),
        .may("query", .list(.mapping(.anything))), .may("of", .text), .needs("ask", .text),
        .may("with", .anything),
      ]
    case .reaction:
      [
        .may("listener", .text), .may("event", EventType.shape), .may("cancel", .text),
        .may("completion", .text), .may("function", .text), .may("nth", .whole),
        .needs("do", .list(Operation.nestedShape)),
      ]
    }
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
    case .changes: changes = try json.assignments("value")
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
        unknown: member.name, of: "a transaction function", known: Kind.allCases.map(\.rawValue))
    }
    self = .init(kind, member.value)
  }

  fileprivate static let shape = Shape.named(
    "function",
    .either(
      Kind.allCases.map { kind in
        let argument: Shape =
          switch kind.argument {
          case .number: .number
          case .value: .anything
          case .children: .mapping(.anything)
          case .none: .flag
          }
        return .object([.needs(kind.rawValue, argument)])
      }))
}

// MARK: - Values

extension Node {
  /// The value as an application writes it: children with the keys 0, 1, 2, … as a list, so that
  /// clients are given lists, too (VAL-5), with null for what is missing in between.
  fileprivate var argument: JSON {
    if children.isEmpty { return json }
    let values = children.map { $0.node.argument }
    if let indices, priority == nil {
      var elements = [JSON](repeating: .null, count: indices.last.map { $0 + 1 } ?? 0)
      for (index, value) in zip(indices, values) { elements[index] = value }
      return .array(elements)
    }
    let members = zip(children, values).map { JSON.Member($0.key.string, $1) }
    return .object(members + (priority.map { [.init(".priority", $0.json)] } ?? []))
  }

  /// The keys as the indices of a list; `nil` where one is none, or not more than half of the list is
  /// there.
  private var indices: [Int]? {
    let indices = children.compactMap { child in
      Int(child.key.string).flatMap { $0 >= 0 && String($0) == child.key.string ? $0 : nil }
    }
    guard indices.count == children.count, let last = indices.last,
      last < 2 * indices.count - 1
    else { return nil }
    return indices
  }
}

extension JSON {
  /// The `value` of a write, with its `priority` if there is one beside it.
  fileprivate func node() -> Node {
    let priority = (self["priority"] ?? self["value"]?[".priority"]).flatMap { Scalar($0) }
    let node = Node(json: self["value"] ?? .null, priority: priority)
    return node.isEmpty ? priority.map { .nothing(priority: $0) } ?? .empty : node
  }

  /// The event types that are stated; `nil` when none is.
  fileprivate func events() throws(VocabularyError) -> Set<EventType>? {
    let names = self["events"]?.elements ?? self["event"].map { [$0] } ?? []
    var events: Set<EventType> = []
    for name in names { events.insert(try EventType(json: name)) }
    return events.isEmpty ? nil : events
  }
}

extension EventType {
  static let shape = Shape.word(allCases.map(\.rawValue))

  fileprivate init(json: JSON) throws(VocabularyError) {
    guard let type = json.string.flatMap(EventType.init(rawValue:)) else {
      throw VocabularyError(
        unknown: json.string ?? json.text, of: "an event type", known: Self.allCases.map(\.rawValue)
      )
    }
    self = type
  }
}

// MARK: - Queries

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
      default:
        let names = Self.fields.map(\.name)
        throw VocabularyError(unknown: member.name, of: "an argument of a query", known: names)
      }
    }
  }

  fileprivate static let shape = Shape.named("query", .object(fields))

  private static let fields: [Shape.Field] = {
    let scalar = Shape.either([.text, .number, .flag, .null])
    let bound = Shape.either([scalar, .object([.may("value", scalar), .may("key", .text)])])
    let bounds = ["startAt", "startAfter", "endAt", "endBefore", "equalTo"]
    return [.may("orderBy", .text)] + bounds.map { .may($0, bound) }
      + [.may("limitToFirst", .number), .may("limitToLast", .number)]
  }()

  /// The arguments of the query as `Query.init(arguments:)` reads them.
  public var arguments: JSON {
    var members: [JSON.Member] = []
    if let name = ordering.indexName { members.append(.init("orderBy", .string(name))) }
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
  fileprivate init(argument json: JSON, _ edge: Edge) {
    if json.members != nil {
      self.init(
        json["value"].flatMap { Scalar($0) }, key: json["key"]?.string.map { Key($0) }, edge: edge)
    } else {
      self.init(Scalar(json), edge: edge)
    }
  }

  fileprivate func name(_ inclusive: String, _ exclusive: String) -> String {
    edge == .inclusive ? inclusive : exclusive
  }

  fileprivate var argument: JSON {
    let value = value?.json ?? .null
    guard let key else { return value }
    return ["value": value, "key": .string(key.string)]
  }
}

// MARK: - Inspections

extension Inspection {
  /// Reads `{"path": "a/b", "ask": "key"}` and its like: the same words as in scenarios.
  ///
  /// - Throws: `VocabularyError` when nothing is named to be looked at, and for an argument that is
  ///   missing or of the wrong kind.
  fileprivate init(json: JSON) throws(VocabularyError) {
    let part = Path(try json.optionalText("of") ?? "")
    self.init(
      try Subject(json: json), of: part, try json.text("ask"), json["with"] ?? .null)
  }

  /// What `init(json:)` reads.
  fileprivate var members: [JSON.Member] {
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
    if let text = try json.optionalText("url") {
      self = .address(text)
    } else if let listener = try json.optionalText("snapshot") {
      self = .snapshot(ListenerID(listener), nth: json["nth"]?.integer)
    } else if let call = try json.optionalText("completion") {
      self = .completion(CallID(call))
    } else if let value = json["mutable"] {
      self = .mutableData(value, changes: try json.list("changes"))
    } else if json["query"] != nil {
      self = .query(Path(try json.text("path")), steps: try json.list("query"))
    } else if let path = try json.optionalText("path") {
      self = .reference(Path(path))
    } else {
      throw VocabularyError(
        "nothing is inspected; expected path, url, snapshot, completion or mutable")
    }
  }
}

// MARK: - Reactions

extension Reaction {
  /// Reads `{"listener": "feed", "event": "value", "nth": 2, "do": [{"id": "w", "op": "set", …}]}`.
  ///
  /// - Throws: `VocabularyError` when no callback is named, and for an argument that is missing or of
  ///   the wrong kind.
  fileprivate init(json: JSON) throws(VocabularyError) {
    var calls: [Call] = []
    for element in try json.list("do") {
      let operation = try Operation(json: element)
      if operation.kind == .on {
        throw VocabularyError("\"do\" states another reaction; expected calls only")
      }
      calls.append(Call(CallID(try element.text("id")), operation))
    }
    self.init(
      in: try Callback(json: json), nth: json["nth"] == nil ? 1 : try json.count("nth"), calls)
  }

  /// What `init(json:)` reads.
  fileprivate var members: [JSON.Member] {
    var members = callback.members
    if nth != 1 { members.append(.init("nth", .number(Double(nth)))) }
    let calls = calls.map { call in
      JSON.object([.init("id", .string(call.id.name))] + (call.operation.json.members ?? []))
    }
    return members + [.init("do", .array(calls))]
  }
}

extension Reaction.Callback {
  fileprivate init(json: JSON) throws(VocabularyError) {
    if json["listener"] != nil {
      let type = try json["event"].map { event throws(VocabularyError) in
        try EventType(json: event)
      }
      self = .event(ListenerID(try json.text("listener")), type)
    } else if let listener = try json.optionalText("cancel") {
      self = .cancel(ListenerID(listener))
    } else if let call = try json.optionalText("completion") {
      self = .completion(CallID(call))
    } else if let call = try json.optionalText("function") {
      self = .function(CallID(call))
    } else {
      throw VocabularyError(
        "no callback is named; expected listener, cancel, completion or function")
    }
  }

  fileprivate var members: [JSON.Member] {
    switch self {
    case let .event(listener, type):
      [.init("listener", .string(listener.name))]
        + (type.map { [.init("event", .string($0.rawValue))] } ?? [])
    case let .cancel(listener): [.init("cancel", .string(listener.name))]
    case let .completion(call): [.init("completion", .string(call.name))]
    case let .function(call): [.init("function", .string(call.name))]
    }
  }
}
