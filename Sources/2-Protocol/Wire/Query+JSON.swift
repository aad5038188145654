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
    try self.init(json: json, reader: FieldReader(sender: .client, message: json))
  }

  /// Reads a query object.
  init(json: JSON, reader: FieldReader) throws(WireError) {
    guard json.members != nil else {
      throw reader.fail("the query is \(json.kind), expected a mapping")
    }
    self.init()
    if let index = json["i"] {
      guard let name = index.string else {
        throw reader.fail("\"i\" of the query is \(index.kind), expected a string")
      }
      ordering = Ordering(indexName: name)
    }
    start = try Self.bound(json, ("sp", "sn", "sin"), Self.afterEveryKey, reader)
    end = try Self.bound(json, ("ep", "en", "ein"), Self.beforeEveryKey, reader)
    if json["l"] != nil {
      let count = try reader.integer("l", of: json, in: "the query")
      guard count > 0 else {
        throw reader.fail("\"l\" of the query is \(count), expected a positive number")
      }
      switch json["vf"] {
      case "l": limit = .first(count)
      case "r": limit = .last(count)
      case nil: limit = start == nil ? .last(count) : .first(count)
      case let side?:
        throw reader.fail("\"vf\" of the query is \(side.text), expected \"l\" or \"r\"")
      }
    }
  }

  /// Reads one end of a range.
  ///
  /// A key that all keys lie beyond, seen from the range, leaves out everything with the bound's
  /// value, and one at the other side leaves out nothing, whatever is said about inclusion
  /// (WIR-14).
  private static func bound(
    _ json: JSON, _ names: (String, String, String), _ exclusiveKey: String, _ reader: FieldReader
  ) throws(WireError) -> Bound? {
    guard let value = json[names.0] else { return nil }
    if Scalar(value) == nil, value != .null {
      throw reader.fail("\"\(names.0)\" of the query is \(value.kind), expected a scalar or null")
    }
    if let inclusion = json[names.2], inclusion.bool == nil {
      throw reader.fail("\"\(names.2)\" of the query is \(inclusion.kind), expected a boolean")
    }
    let edge: Bound.Edge = json[names.2]?.bool == false ? .exclusive : .inclusive
    guard let key = json[names.1] else { return Bound(Scalar(value), edge: edge) }
    guard let name = key.string else {
      throw reader.fail("\"\(names.1)\" of the query is \(key.kind), expected a string")
    }
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
}
