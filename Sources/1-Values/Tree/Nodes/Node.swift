internal import CNettle

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

  /// Whether it or anything below it has a priority.
  ///
  /// - Complexity: O(size).
  package var hasPriorities: Bool {
    priority != nil || children.contains { $0.node.hasPriorities }
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

  /// This node without a priority at or below it.
  ///
  /// - Complexity: O(size).
  package var withoutPriorities: Node {
    if let scalar { return Node(scalar) }
    return Node(Children(children.map { ($0.key, $0.node.withoutPriorities) }))
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

  /// Appends the text as UTF-8.
  package func write(to bytes: inout [UInt8]) {
    let start = bytes.count
    switch storage {
    case .empty: return JSON.null.write(to: &bytes)
    case let .scalar(scalar): return scalar.write(to: &bytes)
    case let .parent(page): page.write(to: &bytes, from: start)
    case let .boxed(box):
      if isEmpty { return JSON.null.write(to: &bytes) }
      if let scalar = box.scalar {
        Self.writeName(".value", to: &bytes, from: start)
        scalar.write(to: &bytes)
      }
      box.children.root?.write(to: &bytes, from: start)
      if let priority = box.priority {
        Self.writeName(".priority", to: &bytes, from: start)
        priority.write(to: &bytes)
      }
    }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Appends the name of a member of the object whose text begins at `start`.
  fileprivate static func writeName(_ name: String, to bytes: inout [UInt8], from start: Int) {
    bytes.append(bytes.count == start ? UInt8(ascii: "{") : UInt8(ascii: ","))
    writeQuoted(name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }
}

extension ChildPage {
  /// Appends the members of the object whose text begins at `start`.
  fileprivate func write(to bytes: inout [UInt8], from start: Int) {
    forEachLeaf { entries in
      for index in entries.indices {
        Node.writeName(entries[index].key.string, to: &bytes, from: start)
        entries[index].node.write(to: &bytes)
      }
    }
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

extension Node {
  /// The hash by which client and server compare what they hold (HSH-2): base64 of a SHA-1, and
  /// the empty string for the empty node.
  ///
  /// - Complexity: O(*n* log *n*): children are hashed in priority order.
  public var hash: String {
    var text: [UInt8] = []
    return hash(&text)
  }

  /// What is hashed stands at the end of `text` meanwhile, behind that of the nodes above.
  private func hash(_ text: inout [UInt8]) -> String {
    if isEmpty { return "" }
    let start = text.count
    if let priority {
      text.append(contentsOf: "priority:".utf8)
      priority.writeHashText(to: &text)
      text.append(UInt8(ascii: ":"))
    }
    if let scalar {
      scalar.writeHashText(to: &text)
    } else {
      for child in Query.Ordering.priority.entries(of: children) {
        text.append(UInt8(ascii: ":"))
        text.append(contentsOf: child.key.string.utf8)
        text.append(UInt8(ascii: ":"))
        let hash = child.node.hash(&text)
        text.append(contentsOf: hash.utf8)
      }
    }
    defer { text.removeLast(text.count - start) }
    return sha1(text[start...], base64)
  }
}

extension Scalar {
  /// `type:value`; numbers as the sixteen hexadecimal digits of their IEEE double (HSH-4).
  func writeHashText(to bytes: inout [UInt8]) {
    switch self {
    case let .bool(bool): bytes.append(contentsOf: (bool ? "boolean:true" : "boolean:false").utf8)
    case let .number(number):
      bytes.append(contentsOf: "number:".utf8)
      bytes.append(contentsOf: Fingerprint(bits: number.bitPattern).description.utf8)
    case let .string(text):
      bytes.append(contentsOf: "string:".utf8)
      bytes.append(contentsOf: text.string.utf8)
    case let .serverValue(value): bytes.append(contentsOf: "deferred:\(value.json)".utf8)
    }
  }
}

/// The twenty bytes of the SHA-1 of `bytes`.
package func sha1(_ bytes: [UInt8]) -> [UInt8] { sha1(bytes[...]) { Array($0) } }

private func sha1<Result>(
  _ bytes: ArraySlice<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
  var context = sha1_ctx()
  nettle_sha1_init(&context)
  bytes.withUnsafeBufferPointer { nettle_sha1_update(&context, $0.count, $0.baseAddress) }
  return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(SHA1_DIGEST_SIZE)) { digest in
    nettle_sha1_digest(&context, digest.count, digest.baseAddress)
    return body(UnsafeBufferPointer(digest))
  }
}

/// Standard base64 with padding.
package func base64(_ bytes: [UInt8]) -> String { bytes.withUnsafeBufferPointer(base64) }

private func base64(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
  let length = (bytes.count + 2) / 3 * 4
  return String(unsafeUninitializedCapacity: length) { text in
    text.withMemoryRebound(to: CChar.self) { text in
      nettle_base64_encode_raw(text.baseAddress, bytes.count, bytes.baseAddress)
    }
    return length
  }
}

/// When a mapping whose keys are all indices reads as an array.
public enum ArrayReading: Hashable, Sendable {
  /// More than half of the indices from 0 to the largest have a value (SNP-6).
  case moreThanHalf
  /// The largest index is less than twice the number of children (SNP-7): exactly half is enough.
  case belowTwiceTheCount

  fileprivate func holds(count: Int, largest: Int) -> Bool {
    switch self {
    case .moreThanHalf: 2 * count > largest + 1
    case .belowTwiceTheCount: largest < 2 * count
    }
  }
}

extension Node {
  /// What `value` gives an application: no priorities, and arrays as the reading says (SNP-11).
  ///
  /// Each mapping is judged on its own (SNP-21); gaps of an array are null (SNP-20).
  ///
  /// - Complexity: O(*n*).
  public func plainJSON(_ arrays: ArrayReading) -> JSON {
    if let scalar { return scalar.json }
    if isEmpty { return .null }
    if let list = list(arrays) { return list }
    return .object(children.map { JSON.Member($0.key.string, $0.node.plainJSON(arrays)) })
  }

  private func list(_ arrays: ArrayReading) -> JSON? {
    var last = -1
    for entry in children {
      guard let index = entry.key.integer, index >= 0, String(index) == entry.key.string else {
        return nil
      }
      last = Int(index)
    }
    guard arrays.holds(count: children.count, largest: last) else { return nil }
    return .array((0...last).map { children[Key(String($0))].plainJSON(arrays) })
  }
}

extension Node {
  /// This node with every placeholder replaced by what it stands for.
  ///
  /// Time is in milliseconds since 1970; increments add to what is stored at the location.
  ///
  /// - Complexity: O(*n*) in what is written, whatever is stored.
  package func resolved(time: Double, over stored: Node) -> Node {
    guard hasServerValues else { return self }
    let priority = priority?.resolved(time: time, current: stored.priority)
    if let scalar {
      return Node(scalar.resolved(time: time, current: stored.scalar), priority: priority)
    }
    let children = children.map { ($0.key, $0.node.resolved(time: time, over: stored[$0.key])) }
    return Node(Children(children), priority: priority)
  }
}

extension Scalar {
  fileprivate func resolved(time: Double, current: Scalar?) -> Scalar {
    guard case let .serverValue(value) = self else { return self }
    return value.resolved(time: time, current: current)
  }
}
