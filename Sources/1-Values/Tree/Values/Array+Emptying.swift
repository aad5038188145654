extension Array {
  /// Takes everything out and keeps the room. For lists of a few elements this is much quicker than
  /// `removeAll(keepingCapacity:)`, which replaces a range of them by another one.
  @inlinable package mutating func removeAllKeepingStorage() {
    while popLast() != nil {}
  }

  /// Adds other elements, of which there are none in many cases: appending nothing to an empty array
  /// takes as long as making a new one.
  @inlinable package mutating func add(_ others: [Element]) {
    if others.isEmpty { return }
    if isEmpty { self = others } else { append(contentsOf: others) }
  }
}
