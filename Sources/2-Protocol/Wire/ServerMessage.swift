public import Tree

/// What the server sends.
public enum ServerMessage: Hashable, Sendable {
  /// The first message of a connection (WIR-1).
  indirect case hello(Hello)
  /// The answer to a request.
  indirect case response(Response)
  /// The data at a location, whole. A tag makes it data for that query alone (WIR-7).
  indirect case put(Path, Node, tag: Int?)
  /// New data at several locations at or below one, to be taken as one change (EVT-14).
  indirect case merge(Path, [Assignment], tag: Int?)
  /// The server ended a listen: access was taken away (ACC-10).
  indirect case revoked(Path, queries: [Query]?)
  indirect case credentialRevoked(status: String, reason: String)
  /// Do not come back.
  indirect case shutdown(String)
  /// Close, and connect to this host instead.
  indirect case reset(host: String)
  case pong
  /// Text for the developer.
  indirect case notice(String)
  /// Something this vocabulary has no word for. Clients ignore it.
  indirect case other(JSON)

  /// What the server sends about itself and the connection in hello (WIR-1).
  public struct Hello: Hashable, Sendable {
    /// The server's clock, in milliseconds since 1970.
    public var timestamp: Double
    /// The version of the protocol; a conforming server states `Dialect.version`.
    public var version: String
    /// The host that the client is to connect to next time.
    public var host: String
    /// The server's name for the session of this connection.
    public var session: String

    /// Makes a hello; `timestamp` is the server's clock in milliseconds since 1970.
    public init(timestamp: Double, version: String, host: String, session: String) {
      self.timestamp = timestamp
      self.version = version
      self.host = host
      self.session = session
    }
  }

  /// The one answer to a numbered request of the client.
  public struct Response: Hashable, Sendable {
    /// The number of the request that is answered.
    public var request: Int
    /// `ok`, or an error code (ERR-5).
    public var status: String
    /// What was asked for, or beside an error code a text for people; null where the message has
    /// none.
    public var payload: JSON

    /// What most answers carry, made once.
    public static let emptyObject = JSON.object([])

    /// Makes the answer to the request with the number `request`: by default success without data.
    public init(to request: Int, status: String = "ok", payload: JSON = Response.emptyObject) {
      self.request = request
      self.status = status
      self.payload = payload
    }
  }
}
