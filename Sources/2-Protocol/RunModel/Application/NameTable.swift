internal import Tree

/// The positions of the elements of a list, by the names that a scenario gives them.
///
/// A few names are compared one by one, the last one first, because what was named last is asked for
/// most. Many have a table.
@usableFromInline package struct NameTable<Name: Hashable & Sendable>: Sendable {
  /// From how many names on there is a table.
  @inlinable static var indexedCount: Int { 24 }
  /// For how many names there is room at first.
  @inlinable static var usualCount: Int { 6 }

  @usableFromInline var names: [Name] = []
  @usableFromInline var table: [Name: Int] = [:]

  /// Without any name.
  @inlinable package init() {}

  /// Where the element with a name stands; `nil` where there is none.
  @inlinable package subscript(name: Name) -> Int? {
    if names.count >= Self.indexedCount { return table[name] }
    var position = names.count
    while position > 0 {
      position -= 1
      if names[position] == name { return position }
    }
    return nil
  }

  /// Adds the name of the next element.
  ///
  /// - Precondition: No other element has it.
  @inlinable package mutating func append(_ name: Name) {
    if names.isEmpty { names.reserveCapacity(Self.usualCount) }
    names.append(name)
    if names.count == Self.indexedCount {
      for position in names.indices { table[names[position]] = position }
    } else if names.count > Self.indexedCount {
      table[name] = names.count - 1
    }
  }

  /// Takes out all names, and keeps the room for them.
  package mutating func removeAll() {
    names.removeAllKeepingStorage()
    if !table.isEmpty { table = [:] }
  }
}
