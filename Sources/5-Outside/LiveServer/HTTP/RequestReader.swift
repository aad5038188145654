import Tree

/// Cuts what arrives on one connection into requests of HTTP/1.1, whatever the pieces it arrives
/// in.
///
/// Bodies may come in chunks; requests may come before the last one is answered. Nothing is kept
/// that is beyond the bounds: 16 KiB for a head, and what the caller says for a body.
public struct RequestReader: Sendable {
  /// What the bytes so far come to.
  public enum Outcome: Hashable, Sendable {
    /// Nothing more, until more has arrived.
    case nothing
    /// The client wants to receive `100 Continue` before it sends the body.
    case expectContinue
    /// A request; with `isLast` nothing after it is read.
    case request(HTTPRequest, isLast: Bool)
    /// A request for a WebSocket, with its key. What has arrived after it is of the WebSocket, and
    /// is `rest`.
    case webSocket(HTTPRequest, key: String)
    /// Something that is no request. Nothing after it is read: where the next one would begin is
    /// not known.
    case refusal(HTTPResponse)
  }

  private enum State: Hashable {
    case requestLine
    case fields
    case body
    case finished
  }

  private let maxBodyBytes: Int
  private var state = State.requestLine
  private var bytes = MessageBytes()
  private var head: RequestHead?
  private var request = HTTPRequest("GET", "/")

  /// - Parameter maxBodyBytes: How long a body may be, in bytes.
  public init(maxBodyBytes: Int) { self.maxBodyBytes = maxBodyBytes }

  /// How many bytes are held.
  public var count: Int { bytes.count }

  /// How much has arrived that is not used up.
  public var waiting: Int { bytes.waiting }

  /// Whether no part of a request has arrived.
  public var isIdle: Bool { state == .requestLine && bytes.lines == 0 && waiting == 0 }

  /// Whether a body is under way.
  public var isInBody: Bool { state == .body }

  /// What has arrived behind the last request.
  public var rest: ArraySlice<UInt8> { bytes.rest }

  /// Takes in bytes that have arrived, for `next` to read; ignores them after the last request.
  /// Takes time linear in their number, amortised.
  public mutating func append(_ more: some Sequence<UInt8>) {
    if state != .finished { bytes.append(more) }
  }

  /// Reads on. Call it until it says `nothing`, but for the request that is being answered.
  public mutating func next() -> Outcome {
    do throws(Refused) {
      while state != .finished {
        if let outcome = try step() { return outcome }
      }
      return .nothing
    } catch {
      end()
      return .refusal(error.response)
    }
  }

  /// Forgets everything; nothing is read any more.
  public mutating func end() {
    state = .finished
    bytes = MessageBytes()
  }

  /// Does one line, or a body; `nil` when there is more to do.
  private mutating func step() throws(Refused) -> Outcome? {
    switch state {
    case .body: return try bytes.takeBody(limit: maxBodyBytes) ? try finish() : .nothing
    case .requestLine:
      guard let line = try bytes.line(414) else { return .nothing }
      // Some clients send an empty line behind a body.
      guard !line.isEmpty else { return nil }
      head = try RequestHead(requestLine: line)
      state = .fields
    case .fields:
      guard let line = try bytes.line(431) else { return .nothing }
      if line.isEmpty { return try endHead() }
      try head?.fields.take(line)
    case .finished: return .nothing
    }
    return nil
  }

  /// The empty line behind a head is there.
  private mutating func endHead() throws(Refused) -> Outcome? {
    guard let head else { return nil }
    request = try head.request()
    let framing = try head.framing(limit: maxBodyBytes)
    if framing == .none, let key = try head.webSocketKey() {
      state = .finished
      return .webSocket(request, key: key)
    }
    if framing == .none { return try finish() }
    state = .body
    bytes.beginBody(framing)
    return head.waits && waiting == 0 ? .expectContinue : nil
  }

  private mutating func finish() throws(Refused) -> Outcome {
    let isLast = head?.isLast ?? true
    var request = request
    request.body = bytes.endBody()
    try request.unpack(head?.fields["content-encoding"], limit: maxBodyBytes)
    head = nil
    state = isLast ? .finished : .requestLine
    return .request(request, isLast: isLast)
  }
}

/// The head of a request of HTTP/1.0 or 1.1, as its lines arrive.
///
/// Whatever could be understood in two ways is refused: a proxy in front of this server might
/// understand it in the other one.
struct RequestHead: Sendable {
  private(set) var method = ""
  var fields = HeadFields()
  private var target: [UInt8] = []
  private var isOld = false

  /// Reads the first line.
  ///
  /// - Throws: `Refused`, with the answer.
  init(requestLine line: ArraySlice<UInt8>) throws(Refused) {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(HeadFields.isOfToken),
      !parts[1].isEmpty, parts[1].allSatisfy({ $0 > 32 && $0 != 127 })
    else { throw Refused(400, "the request does not begin with METHOD TARGET HTTP/1.1") }
    let version = String(decoding: parts[2], as: UTF8.self)
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
      throw Refused(
        version.hasPrefix("HTTP/") ? 505 : 400, "the version of the request is not HTTP/1.1")
    }
    method = String(decoding: parts[0], as: UTF8.self)
    target = Array(parts[1])
    isOld = version == "HTTP/1.0"
  }

  /// Whether the connection is of no use after this request.
  var isLast: Bool { isOld || fields.list("connection", has: "close") }

  /// Whether the client waits until it is asked to send the body.
  var waits: Bool { !isOld && fields["expect"]?.lowercased() == "100-continue" }

  /// How the body is sent.
  ///
  /// - Throws: `Refused` where that is not clear, or the body is too long.
  func framing(limit: Int) throws(Refused) -> MessageBytes.Framing {
    if let other = fields["expect"], other.lowercased() != "100-continue" {
      throw Refused(417, "this server knows no expectation but 100-continue")
    }
    if fields["transfer-encoding"] != nil, isOld {
      throw Refused(400, "the head gives the length of the body twice")
    }
    let stated = try fields.framing(limit: limit)
    if stated == nil, ["PUT", "POST", "PATCH"].contains(method) {
      throw Refused(411, "the head of the request states no length")
    }
    return stated == .length(0) ? .none : stated ?? .none
  }
}

extension RequestHead {
  /// The request, without its body.
  ///
  /// - Throws: `Refused`.
  func request() throws(Refused) -> HTTPRequest {
    guard isOld || fields["host"] != nil else { throw Refused(400, "the head names no host") }
    var (path, host) = (target[...], fields["host"])
    if path.first != UInt8(ascii: "/") { (path, host) = try parts(path, host) }
    let mark = path.firstIndex(of: UInt8(ascii: "?")) ?? path.endIndex
    var request = HTTPRequest(method, try Self.decoded(path[..<mark]))
    for part in path[mark...].dropFirst().split(separator: UInt8(ascii: "&")) {
      let plain = part.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
      let pair = plain.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let value = pair.count == 2 ? try Self.decoded(pair[1]) : ""
      request.arguments.append(HTTPRequest.Argument(try Self.decoded(pair[0]), value))
    }
    for name in HTTPRequest.headersOfInterest { request.headers[name] = fields[name] }
    request.headers["host"] = host
    return request
  }

  /// Cuts a target that names a server too, as proxies are sent them.
  private func parts(
    _ target: ArraySlice<UInt8>, _ host: String?
  ) throws(Refused) -> (ArraySlice<UInt8>, String?) {
    let scheme = Array("http://".utf8)
    if method == "OPTIONS", target.elementsEqual([UInt8(ascii: "*")]) { return (target, host) }
    guard target.starts(with: scheme) else {
      throw Refused(400, "the target of the request is no path")
    }
    let rest = target.dropFirst(scheme.count)
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
    let authority = String(decoding: rest[..<(end ?? rest.endIndex)], as: UTF8.self)
    let path = rest[(end ?? rest.endIndex)...]
    return (path.first == UInt8(ascii: "/") ? path : [UInt8(ascii: "/")] + path, authority)
  }

  /// The text without percent signs.
  private static func decoded(_ bytes: ArraySlice<UInt8>) throws(Refused) -> String {
    guard let plain = bytes.percentDecoded else {
      throw Refused(400, "a percent sign without two hexadecimal digits")
    }
    guard let text = String(validating: plain, as: UTF8.self) else {
      throw Refused(400, "the target of the request is no UTF-8")
    }
    return text
  }

  /// The key of a WebSocket that a request asks for; `nil` when it asks for none.
  ///
  /// - Throws: `Refused` when it asks in a way that this server does not know.
  func webSocketKey() throws(Refused) -> String? {
    guard method == "GET", fields.list("upgrade", has: "websocket"),
      fields.list("connection", has: "upgrade")
    else { return nil }
    guard fields["sec-websocket-version"] == "13" else {
      var response = HTTPResponse.error(426, "this server knows version 13 of WebSockets only")
      response.headers.append(.init("Sec-WebSocket-Version", "13"))
      throw Refused(response)
    }
    let key = fields["sec-websocket-key"] ?? ""
    let isKey = key.utf8.dropLast(2).allSatisfy { $0.isLetterOrDigit || "+/".utf8.contains($0) }
    guard key.utf8.count == 24, key.hasSuffix("=="), isKey, !isOld else {
      throw Refused(400, "Sec-WebSocket-Key is not 16 bytes in Base64")
    }
    return key
  }
}
