public import ClientInterface
public import Tree
public import Wire

/// One thing that happened in a run.
public struct TraceEvent: Hashable, Sendable {
  /// The position in the trace, from 0.
  public var sequence: Int
  /// The event that made this one happen, or `nil` for what a scenario's step did.
  ///
  /// Walking the causes gives the causal slice of a divergence.
  public var cause: Int?
  /// Virtual time, from 0 at the start of the run.
  public var time: Interval
  /// The step of the scenario during which this happened, from 0; -1 before the first.
  public var step: Int
  /// What happened, with the client concerned and what was handed over.
  public var kind: Kind

  /// What can happen in a run; a client is given by its index, data as they were at that moment.
  public enum Kind: Hashable, Sendable {
    /// The step itself: its own text, for reports.
    case step(String)
    /// A client was given an input.
    case input(ClientIndex, ClientInput)
    /// A client did something.
    case output(ClientIndex, ClientOutput)
    /// The server took a message from a client.
    case serverReceived(ClientIndex, ClientMessage)
    /// The server sent a message to a client.
    case serverSent(ClientIndex, ServerMessage)
    /// A message was in flight when its connection died.
    case lostToServer(ClientIndex, ClientMessage)
    case lostToClient(ClientIndex, ServerMessage)
    /// The server noticed that a client's connection began or ended.
    indirect case serverOpened(ClientIndex, session: String)
    indirect case serverClosed(ClientIndex, session: String)
    /// The network, a machine or the server changed, or a client did what has no effect.
    indirect case fault(Incident)
    /// Another client wrote at the server.
    indirect case serverWrite(Path, Node)
    indirect case serverUpdate(Path, [Assignment])
  }

  /// Takes every field as given; `Trace.append` makes events with the right sequence number.
  public init(sequence: Int, cause: Int?, time: Interval, step: Int, kind: consuming Kind) {
    self.sequence = sequence
    self.cause = cause
    self.time = time
    self.step = step
    self.kind = kind
  }
}
