extension Array {
  /// Takes everything out and keeps the room. For lists of a few elements this is much quicker than
  /// `removeAll(keepingCapacity:)`, which replaces a range of them by another one.
  @inlinable package mutating func removeAllKeepingStorage() {
    while popLast() != nil {}
  }
}
