public import Wire

/// Everything that can happen to a client.
public enum ClientInput: Hashable, Sendable {
  /// The process of the client starts. The first input, always.
  case open(Opening)
  /// The application calls the client.
  case call(CallID, Operation)
  /// The connection that the client asked for is up; the server's hello will follow.
  case opened
  /// The connection that the client asked for could not be made.
  case refused
  /// The server sent a message over the open connection.
  case frame(ServerMessage)
  /// The open connection is gone. Not raised for one that the client closed itself.
  case closed
  /// A timer that the client asked for is due.
  case timer(TimerID)
  /// The process of the client ends. The last input; nothing that it causes is looked at.
  case close

  /// What a client finds when it starts.
  public struct Opening: Hashable, Sendable {
    /// The host to connect to.
    public var host: String
    /// Where the client's own randomness (back-off, push ids) starts.
    public var seed: UInt64

    public init(host: String = "kennel.test", seed: UInt64 = 0) {
      self.host = host
      self.seed = seed
    }
  }
}
