package import ClientInterface

/// Something that a conforming client does in a run, given the same calls and messages, and that the
/// client under test never does.
package struct MissingAction: Hashable, Sendable {
  /// The client that does not do it.
  package var client: ClientIndex
  /// What the conforming client does.
  package var output: ClientOutput
  /// When it does it, from the start of the run.
  package var time: Interval
  /// The event of the trace because of which it does it.
  package var cause: Int
  /// Whether the client has done the same before: a request is sent again, a connection is asked for
  /// again.
  package var isAgain = false
}
