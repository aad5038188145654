internal import Tree

/// Other names for keys, in the same order.
///
/// What cannot be a key keeps its name, so that it is refused as before. Keys that the client makes
/// keep theirs as well, since they are unpredictable; so the order of the new names to push ids,
/// which begin with `-`, is that of the old ones.
struct Renaming: Sendable {
  /// What becomes of keys that are integers.
  var integers = Integers.kept
  /// Stands in front of all other keys; empty changes nothing.
  var prefix = ""
  /// Whether there are keys besides that clients make.
  var meetsPushIDs = false

  enum Integers: Sendable {
    case kept
    /// Ten times as far from each other. Then no value is a list any more.
    case stretched
  }

  static let none = Renaming()
  /// Sorts behind `-`, as all keys do that begin with a letter or a digit.
  static let usualPrefix = "k-"

  var changesNothing: Bool { prefix.isEmpty && integers == .kept }

  func callAsFunction(_ key: Key) -> Key {
    if key.problem != nil { return key }
    guard let integer = key.integer else { return Key(prefix + key.string) }
    return integers == .stretched ? Key(String(Int(integer) * 10 + 7)) : key
  }

  func callAsFunction(_ path: Path) -> Path { Path(path.keys.map { self($0) }) }

  /// The name of a member in a value, which may also be one such as `.priority`.
  func callAsFunction(_ name: String) -> String { self(Key(name)).string }

  /// Whether the order of this key to push ids and among integers stays.
  func keepsOrder(of key: Key) -> Bool {
    guard key.problem == nil else { return true }
    guard let integer = key.integer else {
      return prefix.isEmpty || !meetsPushIDs || key > Key("-~")
    }
    return integers == .kept || key.string == String(integer) && abs(Int(integer)) < 100_000_000
  }
}

// Values. Members of lists have indices as keys.

extension Renaming {
  func callAsFunction(_ node: Node) -> Node {
    guard !changesNothing, !node.children.isEmpty else { return node }
    return Node(
      Children(node.children.map { (self($0.key), self($0.node)) }), priority: node.priority)
  }

  /// A value in export or application format. What comes after a name with a dot is no value of
  /// the tree.
  func callAsFunction(_ json: JSON) -> JSON {
    switch json {
    case .null, .bool, .number, .string: json
    case let .array(elements):
      integers == .kept
        ? .array(elements.map { self($0) })
        : .object(
          elements.enumerated().map { JSON.Member(self(String($0.offset)), self($0.element)) })
    case let .object(members):
      .object(
        members.map {
          JSON.Member(self($0.name), $0.name.hasPrefix(".") ? $0.value : self($0.value))
        })
    }
  }
}
