/// A mistake in an expression, and where in it.
struct ExpressionError: Error, Hashable {
  /// The number of Unicode scalars before it.
  let offset: Int
  /// What is wrong; what was expected; how to correct it.
  let message: String

  init(at offset: Int, _ message: String) {
    self.offset = offset
    self.message = message
  }
}
