public import ClientInterface
public import Wire

/// What an armed fault waits for. It fires once.
public enum Trigger: Hashable, Sendable {
  /// An interval from the arming.
  case after(Interval)
  /// So many messages delivered, from the arming, to and from a client or one of the two.
  case count(Int, ClientIndex, FaultDirection)
  /// The `nth` such message since the arming, counted from 1; of any client if none is named.
  case message(Frame, of: ClientIndex?, nth: Int = 1, Edge)

  /// A kind of message.
  public enum Frame: Hashable, Sendable {
    /// From a client: a request; any if no action is named.
    case request(Request.Action?)
    case ping
    /// From the server: the answer to a request with this action, or any.
    ///
    /// The action is known of requests that arrived while a fault was armed.
    case answer(Request.Action?)
    /// The answer ok to a put or a merge.
    case acknowledgement
    /// A put or a merge.
    case data
    case hello
    case revoked
    case credentialRevoked
    case shutdown
    case reset
    case pong
  }

  /// On which side of the delivery.
  public enum Edge: String, CaseIterable, Hashable, Sendable {
    /// The message has not arrived yet, and will not if the fault breaks its connection.
    case before
    /// The message has arrived and everything that it caused at once has happened.
    case after
  }
}
