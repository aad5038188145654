/// Ids for the headings of a page, each once.
struct HeadingIDs {
  private var taken: Set<String>

  /// - Parameter taken: Ids that are given to something else on the page.
  init(taken: Set<String> = []) { self.taken = taken }

  /// The id of the next heading with these words: that by which GitHub knows it, so that links
  /// between documents work in both; repeated words are numbered.
  mutating func next(for words: String) -> String {
    let slug = Self.slug(words)
    var id = slug
    var count = 0
    while !taken.insert(id).inserted {
      count += 1
      id = "\(slug)-\(count)"
    }
    return id
  }

  private static func slug(_ words: String) -> String {
    let kept = words.lowercased().unicodeScalars.filter {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || " -_".unicodeScalars.contains($0)
    }
    return String(String.UnicodeScalarView(kept)).replacing(" ", with: "-")
  }
}
