/// The last step before words for a fault or a reason are printed.
///
/// Nothing but a printer asks for such words. A test has them all changed, and sees that every run
/// is judged as before.
package enum Words {
  /// What is printed in place of the usual words.
  @TaskLocal package static var change: @Sendable (String) -> String = { $0 }

  /// The words as they are printed.
  package static func printed(_ text: String) -> String { change(text) }
}
