public import Tree

/// A value read from YAML or JSON, with the location where it was written.
///
/// Every value keeps its location, because a mistake in it is often found much later, by someone
/// who knows what the value means. A value that stands for a YAML alias has the location of the
/// alias; what is inside it has the locations where the anchored value was written.
public struct DocumentNode: Sendable {
  /// What kind of value was written, and the value without its own location.
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
    /// The key as text, with quotes and escapes resolved; a YAML number or truth value keeps the
    /// spelling it was written with.
    public var key: String
    /// Where the key begins in the text, for messages about the key rather than its value.
    public var keyPosition: Position
    /// The value after the colon, which has a position of its own.
    public var value: DocumentNode

    /// Makes an entry without looking at its siblings: the readers see to it that no key occurs
    /// twice.
    public init(key: String, keyPosition: Position, value: DocumentNode) {
      self.key = key
      self.keyPosition = keyPosition
      self.value = value
    }
  }

  /// What was written, with YAML aliases replaced by the values they stand for.
  public var content: Content
  /// Where the value begins in the text; for a YAML alias, where the alias is written.
  public var position: Position

  /// Makes a value that is said to begin at `position`; what it contains keeps its own positions.
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

extension DocumentNode {
  /// The members of a mapping by their keys.
  ///
  /// - Parameters:
  ///   - what: What the mapping is, for messages.
  ///   - keys: The keys that it may have.
  ///   - optional: Those of them that it need not have.
  ///   - examples: What stands behind keys that it must have, for messages.
  ///   - report: Gets every key that is unknown or missing, with its position.
  /// - Returns: `nil` when this is no mapping.
  package func fields(
    _ what: String, keys: [String], optional: [String] = [], examples: [String: String] = [:],
    report: (Position, String) -> Void
  ) -> [String: DocumentNode]? {
    guard case let .mapping(entries) = content else {
      let expected = "a mapping with the keys \(keys.joined(separator: ", "))"
      report(position, "\(what) is \(json.kind); expected \(expected)")
      return nil
    }
    var meant: [String] = []
    for entry in entries where !keys.contains(entry.key) {
      let near = closestMatches(to: entry.key, in: keys)
      meant += near.prefix(1)
      // A long list behind what was meant is not read.
      let list =
        near.isEmpty || keys.count <= 12 ? "; expected one of \(keys.joined(separator: ", "))" : ""
      report(entry.keyPosition, "unknown key \"\(entry.key)\"\(list)\(didYouMean(near))")
    }
    let lacking = keys.filter { key in
      !optional.contains(key) && !meant.contains(key) && !entries.contains { $0.key == key }
    }
    if !lacking.isEmpty { report(position, missing(lacking, in: what, examples)) }
    return Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { old, _ in old })
  }
}

/// What is said of a key that has to be there.
package func missing(_ key: String, in what: String) -> String { missing([key], in: what) }

/// The same of several.
private func missing(
  _ keys: [String], in what: String, _ examples: [String: String] = [:]
) -> String {
  let expected = keys.map { "\($0): \($0 == "kennel" ? "1" : examples[$0] ?? "...")" }
    .joined(separator: ", ")
  let lacking = keys.map { "no \($0)" }.joined(separator: ", ")
  return "\(what) has \(lacking); expected \(expected)"
}
