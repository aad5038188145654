extension String {
  /// The text with blanks behind it up to a width, and at least one.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(1, width - count))
  }
}
