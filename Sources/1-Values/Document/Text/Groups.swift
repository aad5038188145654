// Things put together in the order in which they came up.

extension Sequence {
  /// The elements with equal keys as one group each, in the order of the first of each group.
  ///
  /// - Complexity: O(n)
  package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [[Element]] {
    var groups: [[Element]] = []
    var indices: [Key: Int] = [:]
    for element in self {
      let key = key(element)
      if let index = indices[key] {
        groups[index].append(element)
      } else {
        indices[key] = groups.count
        groups.append([element])
      }
    }
    return groups
  }

  /// The elements that are the same as the first of a group as that group, in the order of these.
  ///
  /// - Complexity: O(n times the number of groups)
  package func grouped(where isSame: (_ first: Element, _ next: Element) -> Bool) -> [[Element]] {
    reduce(into: []) { groups, element in
      if let index = groups.firstIndex(where: { isSame($0[0], element) }) {
        groups[index].append(element)
      } else {
        groups.append([element])
      }
    }
  }
}

extension Sequence where Element: Hashable {
  /// Each element once, in the order of the first of equal ones.
  package func unique() -> [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}
