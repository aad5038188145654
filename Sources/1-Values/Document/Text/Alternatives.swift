/// `a`, `a or b`, `a, b or c`.
package func alternatives(_ words: [String]) -> String {
  guard words.count > 1, let last = words.last else { return words.first ?? "nothing" }
  return words.dropLast().joined(separator: ", ") + " or " + last
}
