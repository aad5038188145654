internal import ClientInterface
public import HTTP
internal import Tree

// Requests that are about watching, and not about data. Those of the page lie below `/.kennel/`,
// where no data can be: their paths end in `.json`.

extension Dashboard {
  private static let folder = "/.kennel/"
  private static let control = "/.kennel/control/"

  /// Whether a request that came by the port for clients is one of the page.
  public func isAsked(by request: HTTPRequest) -> Bool {
    !files.isEmpty && (request.path == "/" || request.path.hasPrefix(Self.folder))
  }

  /// Answers a request that came by the port for clients, if it is one of the page.
  ///
  /// - Returns: Whether it was one.
  public mutating func handle(
    _ request: HTTPRequest, from socket: Socket, by live: inout FaultyServer
  ) -> Bool {
    guard isAsked(by: request) else { return false }
    if let refusal = OriginPolicy.refusal(of: request) {
      live.server.effects.append(.respond(socket, refusal.protected))
    } else if request.path == Self.folder + "traffic", request.method == "GET" {
      begin(socket, &live)
    } else {
      let response = answer(request, by: &live)
      live.server.effects.append(.respond(socket, response.protected))
    }
    return true
  }

  private mutating func answer(_ request: HTTPRequest, by live: inout FaultyServer) -> HTTPResponse
  {
    if request.method == "GET" || request.method == "HEAD", let file = files[request.path] {
      return HTTPResponse(
        200, [.init("Content-Type", file.type)], body: request.method == "HEAD" ? [] : file.bytes)
    }
    switch (request.method, request.path) {
    case ("GET", Self.folder + "connections"):
      return HTTPResponse(200, json: overview(live))
    case ("POST", Self.folder + "tree"): return tree(request, live)
    default: break
    }
    guard request.path.hasPrefix(Self.control) else {
      return .error(404, "there is nothing here; the page is at /")
    }
    return disturb(request, by: &live)
  }

  /// Hands a request of the page on to control.
  private func disturb(_ request: HTTPRequest, by live: inout FaultyServer) -> HTTPResponse {
    guard hasControl else {
      return .error(403, "faults are switched by the port for control: start with --control P")
    }
    guard request.headers[OriginPolicy.header] == token else {
      return .error(403, "the header \(OriginPolicy.header) does not have the token of the page")
    }
    var inner = request
    inner.path = "/" + request.path.dropFirst(Self.control.count)
    return live.control(inner)
  }

  /// Answers a request that came by the port for control.
  public mutating func control(
    _ request: HTTPRequest, from socket: Socket, by live: inout FaultyServer
  ) {
    if let refusal = OriginPolicy.refusal(of: request) {
      live.server.effects.append(.respond(socket, refusal.protected))
      return
    }
    switch (request.method, request.path) {
    case ("GET", "/traffic"): begin(socket, &live)
    case ("GET", "/connections"):
      live.server.effects.append(
        .respond(socket, HTTPResponse(200, json: connections(live)).protected))
    default:
      let response = live.control(request)
      live.server.effects.append(.respond(socket, response.protected))
    }
  }

  /// Begins to report the traffic.
  private mutating func begin(_ socket: Socket, _ live: inout FaultyServer) {
    guard watchers.count < Self.maxWatchers else {
      let response = HTTPResponse.error(503, "\(Self.maxWatchers) watch already")
      live.server.effects.append(.respond(socket, response.protected))
      return
    }
    watchers[socket] = Subscriber(lastSent: live.now)
    let head = HTTPResponse(200, [.init("Content-Type", "text/event-stream; charset=utf-8")])
    live.server.effects.append(.begin(socket, head.protected))
    let hello: JSON = [
      "token": .string(token), "control": .bool(hasControl), "time": .number(live.now.milliseconds),
    ]
    live.server.effects.append(.write(socket, "retry: 1000\nevent: hello\ndata: \(hello.text)\n\n"))
  }
}

extension HTTPResponse {
  /// The answer with what keeps it from other origins and from being framed.
  var protected: HTTPResponse {
    var response = self
    response.headers += [
      .init("Cache-Control", "no-store"), .init("X-Content-Type-Options", "nosniff"),
      .init("Cross-Origin-Resource-Policy", "same-origin"),
      .init("Referrer-Policy", "no-referrer"), .init("X-Frame-Options", "DENY"),
      .init(
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    ]
    return response
  }
}
