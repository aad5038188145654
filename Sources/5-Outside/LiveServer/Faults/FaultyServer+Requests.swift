internal import ClientInterface
internal import Faults
public import HTTP

// Requests of HTTP.

extension FaultyServer {
  /// Whether requests get no answer at all, as if there were no server: its connection is to
  /// be closed without a word. To be asked once for each request, before anything is done about it.
  public mutating func refuses(_ request: HTTPRequest) -> Bool {
    guard server.isDisturbed, request.isForData || request.isForSockets else { return false }
    arriveDue()
    if let refusal = serverFaults.refusal(at: now) {
      takeEffect(refusal.mark)
      return true
    }
    guard let client = connecting(request), let refusal = servedClients[client].network.refusal
    else { return false }
    takeEffect(refusal.mark)
    return true
  }

  /// Whose new connection it would be; `nil` for what is none: requests of a session that there is
  /// already, and pages.
  private mutating func connecting(_ request: HTTPRequest) -> Int? {
    if request.isForSockets {
      if request.continuesSession { return nil }
      return client(connectingBy: request)
    }
    guard request.isForData else { return nil }
    if server.wantsStream(request) {
      return client(connectingBy: request)
    }
    return client(asking: request)
  }

  /// Takes a request that is no WebSocket.
  public mutating func handle(_ request: HTTPRequest, from socket: Socket) {
    arriveDue()
    var request = request
    let client = server.isDisturbed ? connecting(request) : nil
    if request.isForSockets || server.wantsStream(request) {
      request = named(request)
    }
    guard let client, request.isForData else {
      return disturb { $0.handle(request, from: socket) }
    }
    requests[socket] = client
    schedule(.request(socket, request), of: client, at: now + drawLatency(of: client))
    arriveDue()
  }

  /// A request of REST has arrived: its answer goes back the same way.
  mutating func answer(_ request: HTTPRequest, _ socket: Socket, _ client: Int?) {
    let before = server.takeEffects()
    act { $0.handle(request, from: socket) }
    let own = server.takeEffects()
    server.effects = before
    for effect in own {
      guard let client, requests[socket] != nil, case .respond(socket, _) = effect else {
        server.effects.append(effect)
        continue
      }
      let due = now + drawLatency(of: client)
      schedule(.response(socket, effect), of: client, at: due)
    }
    if server.carried[socket] != nil { requests[socket] = nil }
  }
}

extension HTTPRequest {
  /// Whether it is for a WebSocket, or a request of engine.io or of long polling.
  fileprivate var isForSockets: Bool { ["/.ws", "/.ws/", "/.lp"].contains(path) }

  /// Whether it is of a session that began before.
  var continuesSession: Bool {
    path == "/.lp" ? argument("start") == nil : argument("sid") != nil
  }

  /// Whether it is for data; pages and others are not disturbed.
  fileprivate var isForData: Bool { path.hasSuffix(".json") }
}
