public import Tree

extension Query {
  /// The names that stand for "after every key" and "before every key" on the wire (WIR-14).
  private static let afterEveryKey = "[MAX_NAME]"
  private static let beforeEveryKey = "[MIN_NAME]"

  /// The query object of a listen. The default order, by priority, is not written.
  public func json(in dialect: Dialect) -> JSON {
    var members: [JSON.Member] = []
    func add(_ bound: Bound?, _ names: (String, String, String), _ exclusiveKey: String) {
      guard let bound else { return }
      members.append(.init(names.0, bound.value?.json ?? .null))
      if let key = bound.key {
        members.append(.init(names.1, .string(key.string)))
      } else if bound.edge == .exclusive, ordering != .key {
        members.append(.init(names.1, .string(exclusiveKey)))
      }
      if dialect.statesInclusion || bound.edge == .exclusive {
        members.append(.init(names.2, .bool(bound.edge == .inclusive)))
      }
    }
    add(start, ("sp", "sn", "sin"), Self.afterEveryKey)
    add(end, ("ep", "en", "ein"), Self.beforeEveryKey)
    switch limit {
    case let .first(count)?:
      members += [.init("l", .number(Double(count))), .init("vf", "l")]
    case let .last(count)?:
      members += [.init("l", .number(Double(count))), .init("vf", "r")]
    case nil: break
    }
    if let index = ordering.indexName { members.append(.init("i", .string(index))) }
    return .object(members)
  }

  /// Reads a query object that stands by itself.
  ///
  /// - Throws: `WireError`, which states what is wrong with it.
  public init(json: JSON) throws(WireError) {
    try self.init(json: json, reader: FieldReader(json, by: .client))
  }

  /// Reads a query object, which is a part of a message.
  init(json: JSON, reader: FieldReader) throws(WireError) {
    let query = reader.entering(json, "the query")
    guard json.members != nil else {
      throw query.fail("the query is \(json.kind), expected a mapping")
    }
    self.init()
    if json["i"] != nil { ordering = Ordering(indexName: try query.text("i")) }
    start = try Self.bound(query, ("sp", "sn", "sin"), Self.afterEveryKey, in: ordering)
    end = try Self.bound(query, ("ep", "en", "ein"), Self.beforeEveryKey, in: ordering)
    if json["l"] == nil { return }
    let count = try query.integer("l")
    guard count > 0 else {
      throw query.fail("\"l\" of the query is \(count), expected a positive number")
    }
    switch json["vf"] {
    case "l": limit = .first(count)
    case "r": limit = .last(count)
    case nil: limit = start == nil ? .last(count) : .first(count)
    case let side?:
      throw query.fail("\"vf\" of the query is \(side.text), expected \"l\" or \"r\"")
    }
  }

  /// Reads one end of a range.
  ///
  /// A key that all keys lie beyond, seen from the range, leaves out everything with the bound's
  /// value, and one at the other side leaves out nothing, whatever is said about inclusion
  /// (WIR-14). Without a key only the order by key has something to leave out.
  private static func bound(
    _ query: FieldReader, _ names: (String, String, String), _ exclusiveKey: String,
    in ordering: Ordering
  ) throws(WireError) -> Bound? {
    guard let value = query[names.0] else { return nil }
    if Scalar(value) == nil, value != .null {
      throw query.fail("\"\(names.0)\" of the query is \(value.kind), expected a scalar or null")
    }
    let inclusion = query[names.2]
    if let inclusion, inclusion.bool == nil {
      throw query.fail("\"\(names.2)\" of the query is \(inclusion.kind), expected a boolean")
    }
    let edge: Bound.Edge = inclusion?.bool == false ? .exclusive : .inclusive
    if query[names.1] == nil {
      guard edge == .inclusive || ordering == .key else {
        let problem = "\"\(names.2)\" of the query is false without \"\(names.1)\""
        throw query.fail("\(problem), expected \"\(exclusiveKey)\" there")
      }
      return Bound(Scalar(value), edge: edge)
    }
    let name = try query.text(names.1)
    switch name {
    case exclusiveKey: return Bound(Scalar(value), edge: .exclusive)
    case afterEveryKey, beforeEveryKey: return Bound(Scalar(value), edge: .inclusive)
    default: return Bound(Scalar(value), key: Key(name), edge: edge)
    }
  }
}

extension Query.Ordering {
  /// How the wire names this order, or `nil` for the default.
  public var indexName: String? {
    switch self {
    case .key: ".key"
    case .value: ".value"
    case .priority: nil
    case let .child(path): path.relativeText
    }
  }

  /// Reads the name of an order: `.key`, `.value`, `.priority`, or the path of a child.
  public init(indexName: String) {
    switch indexName {
    case ".key": self = .key
    case ".value": self = .value
    case ".priority": self = .priority
    default: self = .child(Path(indexName))
    }
  }
}

extension Query {
  /// One text for one query: what distinguishes queries at a location (QRY-21).
  public var identifier: String {
    self == Query.all ? "default" : json(in: .firebase).text
  }

  /// The query as the server knows it; `nil` for one that only orders (WIR-13). The wire does not
  /// say how far ranges reach.
  package var onWire: Query? { filters ? acrossKinds : nil }

  /// The query without what the wire does not say: how far its ranges reach.
  package var acrossKinds: Query {
    var query = self
    query.reach = .acrossKinds
    return query
  }

  /// The same without bounds that are null, as the server knows it.
  private var withoutNullBounds: Query? {
    var query = self
    if start?.value == nil { query.start = nil }
    if end?.value == nil { query.end = nil }
    return query.onWire
  }

  /// Whether a listen to one query shows what another asks for. A bound that is left out may be
  /// sent as the next one that is not, as clients do that are older than WIR-14, and one that is
  /// null as none (QRY-29).
  package static func isListen(_ sent: Query?, for wanted: Query?) -> Bool {
    if sent == wanted || sent == wanted?.withoutNullBounds { return true }
    guard let sent, let wanted else { return false }
    func mayBe(_ bound: Bound?, for other: Bound?) -> Bool {
      bound == other || bound != nil && other?.edge == .exclusive
    }
    return sent.ordering == wanted.ordering && sent.limit == wanted.limit
      && mayBe(sent.start, for: wanted.start) && mayBe(sent.end, for: wanted.end)
  }
}
