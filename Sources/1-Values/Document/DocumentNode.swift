public import Tree

/// A value read from YAML or JSON, with the location where it was written.
///
/// Every value keeps its location, because a mistake in it is often found much later, by somebody
/// who knows what the value means. A value that stands for a YAML alias has the location of the
/// alias; what is inside it has the locations where the anchored value was written.
public struct DocumentNode: Sendable {
  public enum Content: Sendable {
    case null
    case bool(Bool)
    /// Always finite.
    case number(Double)
    case string(String)
    case list([DocumentNode])
    /// In the order of the text; no key occurs twice.
    case mapping([Entry])
  }

  /// One `key: value` of a mapping.
  public struct Entry: Sendable {
    public var key: String
    public var keyPosition: Position
    public var value: DocumentNode

    public init(key: String, keyPosition: Position, value: DocumentNode) {
      self.key = key
      self.keyPosition = keyPosition
      self.value = value
    }
  }

  public var content: Content
  public var position: Position

  public init(_ content: Content, at position: Position) {
    self.content = content
    self.position = position
  }
}

extension DocumentNode {
  /// The same value without locations.
  public var json: JSON {
    switch content {
    case .null: .null
    case let .bool(bool): .bool(bool)
    case let .number(number): .number(number)
    case let .string(string): .string(string)
    case let .list(nodes): .array(nodes.map(\.json))
    case let .mapping(entries): .object(entries.map { JSON.Member($0.key, $0.value.json) })
    }
  }

  /// The value of the member `key`, or `nil` when this is no mapping or has no such member.
  ///
  /// Keys are compared scalar by scalar: an `é` of one scalar is not an `é` of two.
  ///
  /// - Complexity: O(*n*) in the number of members.
  public subscript(key: String) -> DocumentNode? {
    guard case let .mapping(entries) = content else { return nil }
    return entries.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }
}
