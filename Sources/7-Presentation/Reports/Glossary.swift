import Text

/// The terms of `Specs/glossary.md`.
package struct Glossary {
  private struct Entry {
    var term: String
    var meaning: String
    /// The words that are not used for it.
    var others: String
  }

  private var entries: [Entry] = []

  /// Reads the rows of the table: the term, its meaning, and words that are not used for it.
  package init(_ text: String) {
    for line in text.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { trimmedEnd(String($0.drop { $0 == " " })) }
      guard cells.count >= 4, cells[1] != "Term" else { continue }
      entries.append(Entry(term: cells[1], meaning: cells[2], others: cells[3]))
    }
  }

  /// The terms that a word is part of, or that are used in its place, with their meanings; all terms
  /// for the word `glossary`.
  package func text(about word: String) -> String {
    let word = word.lowercased()
    let found = entries.filter {
      word == "glossary" || "\($0.term) \($0.others)".lowercased().contains(word)
    }
    return found.map { entry in
      "\(entry.term)\n"
        + entry.meaning.wrapped(to: 76, cut: { word, _ in word })
        .map { "  \($0)\n" }.joined()
    }.joined()
  }
}
