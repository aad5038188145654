/// The candidates that `text` is probably a slip of, nearest first: what "did you mean" offers.
///
/// The same name in another spelling (`set-priority` for `setPriority`) is all that is offered. Otherwise
/// distance is the number of letters inserted, left out, replaced, or swapped with their neighbour,
/// ignoring case. A candidate further away than a third of the length of `text` (but one slip is
/// always forgiven) is no suggestion: a wrong hint costs the reader more than none. Where none is near, longer
/// and shorter forms are (`val` for `value`, `prevKey` for `prev`).
///
/// - Parameters:
///   - text: What was written.
///   - candidates: What could have been meant; its order decides between equally near ones.
/// - Returns: At most three candidates, none of them twice.
/// - Complexity: O(*n* · *m*) letters for each candidate.
public func closestMatches(to text: String, in candidates: [String]) -> [String] {
  let near = slips(for: text, in: candidates)
  return near.isEmpty ? otherForms(of: text, in: candidates) : near
}

/// The same without longer and shorter forms, where these are names of their own.
package func slips(for text: String, in candidates: [String]) -> [String] {
  let same =
    candidates.contains(text) ? [] : candidates.filter { letters(of: $0) == letters(of: text) }
  if let first = same.first { return [first] }
  let written = Array(text.lowercased())
  let limit = max(1, written.count / 3)
  var found: [(distance: Int, position: Int, candidate: String)] = []
  for (position, candidate) in candidates.enumerated() {
    guard !found.contains(where: { $0.candidate == candidate }) else { continue }
    let letters = Array(candidate.lowercased())
    // As many letters have to be added, or left out. A file may have a mistake in each of its lines.
    guard abs(letters.count - written.count) <= limit else { continue }
    let distance = editDistance(written, letters)
    guard distance <= limit else { continue }
    found.append((distance, position, candidate))
    found.sort { ($0.distance, $0.position) < ($1.distance, $1.position) }
    if found.count > 3 { found.removeLast() }
  }
  return found.map(\.candidate)
}

/// At most three candidates that begin with what was written, or that it begins with.
private func otherForms(of text: String, in candidates: [String]) -> [String] {
  let (short, long) = (3, 4)
  let written = letters(of: text)
  guard written.count >= short, written.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "/" })
  else {
    return []
  }
  let forms = candidates.filter { candidate in
    let other = letters(of: candidate)
    return other.hasPrefix(written) || other.count >= long && written.hasPrefix(other)
  }
  return Array(forms.prefix(3))
}

/// A name in small letters, without what separates its words.
package func letters(of name: String) -> String {
  name.lowercased().filter { $0 != "-" && $0 != "_" }
}

/// `; did you mean a, b or c?`; something else where nothing is near.
package func didYouMean(_ near: [String], orElse other: String = "") -> String {
  near.isEmpty ? other : "; did you mean \(alternatives(near))?"
}

/// The same for a slip of what is known, in quotes: `; did you mean "--seed"?`.
package func didYouMean(
  _ text: String, _ known: [String], prefix: String = "", orElse other: String = ""
) -> String {
  didYouMean(
    closestMatches(to: text, in: known).map { "\"\(prefix)\($0)\"" }, orElse: other)
}

/// `; did you mean "the nearest"?`, or `; expected one of a, b` where nothing is near; of many those that begin
/// with the same word, such as `isString` for `isInt`.
package func closestOrAll(to text: String, in candidates: [String]) -> String {
  if let nearest = closestMatches(to: text, in: candidates).first {
    return "; did you mean \"\(nearest)\"?"
  }
  let start = text.prefix(while: \.isLowercase)
  let alike = candidates.filter {
    $0.hasPrefix(start) && $0.dropFirst(start.count).first?.isLowercase == false
  }
  return candidates.count > 8 && start.count > 1 && !alike.isEmpty
    ? "; expected one such as \(alternatives(alike))"
    : "; expected one of \(candidates.joined(separator: ", "))"
}

/// Damerau-Levenshtein distance in its restricted form: no letter takes part in two edits.
private func editDistance(_ first: [Character], _ second: [Character]) -> Int {
  var beforePrevious = Array(0...second.count)
  var previous = beforePrevious
  var current = beforePrevious
  for row in 1..<(first.count + 1) {
    current[0] = row
    for column in 1..<(second.count + 1) {
      let replaced = previous[column - 1] + (first[row - 1] == second[column - 1] ? 0 : 1)
      var best = min(replaced, previous[column] + 1, current[column - 1] + 1)
      let swapped =
        row > 1 && column > 1 && first[row - 1] == second[column - 2]
        && first[row - 2] == second[column - 1]
      if swapped { best = min(best, beforePrevious[column - 2] + 1) }
      current[column] = best
    }
    // The oldest row is the room for the next one.
    swap(&beforePrevious, &previous)
    swap(&previous, &current)
  }
  return previous[second.count]
}
