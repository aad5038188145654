public import Tree

/// What a client sends.
///
/// The framing around it (segments, engine.io packets) is not part of a message.
public enum ClientMessage: Hashable, Sendable {
  /// A numbered request, to be answered by `ServerMessage.response` with the same number.
  indirect case request(Int, Request)
  /// A keep-alive that some clients ask for (WIR-16).
  case ping
}

/// What a client asks of the server.
public enum Request: Hashable, Sendable {
  indirect case listen(Listen)
  /// Ends a listen; the tag is the one it was made with.
  indirect case unlisten(Path, query: Query?, tag: Int?)
  /// Overwrites a location. A hash makes it conditional on the data that is there (WIR-8).
  indirect case put(Path, Node, hash: String?)
  /// Overwrites several locations at or below one, all or none of them.
  indirect case merge(Path, [Assignment], hash: String?)
  indirect case onDisconnectPut(Path, Node)
  indirect case onDisconnectMerge(Path, [Assignment])
  case onDisconnectCancel(Path)
  indirect case get(Path, Query)
  indirect case stats([Counter])
  indirect case authenticate(Credential)
  case unauthenticate

  /// A listen on one query at one location.
  public struct Listen: Hashable, Sendable {
    /// The location whose data and changes are asked for.
    public var path: Path
    /// The query, or `nil` for a listen on everything.
    public var query: Query?
    /// What the server marks this query's data with. Present exactly when there is a query.
    public var tag: Int?
    /// The hash of what the client holds (HSH-7).
    public var hash: String

    /// Makes a listen, by default on everything, by a client that holds nothing yet (HSH-7).
    public init(path: Path, query: Query? = nil, tag: Int? = nil, hash: String = "") {
      self.path = path
      self.query = query
      self.tag = tag
      self.hash = hash
    }
  }

  /// A usage counter, such as the name of the library.
  public struct Counter: Hashable, Sendable {
    /// What is counted, such as `sdk.kennel.firebase`; any text is allowed.
    public var name: String
    /// The count, without a unit; what is no number on the wire is read as 0.
    public var value: Double

    /// Makes a counter for a `stats` request.
    public init(_ name: String, _ value: Double) {
      self.name = name
      self.value = value
    }
  }

  /// Who the client says it is.
  public struct Credential: Hashable, Sendable {
    /// How the client signs in; the raw value is the action on the wire.
    public enum Kind: String, Hashable, Sendable {
      case token = "auth"
      case administrator = "gauth"
    }

    /// Whether the token stands for a user or for an administrator.
    public var kind: Kind
    /// The text from which the server learns who the client acts for.
    public var token: String

    /// Makes a credential, by default one that is sent with the action `auth`.
    public init(_ token: String, kind: Kind = .token) {
      self.kind = kind
      self.token = token
    }
  }
}

extension Request {
  /// The kinds of request, by the names that scenarios and reports use.
  public enum Action: String, CaseIterable, Hashable, Sendable {
    case listen
    case unlisten
    case put
    case merge
    case onDisconnectPut = "on-disconnect-put"
    case onDisconnectMerge = "on-disconnect-merge"
    case onDisconnectCancel = "on-disconnect-cancel"
    case get
    case stats
    case authenticate = "auth"
    case unauthenticate = "unauth"
  }

  /// The kind of this request, without its contents.
  public var action: Action {
    switch self {
    case .listen: .listen
    case .unlisten: .unlisten
    case .put: .put
    case .merge: .merge
    case .onDisconnectPut: .onDisconnectPut
    case .onDisconnectMerge: .onDisconnectMerge
    case .onDisconnectCancel: .onDisconnectCancel
    case .get: .get
    case .stats: .stats
    case .authenticate: .authenticate
    case .unauthenticate: .unauthenticate
    }
  }

  /// The location the request is about; `nil` for one about the connection.
  public var path: Path? {
    switch self {
    case let .listen(listen): listen.path
    case let .unlisten(path, _, _), let .put(path, _, _), let .merge(path, _, _),
      let .onDisconnectPut(path, _), let .onDisconnectMerge(path, _),
      let .onDisconnectCancel(path), let .get(path, _):
      path
    case .stats, .authenticate, .unauthenticate: nil
    }
  }
}
