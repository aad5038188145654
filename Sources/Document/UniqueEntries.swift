/// The entries of a mapping while it is being read; the first of two equal keys stays.
struct UniqueEntries {
  private(set) var entries: [DocumentNode.Entry] = []
  private var positions: [ExactKey: Position] = [:]

  /// Adds `entry` unless its key is taken.
  ///
  /// - Returns: the problem when it is.
  mutating func add(_ entry: DocumentNode.Entry) -> Problem? {
    if let first = positions.updateValue(entry.keyPosition, forKey: ExactKey(text: entry.key)) {
      positions[ExactKey(text: entry.key)] = first
      let mistake = TextMistake.duplicateKey(entry.key, first: first)
      return Problem(position: entry.keyPosition, message: mistake.message)
    }
    entries.append(entry)
    return nil
  }
}

/// A key compared by its scalars, as the database does, and not by canonical equivalence.
private struct ExactKey: Hashable {
  var text: String

  static func == (left: ExactKey, right: ExactKey) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
