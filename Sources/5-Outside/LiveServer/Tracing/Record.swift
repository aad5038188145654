public import Faults
public import Tree
public import Wire

extension Effect {
  /// What happened on a connection, as its client sees it, or at the server without one.
  public enum Record: Hashable, Sendable {
    case opened(Opening)
    /// Sent by the client; the text of the message on one line, without its framing.
    case sent(String)
    /// The same, but no JSON.
    case garbled(String)
    /// Sent by the client and under way: `arrived` follows, unless it is lost.
    case left(String)
    /// What was under way has arrived at the server.
    case arrived(ClientMessage)
    /// Sent by the server and under way: `received` follows, unless it is lost.
    case departed(ServerMessage)
    /// Sent to the client.
    case received(String)
    case closed(Ending)
    /// A client wrote by REST, and it was done.
    case wrote(Path, Node, namespace: String)
    case updated(Path, [Assignment], namespace: String)
    /// Something was done to the connection that its client has no part in: `cut`, `half-open`, …
    indirect case fault(IndexedFault)
  }

  /// How a connection began.
  public struct Opening: Hashable, Sendable {
    /// `wilddog` or `firebase`.
    public var dialect: String
    /// The name of the namespace that the client has opened.
    public var namespace: String
    /// The connection that the client had before, if it states that.
    public var previous: Int?
    /// What the client is called, if it says so or its port does.
    public var client: String?
    /// Whether it is a stream of events over HTTP, and no client of the protocol.
    public var isStream: Bool

    /// Describes the beginning of a connection, by default of a client of the protocol without a
    /// name.
    public init(
      dialect: String, namespace: String, previous: Int? = nil, client: String? = nil,
      isStream: Bool = false
    ) {
      self.dialect = dialect
      self.namespace = namespace
      self.previous = previous
      self.client = client
      self.isStream = isStream
    }
  }

  /// Who ended a connection.
  public enum Ending: Hashable, Sendable {
    /// The client, in good order.
    case client
    case server
    /// Its end was not announced.
    case lost
  }
}

extension Effect.Record {
  /// About how long its lines are, or more than `limit` if they are longer.
  package func byteCount(upTo limit: Int) -> Int {
    switch self {
    case let .sent(text), let .garbled(text), let .left(text), let .received(text):
      text.utf8.count
    case let .departed(message): message.byteCount(upTo: limit)
    case let .wrote(_, node, _): node.byteCount(upTo: limit)
    case let .updated(_, assignments, _): assignments.byteCount(upTo: limit)
    case .opened, .arrived, .closed, .fault: 0
    }
  }
}
