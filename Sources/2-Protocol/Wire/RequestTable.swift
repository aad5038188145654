/// What is known of requests, by their numbers.
///
/// Numbers rise and answers come in the order of requests, nearly always. So this is a list that
/// grows at its end and shrinks at its beginning; everything else takes longer, and works as well.
@usableFromInline package struct RequestTable<Value> {
  @usableFromInline var entries: [Entry]
  /// The entries before this one are gone.
  @usableFromInline var first: Int
  /// How many requests there are.
  @usableFromInline package internal(set) var count: Int

  @usableFromInline struct Entry {
    @usableFromInline let number: Int
    @usableFromInline var value: Value?

    @inlinable init(number: Int, value: Value?) {
      self.number = number
      self.value = value
    }
  }

  /// Without any request.
  @inlinable package init() { (entries, first, count) = ([], 0, 0) }

  /// What is known of all requests, by rising numbers.
  @inlinable package var values: [Value] { entries[first...].compactMap(\.value) }

  /// What is known of a request; `nil` where nothing is. Setting `nil` forgets the request.
  ///
  /// - Complexity: O(1) for the first one and for the one after the last, O(log *n*) for others,
  ///   O(*n*) to add one with a smaller number than the last.
  @inlinable package subscript(number: Int) -> Value? {
    get { index(of: number).flatMap { entries[$0].value } }
    set {
      guard let newValue else {
        _ = removeValue(forKey: number)
        return
      }
      if let index = index(of: number) {
        if entries[index].value == nil { count += 1 }
        entries[index].value = newValue
        return
      }
      add(newValue, for: number)
    }
  }

  /// Adds what is known of a request of which nothing is.
  @inlinable package mutating func add(_ value: consuming Value, for number: Int) {
    count += 1
    let index = insertionIndex(of: number)
    if index < entries.count {
      entries.insert(Entry(number: number, value: value), at: index)
    } else {
      if entries.capacity == 0 { entries.reserveCapacity(8) }
      entries.append(Entry(number: number, value: value))
    }
  }

  /// Takes out what is known of a request; `nil` where nothing is.
  @inlinable package mutating func removeValue(forKey number: Int) -> Value? {
    guard let index = index(of: number), let value = entries[index].value.take() else { return nil }
    count -= 1
    trim()
    return value
  }

  @inlinable package mutating func removeAll() {
    if entries.isEmpty { return }
    entries.removeAll(keepingCapacity: true)
    (first, count) = (0, 0)
  }

  @inlinable func index(of number: Int) -> Int? {
    guard first < entries.count else { return nil }
    if entries[first].number == number { return first }
    let index = insertionIndex(of: number)
    return index < entries.count && entries[index].number == number ? index : nil
  }

  @inlinable func insertionIndex(of number: Int) -> Int {
    var (low, high) = (first, entries.count)
    if low < high, entries[high - 1].number < number { return high }
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Lets go of what is gone at the beginning, when it is as much as what is left.
  @inlinable mutating func trim() {
    while first < entries.count, entries[first].value == nil { first += 1 }
    if first == entries.count {
      // One by one: to take out a range takes longer than the few that there are.
      while entries.popLast() != nil {}
      first = 0
    } else if first > 16, first * 2 > entries.count {
      entries.removeSubrange(..<first)
      first = 0
    }
  }
}

extension RequestTable: Sendable where Value: Sendable {}

extension RequestTable.Entry: Sendable where Value: Sendable {}
