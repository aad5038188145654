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
