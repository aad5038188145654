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
