/// One page of the persistent tree that holds the children of a node.
///
/// A page is never changed once it is built, so that two trees can share pages: writing one child
/// copies the pages on the way to it and nothing else, and comparing two versions of a tree skips
/// every page they share.
final class ChildPage: Sendable {
  /// How many entries, or pages, a page holds at most.
  static let capacity = 32
  /// A page that falls below this is joined with a neighbour.
  static let minimum = 10

  /// The children, in key order. Empty in an inner page.
  let entries: [Children.Entry]
  /// The pages below, in key order. Empty in a leaf page.
  let pages: [ChildPage]
  let firstKey: Key
  /// How many children there are in this page and below.
  let count: Int
  /// How many of them have a priority.
  let prioritized: Int
  /// The sum of the digests of the children: it does not depend on how the pages are cut.
  let digest: UInt64
  /// Whether the server is to fill in a part of any of them.
  let hasServerValues: Bool

  /// - Precondition: `entries` is not empty and in key order.
  init(entries: [Children.Entry]) {
    self.entries = entries
    pages = []
    firstKey = entries[0].key
    count = entries.count
    var prioritized = 0
    var digest: UInt64 = 0
    var hasServerValues = false
    for index in entries.indices {
      digest &+= entries[index].digest
      if entries[index].node.hasPriority { prioritized += 1 }
      hasServerValues = hasServerValues || entries[index].node.hasServerValues
    }
    self.hasServerValues = hasServerValues
    self.prioritized = prioritized
    self.digest = digest
  }

  /// - Precondition: `pages` is not empty and in key order.
  init(pages: [ChildPage]) {
    entries = []
    self.pages = pages
    firstKey = pages[0].firstKey
    count = pages.reduce(0) { $0 + $1.count }
    prioritized = pages.reduce(0) { $0 + $1.prioritized }
    digest = pages.reduce(0) { $0 &+ $1.digest }
    hasServerValues = pages.contains { $0.hasServerValues }
  }

  /// The digest of a node with these children and nothing else.
  var fingerprint: Fingerprint {
    var fingerprint = Fingerprint()
    fingerprint.combine(digest)
    return fingerprint
  }

  var isLeaf: Bool { pages.isEmpty }
  /// How full the page is.
  var load: Int { isLeaf ? entries.count : pages.count }
}

extension ChildPage {
  /// The position of the first entry whose key is not before `key`.
  func entryIndex(of key: Key) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
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

  func node(at key: Key) -> Node? {
    guard isLeaf else { return pages[pageIndex(of: key)].node(at: key) }
    return position(of: key).map { entries[$0].node }
  }

  /// Where in this leaf the entry of `key` stands, if there is one. By digests: that is quicker
  /// than halving, because no key has to be looked at but the right one.
  func position(of key: Key) -> Int? {
    let bits = key.fingerprint.bits
    for index in entries.indices where entries[index].keyBits == bits {
      if entries[index].key == key { return index }
    }
    return nil
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
    guard isLeaf, entries.count < Self.capacity else { return nil }
    let known = position(of: key)
    let exists = known != nil
    if node.isEmpty {
      if !exists { return self }
      if entries.count == 1 { return nil }
    }
    if let known, entries[known].node.isIdentical(to: node) { return self }
    let index = known ?? entryIndex(of: key)
    let size = entries.count + (node.isEmpty ? -1 : exists ? 0 : 1)
    let next = index + (exists ? 1 : 0)
    // One by one: this is quicker for a few entries than to copy ranges of them.
    var changed: [Children.Entry] = []
    changed.reserveCapacity(size)
    for position in 0..<index { changed.append(entries[position]) }
    if !node.isEmpty { changed.append(Children.Entry(key, node)) }
    for position in next..<entries.count { changed.append(entries[position]) }
    return ChildPage(entries: changed)
  }

  private func settingEntry(_ node: Node, at key: Key) -> [ChildPage] {
    var entries = entries
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
      a.isLeaf ? cut(entries: a.entries + b.entries) : cut(pages: a.pages + b.pages)
    pages.replaceSubrange(left...(left + 1), with: joined)
  }

  private static func cut(entries: [Children.Entry]) -> [ChildPage] {
    if entries.isEmpty { return [] }
    if entries.count <= capacity { return [ChildPage(entries: entries)] }
    let middle = entries.count / 2
    return [
      ChildPage(entries: Array(entries[..<middle])), ChildPage(entries: Array(entries[middle...])),
    ]
  }

  private static func cut(pages: [ChildPage]) -> [ChildPage] {
    if pages.isEmpty { return [] }
    if pages.count <= capacity { return [ChildPage(pages: pages)] }
    let middle = pages.count / 2
    return [ChildPage(pages: Array(pages[..<middle])), ChildPage(pages: Array(pages[middle...]))]
  }

  /// A tree over all of `entries`, or `nil` when there are none.
  ///
  /// - Precondition: the entries are in key order, no key twice.
  static func tree(of entries: [Children.Entry]) -> ChildPage? {
    guard !entries.isEmpty else { return nil }
    let fill = capacity * 3 / 4
    if entries.count <= fill { return ChildPage(entries: entries) }
    var level = stride(from: 0, to: entries.count, by: fill).map { start in
      ChildPage(entries: Array(entries[start..<min(start + fill, entries.count)]))
    }
    while level.count > 1 {
      level = stride(from: 0, to: level.count, by: fill).map { start in
        ChildPage(pages: Array(level[start..<min(start + fill, level.count)]))
      }
    }
    return level[0]
  }
}
