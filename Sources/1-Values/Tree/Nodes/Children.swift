/// The children of a node, in key order.
///
/// A persistent map: a copy is one reference, and setting a child leaves every older copy as it
/// was. Iteration is always in key order.
///
/// Unchecked: a page never changes once it is built, so any thread may read it.
public struct Children: @unchecked Sendable {
  /// A child with its key.
  public struct Entry: Sendable {
    /// The key of the child below its parent.
    public let key: Key
    /// The child with its priority and everything below it.
    public let node: Node
    /// What this child adds to the digest of its parent.
    let digest: UInt64
    /// The digest of the key: most keys are distinguished by it, without being looked at.
    let keyBits: UInt64

    /// Pairs a child with its key and computes what the pair adds to the parent's digest.
    public init(_ key: Key, _ node: Node) {
      self.key = key
      self.node = node
      var fingerprint = node.fingerprint
      keyBits = key.fingerprint.bits
      fingerprint.combine(keyBits)
      digest = fingerprint.bits
    }
  }

  var root: ChildPage?

  /// No children.
  public init() {
    root = nil
  }

  init(_ root: ChildPage) {
    self.root = root
  }

  /// The given children; empty nodes are left out, and of two with one key the later one counts.
  ///
  /// - Complexity: O(*n* log *n*), O(*n*) when they are in key order already.
  public init(_ children: some Sequence<(Key, Node)>) {
    var entries: [Entry] = []
    entries.reserveCapacity(children.underestimatedCount)
    var (isOrdered, isFull) = (true, true)
    for (key, node) in children {
      if let last = entries.last, last.key.order(to: key) >= 0 { isOrdered = false }
      if node.isEmpty { isFull = false }
      entries.append(Entry(key, node))
    }
    if !isOrdered {
      let indexed = entries.enumerated().sorted {
        let order = $0.element.key.order(to: $1.element.key)
        return order != 0 ? order < 0 : $0.offset < $1.offset
      }
      entries.removeAll(keepingCapacity: true)
      for (_, entry) in indexed {
        if entries.last?.key == entry.key { entries.removeLast() }
        entries.append(entry)
      }
    }
    root = ChildPage.tree(of: isFull ? entries : entries.filter { !$0.node.isEmpty })
  }

  /// Some children of another node, in any order.
  ///
  /// - Precondition: No key is there twice, and no node is empty.
  init(chosen entries: [Entry]) {
    for index in entries.indices.dropFirst() where entries[index].key < entries[index - 1].key {
      root = ChildPage.tree(of: entries.sorted { $0.key < $1.key })
      return
    }
    root = ChildPage.tree(of: entries)
  }

  /// How many children there are, in O(1); empty nodes are never among them.
  public var count: Int { root?.count ?? 0 }
  /// Whether there are no children, in which case the node that holds them is empty too (VAL-4).
  public var isEmpty: Bool { root == nil }

  /// How many children have a priority. While none has, key order is also priority order.
  public var prioritizedCount: Int { root?.prioritized ?? 0 }

  /// The child at `key`; the empty node when there is none. Setting the empty node removes.
  ///
  /// - Complexity: O(log *n*) either way.
  public subscript(key: Key) -> Node {
    get { root?.node(at: key) ?? .empty }
    set {
      guard let old = root else {
        if !newValue.isEmpty { root = ChildPage.leaf(1) { _ in Entry(key, newValue) } }
        return
      }
      if let page = old.settingInLeaf(newValue, at: key) {
        root = page
        return
      }
      let pages = old.setting(newValue, at: key)
      var top = pages.count > 1 ? ChildPage.inner(pages) : pages.first
      while let page = top, page.pages.count == 1 { top = page.pages[0] }
      root = top
    }
  }

  /// The last child whose key is before `key`, or `nil` when there is none.
  ///
  /// - Complexity: O(log *n*).
  public func key(before key: Key) -> Key? {
    var candidate: Key?
    var page = root
    while let current = page {
      if current.isLeaf {
        let index = current.entryIndex(of: key)
        return index > 0 ? current[index - 1].key : candidate
      }
      let index = current.pageIndex(of: key)
      if index > 0 { candidate = current.pages[index - 1].lastKey }
      page = current.pages[index]
    }
    return candidate
  }

  /// All keys, in key order.
  public var keys: [Key] {
    var keys: [Key] = []
    keys.reserveCapacity(count)
    root?.forEachLeaf { for entry in $0 { keys.append(entry.key) } }
    return keys
  }

  /// All children, in key order.
  var entries: [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(count)
    root?.forEachLeaf { for entry in $0 { entries.append(entry) } }
    return entries
  }
}

extension ChildPage {
  /// Shows the children page by page, in key order.
  func forEachLeaf(_ body: (UnsafeBufferPointer<Children.Entry>) -> Void) {
    if isLeaf { return withEntries(body) }
    for page in pages { page.forEachLeaf(body) }
  }

  var lastKey: Key { pages.last?.lastKey ?? self[count - 1].key }
}

extension Children: Sequence {
  /// Walks the pages from the first key to the last.
  public struct Iterator: IteratorProtocol {
    var cursor: Cursor

    /// The child with the next larger key, or `nil` after the last one; amortized O(1).
    public mutating func next() -> Entry? { cursor.next() }
  }

  /// Starts before the first key; later writes to the collection do not affect the iteration.
  public func makeIterator() -> Iterator {
    guard let root, root.isLeaf else { return Iterator(cursor: Cursor(root)) }
    // Nearly every node: without a list of the pages ahead.
    return Iterator(cursor: Cursor(leaf: root))
  }
  /// The exact number of children, in O(1).
  public var underestimatedCount: Int { count }
}

/// A location between two entries of a tree of pages.
struct Cursor {
  /// The pages not yet entered, the next one last.
  var ahead: [ChildPage]
  /// The leaf page that is being read, with the position in it.
  var leaf: ChildPage?
  var index = 0

  init(_ root: ChildPage?) {
    ahead = root.map { [$0] } ?? []
  }

  init(leaf: ChildPage) {
    ahead = []
    self.leaf = leaf
  }

  mutating func next() -> Children.Entry? {
    guard settle(), let leaf else { return nil }
    defer { advance() }
    return leaf[index]
  }

  /// Makes `leaf` the page with the next entry; `false` when there is none.
  mutating func settle() -> Bool {
    while leaf == nil {
      guard let page = ahead.popLast() else { return false }
      enter(page)
    }
    return true
  }

  mutating func enter(_ page: ChildPage) {
    if page.isLeaf {
      leaf = page
      index = 0
    } else {
      ahead.append(contentsOf: page.pages.reversed())
    }
  }

  mutating func advance() {
    index += 1
    if let page = leaf, index == page.count { leaf = nil }
  }
}

extension Children {
  /// One key at which two versions differ. A missing child is the empty node.
  public struct Difference: Sendable {
    /// The key of the child that was added, removed or changed.
    public let key: Key
    /// The child in the earlier version; the empty node when it was added since.
    public let old: Node
    /// The child in the later version; the empty node when it was removed.
    public let new: Node
  }

  /// The keys at which this version differs from `old`, in key order.
  ///
  /// - Complexity: O(*d* log *n*) when the versions share pages and *d* children differ; O(*n*)
  ///   when they share nothing.
  public func differences(from old: Children) -> [Difference] {
    if root === old.root { return [] }
    if root?.isLeaf ?? true, old.root?.isLeaf ?? true {
      return old.root.withEntries { old in
        root.withEntries { Self.differences(between: old, and: $0) }
      }
    }
    var differences: [Difference] = []
    var before = Cursor(old.root)
    var after = Cursor(root)
    while true {
      Self.skipShared(&before, &after)
      switch (before.settle(), after.settle()) {
      case (false, false): return differences
      case (true, false): before.next().map { differences.append(.init(removed: $0)) }
      case (false, true): after.next().map { differences.append(.init(added: $0)) }
      case (true, true): Self.compareNext(&before, &after, into: &differences)
      }
    }
  }

  /// The same for versions that are small, as nearly all are: without a list of pages.
  private static func differences(
    between old: UnsafeBufferPointer<Entry>, and new: UnsafeBufferPointer<Entry>
  ) -> [Difference] {
    var differences: [Difference] = []
    var (before, after) = (0, 0)
    while before < old.count || after < new.count {
      let order =
        after == new.count
        ? -1 : before == old.count ? 1 : old[before].key.order(to: new[after].key)
      if order < 0 {
        differences.append(.init(removed: old[before]))
      } else if order > 0 {
        differences.append(.init(added: new[after]))
      } else if old[before].node != new[after].node {
        differences.append(
          Difference(key: new[after].key, old: old[before].node, new: new[after].node))
      }
      if order <= 0 { before += 1 }
      if order >= 0 { after += 1 }
    }
    return differences
  }

  /// Passes over pages that both versions hold, as long as both stand at the start of a page.
  private static func skipShared(_ a: inout Cursor, _ b: inout Cursor) {
    while a.leaf == nil, b.leaf == nil, let x = a.ahead.last, let y = b.ahead.last {
      if x === y {
        a.ahead.removeLast()
        b.ahead.removeLast()
      } else if !x.isLeaf, y.isLeaf || x.count >= y.count {
        a.ahead.removeLast()
        a.enter(x)
      } else if !y.isLeaf {
        b.ahead.removeLast()
        b.enter(y)
      } else {
        return
      }
    }
  }

  private static func compareNext(
    _ before: inout Cursor, _ after: inout Cursor, into differences: inout [Difference]
  ) {
    guard let old = before.leaf?[before.index], let new = after.leaf?[after.index] else { return }
    let order = old.key.order(to: new.key)
    if order <= 0 { before.advance() }
    if order >= 0 { after.advance() }
    if order < 0 {
      differences.append(.init(removed: old))
    } else if order > 0 {
      differences.append(.init(added: new))
    } else if old.node != new.node {
      differences.append(Difference(key: new.key, old: old.node, new: new.node))
    }
  }
}

extension Children.Difference {
  fileprivate init(removed entry: Children.Entry) {
    self.init(key: entry.key, old: entry.node, new: .empty)
  }

  fileprivate init(added entry: Children.Entry) {
    self.init(key: entry.key, old: .empty, new: entry.node)
  }
}

extension Children: Equatable {
  /// - Complexity: O(1) for obviously different trees; else O(*n*), without the pages that they share.
  public static func == (a: Children, b: Children) -> Bool {
    if a.root === b.root { return true }
    guard let x = a.root, let y = b.root, x.count == y.count, x.digest == y.digest else {
      return false
    }
    guard x.isLeaf, y.isLeaf else { return a.differences(from: b).isEmpty }
    return x.withEntries { x in
      y.withEntries { y in
        x.indices.allSatisfy { x[$0].key == y[$0].key && x[$0].node == y[$0].node }
      }
    }
  }
}

extension Children {
  /// So many children at most, in key order, beginning behind `key`, or with the first.
  ///
  /// - Complexity: O(log *n* + *limit*).
  public func entries(after key: Key? = nil, limit: Int) -> [Entry] {
    var found: [Entry] = []
    if limit > 0 { root?.collect(after: key, limit: limit, into: &found) }
    return found
  }
}

extension ChildPage {
  fileprivate func collect(after key: Key?, limit: Int, into found: inout [Children.Entry]) {
    if isLeaf {
      var first = key.map(entryIndex(of:)) ?? 0
      if let key, first < count, self[first].key == key { first += 1 }
      for index in first..<min(count, first + limit - found.count) { found.append(self[index]) }
      return
    }
    let first = key.map(pageIndex(of:)) ?? 0
    for index in first..<pages.count where found.count < limit {
      pages[index].collect(after: index == first ? key : nil, limit: limit, into: &found)
    }
  }
}
