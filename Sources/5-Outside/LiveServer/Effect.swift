public import Faults
internal import ReferenceServer
public import RunModel
public import Tree
public import Wire

/// Names what a client has opened: a WebSocket, or a request of HTTP that has no answer yet.
/// The caller does the input and output and chooses the numbers and uses each of them once.
public struct Socket: Hashable, Comparable, Sendable {
  /// The number that the host chose, never used for another socket.
  public var number: Int

  /// Names a socket by a number that has not been used before.
  public init(_ number: Int) { self.number = number }
  public static func < (a: Socket, b: Socket) -> Bool { a.number < b.number }
}

/// What is to be done, in this order.
public enum Effect: Hashable, Sendable {
  /// Send one text frame over a WebSocket.
  case send(Socket, String)
  /// Answer a request.
  case respond(Socket, HTTPResponse)
  /// Answer a request with a stream that has only begun: the body goes on with `write`.
  case begin(Socket, HTTPResponse)
  /// Send more of a stream.
  case write(Socket, String)
  /// Close, after everything that was sent before. The code is one of WebSockets; streams have
  /// none.
  case close(Socket, code: Int, reason: String)
  /// Do this, in another thread or later, and hand the outcome to ``LiveServer/resume(with:at:into:)``.
  indirect case work(LargeWork)
  /// Keep this of a connection in its recording.
  case record(Record, connection: Int)
  /// Hand this on to the server elsewhere that does what clients ask.
  case relay(Relayed, connection: Int)
  /// Report to the operator of the server why a connection was closed, and the like.
  case reportProblem(String, connection: Int)
  /// Report that a fault has happened. It is a record as well, where records are kept.
  indirect case fault(IndexedFault)
  /// Report to the operator of the server something that the protocol does not allow, or advise.
  indirect case found(WireFinding, connection: Int)
}

extension Effect {
  /// What arrives at a server elsewhere.
  public enum Relayed: Hashable, Sendable {
    /// A client wants a connection, in this framing.
    case opened(Dialect)
    case message(ClientMessage)
    /// A request of REST, which is answered over a connection of its own.
    case asked(HTTPRequest)
    /// The connection has ended, or a stream of events.
    case closed
    /// A write of no client.
    case change(ServerWrite)
    /// Something that no client may do from now on.
    case denied(SecurityRule)
  }

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

extension LiveServer {
  /// Whether messages are recorded at both ends of their way.
  var recordsBothEnds: Bool { settings.recordsBothEnds && isDisturbed }

  mutating func record(_ record: Effect.Record, _ number: Int) {
    if settings.isRecorded { effects.append(.record(record, connection: number)) }
  }

  /// Records a request of REST that was done, if it wrote something.
  mutating func recordWrite(
    _ request: Request, in namespace: String, _ id: ReferenceServer.ConnectionID
  ) {
    switch request {
    case let .put(path, node, _):
      record(.wrote(path, node, namespace: namespace), id.number)
    case let .merge(path, assignments, _):
      record(.updated(path, assignments, namespace: namespace), id.number)
    default: break
    }
  }
}
