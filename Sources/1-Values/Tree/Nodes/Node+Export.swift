extension Node {
  /// The node that `json` describes in export format (SNP-8): `.priority` beside the children,
  /// `{".value": …, ".priority": …}` for a scalar with a priority, `{".sv": …}` for what the server
  /// is to fill in. Lists become children with index keys; nulls and empty mappings vanish.
  ///
  /// Nothing is refused here. Other members that begin with a dot are ignored, as clients do;
  /// `NodeProblem.first(in:at:)` says what is wrong with a value before it is written.
  ///
  /// - Complexity: O(*n* log *n*).
  public init(json: JSON) {
    self.init(json: json, priority: nil)
  }

  /// The node that `json` describes in export format, with `priority` unless `json` names one itself.
  public init(json: JSON, priority: Scalar?) {
    switch json {
    case .null: self = .empty
    case let .bool(bool): self.init(Scalar.bool(bool), priority: priority)
    case let .number(number): self.init(Scalar.number(number), priority: priority)
    case let .string(text): self.init(Scalar.string(Text(text)), priority: priority)
    case let .array(elements):
      let children = elements.enumerated().map { (Key(String($0.offset)), Node(json: $0.element)) }
      self.init(Children(children), priority: priority)
    case let .object(members): self.init(members: members, json, priority: priority)
    }
  }

  private init(members: [JSON.Member], _ json: JSON, priority: Scalar?) {
    let priority = json[".priority"].map { Scalar($0) } ?? priority
    if let value = ServerValue(json) {
      self.init(Scalar.serverValue(value), priority: priority)
    } else if let value = json[".value"], value != .null {
      self.init(json: value, priority: priority)
    } else {
      let children = members.lazy.filter { $0.name.utf8.first != UInt8(ascii: ".") }
        .map { (Key($0.name), Node(json: $0.value)) }
      self.init(Children(children), priority: priority)
    }
  }

  /// This node in export format; members in key order, then `.priority`.
  ///
  /// - Complexity: O(*n*).
  public var json: JSON {
    if let scalar {
      guard let priority else { return scalar.json }
      return .object([.init(".value", scalar.json), .init(".priority", priority.json)])
    }
    if isEmpty { return priority.map { [".value": .null, ".priority": $0.json] } ?? .null }
    var members = children.map { JSON.Member($0.key.string, $0.node.json) }
    if let priority { members.append(.init(".priority", priority.json)) }
    return .object(members)
  }
}

extension Node: CustomStringConvertible {
  /// The canonical JSON text of the export format: that of `json`, without making it.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  public var description: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64)
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func write(to bytes: inout [UInt8]) {
    if isEmpty { return JSON.null.write(to: &bytes) }
    if let scalar, priority == nil { return scalar.write(to: &bytes) }
    let start = bytes.count
    if let scalar {
      Self.writeName(".value", to: &bytes, from: start)
      scalar.write(to: &bytes)
    }
    for entry in children {
      Self.writeName(entry.key.string, to: &bytes, from: start)
      entry.node.write(to: &bytes)
    }
    if let priority {
      Self.writeName(".priority", to: &bytes, from: start)
      priority.write(to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Appends the name of a member of the object whose text begins at `start`.
  private static func writeName(_ name: String, to bytes: inout [UInt8], from start: Int) {
    bytes.append(bytes.count == start ? UInt8(ascii: "{") : UInt8(ascii: ","))
    writeQuoted(name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }
}

extension Scalar {
  /// Appends the text of `json`, mostly without making it.
  fileprivate func write(to bytes: inout [UInt8]) {
    switch self {
    case let .number(number): bytes.append(contentsOf: canonicalText(of: number).utf8)
    case let .string(text): writeQuoted(text.string, to: &bytes)
    case .bool, .serverValue: json.write(to: &bytes)
    }
  }
}
