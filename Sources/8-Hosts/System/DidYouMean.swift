import Document

/// `; did you mean "run"?`, or nothing when nothing is near.
package func didYouMean(_ text: String, _ known: [String], prefix: String = "") -> String {
  let names = closestMatches(to: text, in: known).map { "\"\(prefix)\($0)\"" }
  return names.isEmpty ? "" : "; did you mean \(names.joined(separator: " or "))?"
}
