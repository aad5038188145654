/// A request of HTTP, decoded.
public struct HTTPRequest: Hashable, Sendable {
  /// One `name=value` behind the question mark.
  public struct Argument: Hashable, Sendable {
    /// What comes before the first `=`, or the whole text of a bare name.
    public var name: String
    /// What comes after the first `=`; empty for a bare name.
    public var value: String

    /// Takes both parts as they are, without splitting or decoding them.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }

    /// Reads `name=value` or a bare name.
    public init(_ text: String) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      self.init(String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
    }
  }

  /// `GET`, `PUT`, …
  public var method: String
  /// What comes before the question mark, without percent signs.
  public var path: String
  /// The arguments behind the question mark, in the order of the request, repeated ones included.
  public var arguments: [Argument]
  /// The headers that matter, by their names in small letters.
  public var headers: [String: String]
  /// The whole body, joined from its chunks; empty for none.
  public var body: [UInt8]
  private var owner: String?

  /// A request from its decoded parts; the names of headers must be in small letters.
  public init(
    _ method: String, _ path: String, _ arguments: [Argument] = [],
    headers: [String: String] = [:], body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.arguments = arguments
    self.headers = headers
    self.body = body
  }

  /// The header in which a page shows the token that it was given.
  public static let tokenHeader = "x-kennel-token"

  /// The headers that a server of this kind looks at.
  public static let headersOfInterest = [
    "accept", "accept-encoding", "access-control-request-headers", "access-control-request-method",
    "authorization", "content-type", "host", "if-match",
    "if-none-match", "origin", "sec-fetch-site", "x-firebase-etag", "x-http-method-override",
    tokenHeader,
  ]

  /// Whose request it is: the client to whom the port belongs, set by the code that takes
  /// connections, else the one that the argument `client` names; `nil` where it is not stated.
  public var client: String? {
    get { owner ?? argument("client").flatMap { $0.isEmpty ? nil : $0 } }
    set { owner = newValue }
  }

  /// The value of the last argument with this name.
  package func argument(_ name: String) -> String? {
    arguments.last { $0.name == name }?.value
  }

  /// The method that is meant: a `POST` may name another one.
  package var effectiveMethod: String {
    let argument = arguments.last { $0.name.lowercased() == "x-http-method-override" }?.value
    guard method == "POST", let other = headers["x-http-method-override"] ?? argument else {
      return method
    }
    return other.uppercased()
  }

  /// The namespace of requests that name none.
  package static let defaultNamespace = "default"

  /// The namespace that it names: an argument, or the first part of a host below `localhost`, or of a
  /// host of three parts such as `demo.wilddogio.com`.
  package var namespace: String {
    if let name = argument("ns"), !name.isEmpty { return name }
    let host = (headers["host"] ?? "").prefix { $0 != ":" }
    let labels = host.split(separator: ".")
    let isBelowLocalhost = labels.count == 2 && labels[1] == "localhost"
    let isDomain = labels.count == 3 && labels[2].contains { !$0.isNumber }
    return isBelowLocalhost || isDomain ? String(labels[0]).lowercased() : Self.defaultNamespace
  }

  /// Where the client has reached the server.
  package var host: String { headers["host"] ?? "localhost" }
}
