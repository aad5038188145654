/// What is known of a page as a whole.
struct PageSummary {
  /// The pages below, in key order. Empty in a leaf page.
  let pages: [ChildPage]
  /// How many children there are in the page and below.
  let count: Int
  /// How many of them have a priority.
  let prioritized: Int
  /// The sum of the digests of the children: it does not depend on how the pages are cut.
  let digest: UInt64
  /// Whether the server is to fill in a part of any of them.
  let hasServerValues: Bool
}

/// One page of the persistent tree that holds the children of a node.
///
/// A page is never changed once it is built, so that two trees can share pages: writing one child
/// copies the pages on the way to it and nothing else, and comparing two versions of a tree skips
/// every page they share. The children of a leaf page lie in the page itself, behind its summary.
final class ChildPage: ManagedBuffer<PageSummary, Children.Entry> {
  /// How many entries, or pages, a page holds at most.
  static let capacity = 32
  /// A page that falls below this is joined with a neighbour.
  static let minimum = 10

  /// A leaf page of so many children, made from the first to the last.
  ///
  /// - Precondition: There is at least one, and they are in key order.
  @inline(__always)
  static func leaf(_ count: Int, _ entry: (Int) -> Children.Entry) -> ChildPage {
    let page = create(minimumCapacity: count) { page in
      page.withUnsafeMutablePointerToElements { entries in
        var prioritized = 0
        var digest: UInt64 = 0
        var hasServerValues = false
        for position in 0..<count {
          let entry = entry(position)
          digest &+= entry.digest
          if entry.node.hasPriority { prioritized += 1 }
          hasServerValues = hasServerValues || entry.node.hasServerValues
          (entries + position).initialize(to: entry)
        }
        return PageSummary(
          pages: [], count: count, prioritized: prioritized, digest: digest,
          hasServerValues: hasServerValues)
      }
    }
    return unsafeDowncast(page, to: ChildPage.self)
  }

  static func leaf(of entries: ArraySlice<Children.Entry>) -> ChildPage {
    leaf(entries.count) { entries[entries.startIndex + $0] }
  }

  /// - Precondition: `pages` is not empty and in key order.
  static func inner(_ pages: [ChildPage]) -> ChildPage {
    let page = create(minimumCapacity: 0) { _ in
      PageSummary(
        pages: pages, count: pages.reduce(0) { $0 + $1.count },
        prioritized: pages.reduce(0) { $0 + $1.prioritized },
        digest: pages.reduce(0) { $0 &+ $1.digest },
        hasServerValues: pages.contains { $0.hasServerValues })
    }
    return unsafeDowncast(page, to: ChildPage.self)
  }

  deinit {
    // One by one: for several at once the runtime asks for their type.
    withUnsafeMutablePointers { summary, entries in
      guard summary.pointee.pages.isEmpty else { return }
      for position in 0..<summary.pointee.count { (entries + position).deinitialize(count: 1) }
    }
  }

  // Through pointers: a property of the buffer asks at each access whether another one is going on.

  /// The pages below, in key order. Empty in a leaf page.
  var pages: [ChildPage] { withUnsafeMutablePointerToHeader { $0.pointee.pages } }
  var isLeaf: Bool { withUnsafeMutablePointerToHeader { $0.pointee.pages.isEmpty } }
  var count: Int { withUnsafeMutablePointerToHeader { $0.pointee.count } }
  var prioritized: Int { withUnsafeMutablePointerToHeader { $0.pointee.prioritized } }
  var digest: UInt64 { withUnsafeMutablePointerToHeader { $0.pointee.digest } }
  var hasServerValues: Bool { withUnsafeMutablePointerToHeader { $0.pointee.hasServerValues } }

  /// The child at a position of a leaf page.
  subscript(position: Int) -> Children.Entry { withUnsafeMutablePointerToElements { $0[position] } }

  /// Shows the children of a leaf page where they lie, in key order; none of an inner page.
  @inline(__always)
  func withEntries<Result>(
    _ body: (UnsafeBufferPointer<Children.Entry>) -> Result
  ) -> Result {
    withUnsafeMutablePointers { summary, entries in
      let count = summary.pointee.pages.isEmpty ? summary.pointee.count : 0
      return body(UnsafeBufferPointer(start: entries, count: count))
    }
  }

  /// The first key in the page and below.
  var firstKey: Key { isLeaf ? self[0].key : pages[0].firstKey }

  /// The digest of a node with these children and nothing else.
  var fingerprint: Fingerprint {
    var fingerprint = Fingerprint()
    fingerprint.combine(digest)
    return fingerprint
  }

  /// How full the page is.
  var load: Int { isLeaf ? count : pages.count }
}

extension ChildPage? {
  /// Shows the children of a leaf page where they lie; none where there is no page.
  @inline(__always)
  func withEntries<Result>(
    _ body: (UnsafeBufferPointer<Children.Entry>) -> Result
  ) -> Result {
    if let page = self { page.withEntries(body) } else { body(.init(start: nil, count: 0)) }
  }
}

extension ChildPage {
  /// The position of the first entry whose key is not before `key`.
  func entryIndex(of key: Key) -> Int {
    withEntries { entries in
      var low = 0
      var high = entries.count
      while low < high {
        let middle = (low + high) / 2
        if entries[middle].key < key { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  /// The position of the page that holds `key` if any page does.
  func pageIndex(of key: Key) -> Int {
    var low = 0
    var high = pages.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if key < pages[middle].firstKey { high = middle - 1 } else { low = middle }
    }
    return low
  }

  /// The child at `key`; the empty node when there is none.
  func node(at key: Key) -> Node {
    guard isLeaf else { return pages[pageIndex(of: key)].node(at: key) }
    return position(of: key).map { self[$0].node } ?? .empty
  }

  /// Where in this leaf the entry of `key` stands, if there is one. By digests: that is quicker
  /// than halving, because no key has to be looked at but the right one.
  func position(of key: Key) -> Int? {
    let bits = key.fingerprint.bits
    return withEntries { entries in
      for index in entries.indices where entries[index].keyBits == bits {
        if entries[index].key == key { return index }
      }
      return nil
    }
  }
}

extension ChildPage {
  /// The pages that replace this one once `node` stands at `key`: none, one, or two.
  func setting(_ node: Node, at key: Key) -> [ChildPage] {
    isLeaf ? settingEntry(node, at: key) : settingInSubpage(node, at: key)
  }

  /// The page that replaces this one, where it is a leaf and neither splits nor goes: what nearly
  /// every write comes to, without the list of pages that `setting` has to make.
  func settingInLeaf(_ node: Node, at key: Key) -> ChildPage? {
    guard isLeaf, count < Self.capacity else { return nil }
    let known = position(of: key)
    let isRemoval = node.isEmpty
    if isRemoval, known == nil { return self }
    if isRemoval, count == 1 { return nil }
    let index = known ?? entryIndex(of: key)
    let growth = (isRemoval ? 0 : 1) - (known == nil ? 0 : 1)
    return withEntries { entries in
      if let known, entries[known].node.isIdentical(to: node) { return self }
      return Self.leaf(entries.count + growth) { position in
        if position == index, !isRemoval { return Children.Entry(key, node) }
        return entries[position < index ? position : position - growth]
      }
    }
  }

  private func settingEntry(_ node: Node, at key: Key) -> [ChildPage] {
    var entries = withEntries(Array.init)
    let index = entryIndex(of: key)
    let exists = index < entries.count && entries[index].key == key
    switch (exists, node.isEmpty) {
    case (true, true): entries.remove(at: index)
    case (true, false): entries[index] = Children.Entry(key, node)
    case (false, true): return [self]
    case (false, false): entries.insert(Children.Entry(key, node), at: index)
    }
    return Self.cut(entries: entries)
  }

  private func settingInSubpage(_ node: Node, at key: Key) -> [ChildPage] {
    let index = pageIndex(of: key)
    let replacement = pages[index].setting(node, at: key)
    var pages = pages
    pages.replaceSubrange(index...index, with: replacement)
    if let only = replacement.first, replacement.count == 1, only.load < Self.minimum {
      Self.join(at: index, in: &pages)
    }
    return Self.cut(pages: pages)
  }

  /// Joins a thin page with a neighbour, so that removals do not leave a trail of small pages.
  private static func join(at index: Int, in pages: inout [ChildPage]) {
    guard pages.count > 1 else { return }
    let left = index == 0 ? 0 : index - 1
    let a = pages[left]
    let b = pages[left + 1]
    let joined =
      a.isLeaf
      ? cut(entries: a.withEntries(Array.init) + b.withEntries(Array.init))
      : cut(pages: a.pages + b.pages)
    pages.replaceSubrange(left...(left + 1), with: joined)
  }

  private static func cut(entries: [Children.Entry]) -> [ChildPage] {
    if entries.isEmpty { return [] }
    if entries.count <= capacity { return [leaf(of: entries[...])] }
    let middle = entries.count / 2
    return [leaf(of: entries[..<middle]), leaf(of: entries[middle...])]
  }

  private static func cut(pages: [ChildPage]) -> [ChildPage] {
    if pages.isEmpty { return [] }
    if pages.count <= capacity { return [inner(pages)] }
    let middle = pages.count / 2
    return [inner(Array(pages[..<middle])), inner(Array(pages[middle...]))]
  }

  /// A tree over all of `entries`, or `nil` when there are none.
  ///
  /// - Precondition: the entries are in key order, no key twice.
  static func tree(of entries: [Children.Entry]) -> ChildPage? {
    guard !entries.isEmpty else { return nil }
    let fill = capacity * 3 / 4
    if entries.count <= fill { return leaf(of: entries[...]) }
    var level = stride(from: 0, to: entries.count, by: fill).map { start in
      leaf(of: entries[start..<min(start + fill, entries.count)])
    }
    while level.count > 1 {
      level = stride(from: 0, to: level.count, by: fill).map { start in
        inner(Array(level[start..<min(start + fill, level.count)]))
      }
    }
    return level[0]
  }
}
