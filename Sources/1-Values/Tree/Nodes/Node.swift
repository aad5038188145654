/// A value of the database: nothing, a scalar, or children; the last two may have a priority.
///
/// A node without children does not exist, so an empty mapping, `null` and a missing child are one
/// and the same value, `Node.empty` (VAL-2). Nodes are persistent: a copy is O(1), and a write
/// copies only the way to the location it changes.
public struct Node: Sendable {
  /// Unchecked: a page never changes once it is built, so any thread may read it.
  enum Storage: @unchecked Sendable {
    case empty
    case scalar(Scalar)
    /// Children without a priority of their own, as nearly all are.
    case parent(ChildPage)
    case boxed(Box)
  }

  /// What does not fit into a few words: whatever has a priority.
  final class Box: Sendable {
    let scalar: Scalar?
    let children: Children
    let priority: Scalar?
    let fingerprint: Fingerprint
    let hasServerValues: Bool

    init(scalar: Scalar?, children: Children, priority: Scalar?) {
      self.scalar = scalar
      self.children = children
      self.priority = priority
      var fingerprint = Fingerprint()
      if let scalar { scalar.combine(into: &fingerprint) }
      if let root = children.root { fingerprint.combine(root.digest) }
      if let priority {
        fingerprint.combine(7)
        priority.combine(into: &fingerprint)
      }
      self.fingerprint = fingerprint
      hasServerValues =
        scalar.isServerValue || priority.isServerValue || children.root?.hasServerValues ?? false
    }
  }

  let storage: Storage

  private init(_ storage: Storage) {
    self.storage = storage
  }

  /// Nothing: what stands wherever nothing was written.
  public static let empty = Node(.empty)

  /// Nothing together with a priority: what an application may hand over and nothing stores (PRI-13).
  public static func nothing(priority: Scalar) -> Node {
    Node(.boxed(Box(scalar: nil, children: Children(), priority: priority)))
  }

  /// A scalar, with a priority if one is given.
  public init(_ scalar: Scalar, priority: Scalar? = nil) {
    storage =
      priority == nil
      ? .scalar(scalar) : .boxed(Box(scalar: scalar, children: Children(), priority: priority))
  }

  /// A node with children; empty when there are none, whatever the priority (VAL-4).
  public init(_ children: Children, priority: Scalar? = nil) {
    storage =
      if let root = children.root {
        priority == nil
          ? .parent(root) : .boxed(Box(scalar: nil, children: children, priority: priority))
      } else { .empty }
  }
}

extension Node {
  /// Whether this is nothing at all, which has neither a value nor a priority (VAL-2, PRI-8).
  public var isEmpty: Bool {
    switch storage {
    case .empty: true
    case .scalar, .parent: false
    case let .boxed(box): box.scalar == nil && box.children.isEmpty
    }
  }

  /// What is stored of it: of nothing nothing, whatever priority came with it (PRI-13).
  public var stored: Node { isEmpty ? .empty : self }

  /// The scalar, or `nil` for an empty node and one with children.
  public var scalar: Scalar? {
    switch storage {
    case .empty, .parent: nil
    case let .scalar(scalar): scalar
    case let .boxed(box): box.scalar
    }
  }

  /// Whether this is a leaf: neither empty nor a node with children.
  public var isScalar: Bool {
    switch storage {
    case .empty, .parent: false
    case .scalar: true
    case let .boxed(box): box.scalar != nil
    }
  }

  /// The priority of this node itself, or `nil` when it has none (PRI-1).
  public var priority: Scalar? {
    if case let .boxed(box) = storage { box.priority } else { nil }
  }

  /// Whether this node itself has a priority.
  var hasPriority: Bool {
    if case let .boxed(box) = storage { box.priority != nil } else { false }
  }

  /// The children in key order; none for a scalar.
  public var children: Children {
    switch storage {
    case .empty, .scalar: Children()
    case let .parent(root): Children(root)
    case let .boxed(box): box.children
    }
  }

  /// A digest of value, children and priority that is the same in every process.
  public var fingerprint: Fingerprint {
    switch storage {
    case .empty: return Fingerprint(bits: 0)
    case let .scalar(scalar):
      var fingerprint = Fingerprint()
      scalar.combine(into: &fingerprint)
      return fingerprint
    case let .parent(root): return root.fingerprint
    case let .boxed(box): return box.fingerprint
    }
  }

  /// Whether the server is to fill in a part of it, be it a value or a priority (SRV-1).
  ///
  /// - Complexity: O(1).
  public var hasServerValues: Bool {
    switch storage {
    case .empty: false
    case let .scalar(scalar): scalar.isServerValue
    case let .parent(root): root.hasServerValues
    case let .boxed(box): box.hasServerValues
    }
  }

  /// The child at `key`. `.priority` names the priority, as a scalar node.
  ///
  /// - Complexity: O(log *n*) in the number of children.
  public subscript(key: Key) -> Node {
    switch storage {
    case .empty, .scalar: .empty
    case let .parent(root): key.isPriority ? .empty : root.node(at: key)
    case let .boxed(box):
      key.isPriority ? box.priority.map { Node($0) } ?? .empty : box.children[key]
    }
  }

  /// What is at `path` below this node.
  public subscript(path: Path) -> Node {
    path.keys.reduce(self) { $0[$1] }
  }
}

extension Node {
  /// This node with another priority. The empty node has none and stays empty (PRI-8).
  public func settingPriority(_ priority: Scalar?) -> Node {
    switch storage {
    case .empty: self
    case let .scalar(scalar): Node(scalar, priority: priority)
    case .parent: Node(children, priority: priority)
    case let .boxed(box):
      box.scalar.map { Node($0, priority: priority) } ?? Node(box.children, priority: priority)
    }
  }

  /// This node with `child` at `key`.
  ///
  /// A child put under a scalar replaces the scalar and keeps the priority; removing below a scalar
  /// changes nothing; with the last child the node and its priority go (VAL-10, VAL-4).
  ///
  /// - Complexity: O(log *n*) in the number of children.
  public func setting(_ child: Node, at key: Key) -> Node {
    if key.isPriority { return settingPriority(child.scalar) }
    // Nearly every write, and often of the same child again.
    if case let .parent(root) = storage, let page = root.settingInLeaf(child, at: key) {
      return page === root ? self : Node(.parent(page))
    }
    if isScalar, child.isEmpty { return self }
    var children = children
    let page = children.root
    children[key] = child
    // A scalar, which a child replaces, has no page.
    if let page, page === children.root { return self }
    return Node(children, priority: priority)
  }

  /// This node with several children set, as one change: first those that are not empty, then those
  /// that are removed, then the priority.
  ///
  /// - Complexity: O(*m* log *n*), or O(*m* + *n*) for *m* children in key order among *n* others,
  ///   whichever is less.
  package func setting(_ new: [(key: Key, node: Node)]) -> Node {
    let count = children.count
    guard new.count > 64, new.count > count / 8, !isScalar, new.last?.key != .priority else {
      return new.reduce(self) { $0.setting($1.node, at: $1.key) }
    }
    return Node(Children(children.map { ($0.key, $0.node) } + new), priority: priority)
  }

  /// This node with `node` at `path` below it.
  public func setting(_ node: Node, at path: Path) -> Node {
    setting(node, at: path.keys, from: 0)
  }

  private func setting(_ node: Node, at keys: [Key], from depth: Int) -> Node {
    if depth == keys.count { return node }
    let key = keys[depth]
    if depth + 1 == keys.count { return setting(node, at: key) }
    return setting(self[key].setting(node, at: keys, from: depth + 1), at: key)
  }
}

extension Node {
  /// Whether the two are one and the same, in O(1). Equal ones need not be: 0 and −0 are equal, and
  /// written differently.
  func isIdentical(to other: Node) -> Bool {
    switch (storage, other.storage) {
    case (.empty, .empty): true
    case let (.parent(a), .parent(b)): a === b
    case let (.boxed(a), .boxed(b)): a === b
    case let (.scalar(.number(a)), .scalar(.number(b))): a.bitPattern == b.bitPattern
    case let (.scalar(.bool(a)), .scalar(.bool(b))): a == b
    case let (.scalar(.string(a)), .scalar(.string(b))): a == b
    case (.empty, _), (.parent, _), (.boxed, _), (.scalar, _): false
    }
  }
}

extension Node: Hashable {
  /// Equality includes priorities, everywhere in the tree (VAL-8).
  ///
  /// - Complexity: O(1) for shared or obviously different nodes, O(*n*) otherwise.
  public static func == (a: Node, b: Node) -> Bool {
    switch (a.storage, b.storage) {
    case (.empty, .empty): true
    case let (.scalar(a), .scalar(b)): a == b
    case let (.parent(a), .parent(b)): Children(a) == Children(b)
    case let (.boxed(a), .boxed(b)):
      a === b
        || a.fingerprint == b.fingerprint && a.scalar == b.scalar && a.priority == b.priority
          && a.children == b.children
    case (.empty, _), (.scalar, _), (.parent, _), (.boxed, _): false
    }
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}
