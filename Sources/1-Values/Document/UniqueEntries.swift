import Tree

/// The entries of a mapping while it is being read; the first of two equal keys stays.
package struct UniqueEntries {
  package private(set) var entries: [DocumentNode.Entry] = []
  private var positions: [Text: Position] = [:]

  package init() {}

  /// Adds `entry` unless its key is taken, and notes what is wrong with the key.
  package mutating func add(_ entry: DocumentNode.Entry, problems: inout [DocumentError]) {
    if let first = positions[Text(entry.key)] {
      let mistake = TextError.duplicateKey(entry.key, first: first)
      problems.append(DocumentError(at: entry.keyPosition, mistake.message))
      return
    }
    if entry.key.utf8.contains(0) {
      let mistake = TextError.nulInKey
      problems.append(DocumentError(at: entry.keyPosition, mistake.message))
    }
    positions[Text(entry.key)] = entry.keyPosition
    entries.append(entry)
  }
}
