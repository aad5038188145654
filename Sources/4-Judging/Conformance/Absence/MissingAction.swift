public import ClientInterface
public import Trace

/// Something that a conforming client does in a run, given the same calls and messages, and that the
/// client under test never does.
public struct MissingAction: Hashable, Sendable {
  /// The client that does not do it.
  public var client: ClientIndex
  /// What the conforming client does.
  public var output: ClientOutput
  /// When it does it, from the start of the run.
  public var time: Interval
  /// The event of the trace because of which it does it.
  public var cause: Int
  /// Whether the client has done the same before: a request is sent again, a connection is asked for
  /// again.
  public var isAgain = false
}
