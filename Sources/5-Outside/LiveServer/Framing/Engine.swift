internal import ClientInterface
internal import RunModel
internal import Tree
internal import Wire

/// What carries a connection of the Wilddog family: a session of engine.io, version 3.
///
/// It begins with requests that wait for what there is to send, or with a WebSocket, and may go
/// over from the first to the second.
struct EngineSession: Sendable {
  /// How often clients are asked to send a keep-alive, in milliseconds.
  static let pingInterval = 25_000
  /// How long after that they may be late, in milliseconds.
  static let pingTimeout = 60_000

  let id: String
  /// The WebSocket, once there is one.
  var socket: Socket?
  /// A WebSocket that may take over.
  var candidate: Socket?
  /// The request that waits for packets.
  var poll: Socket?
  /// What has not been fetched yet.
  var waiting: [String] = []
  var waitingBytes = 0
  /// When something last came from the client.
  var lastActivity: Instant
  /// What the answers to its requests have in their heads.
  let origin: String?

  /// The first packet of a session, which states its terms.
  func handshake(canUpgrade: Bool) -> String {
    let terms: JSON = [
      "sid": .string(id), "upgrades": .array(canUpgrade ? ["websocket"] : []),
      "pingInterval": .number(Double(Self.pingInterval)),
      "pingTimeout": .number(Double(Self.pingTimeout)),
    ]
    return "0" + terms.text
  }

  /// Whether the client has been silent for too long.
  func isSilent(at now: Instant) -> Bool {
    now - lastActivity > .milliseconds(Self.pingInterval + Self.pingTimeout)
  }
}

// Sessions of engine.io, whatever carries them.

extension LiveServer {
  /// Why a WebSocket of engine.io may not be opened.
  func engineRefusal(of request: HTTPRequest) -> HTTPResponse? {
    guard request.argument("EIO") == "3" else {
      return .error(400, "this server supports version 3 of engine.io only")
    }
    guard let sid = request.argument("sid") else { return tooManySessions }
    guard let session = session(named: sid) else { return Self.unknownSession }
    return session.socket == nil ? nil : .error(400, "session \"\(sid)\" has a WebSocket already")
  }

  private var tooManySessions: HTTPResponse? {
    sessions.count < settings.bounds.sessions ? nil : .error(503, "there are too many sessions")
  }

  private static var unknownSession: HTTPResponse {
    HTTPResponse(
      400, text: #"{"code":1,"message":"Session ID unknown"}"#, type: "application/json")
  }

  private func session(named sid: String) -> EngineSession? {
    guard let number = sessions[sid], case let .engine(session)? = links[number]?.carrier else {
      return nil
    }
    return session
  }

  private mutating func change(_ number: Int, _ body: (inout EngineSession) -> Void) {
    guard case .engine(var session)? = links[number]?.carrier else { return }
    // What is changed here must not be kept there too: it would be copied each time.
    links[number]?.carrier = .engine(
      EngineSession(id: "", lastActivity: session.lastActivity, origin: nil))
    let before = session.waitingBytes
    body(&session)
    waitingBytes += session.waitingBytes - before
    links[number]?.carrier = .engine(session)
  }

  /// Takes a WebSocket: a session of its own, or one that wants to take over another.
  mutating func openEngine(_ socket: Socket, for request: HTTPRequest) {
    if let sid = request.argument("sid"), let number = sessions[sid] {
      holders[socket] = number
      change(number) { $0.candidate = socket }
      return
    }
    var session = newSession(for: request)
    session.socket = socket
    effects.append(.send(socket, session.handshake(canUpgrade: false)))
    effects.append(.send(socket, Packet.connected))
    carried[socket] = beginEngine(session, for: request)
  }

  private mutating func newSession(for request: HTTPRequest) -> EngineSession {
    let id = String(random.next(), radix: 36) + "-\(lastNumber + 1)"
    return EngineSession(id: id, lastActivity: now, origin: request.headers["origin"])
  }

  private mutating func beginEngine(_ session: EngineSession, for request: HTTPRequest) -> Int {
    let number = begin(.engine(session), .wilddog, request)
    sessions[session.id] = number
    return number
  }

  /// Sends a packet by whatever the session has for it, or keeps it until there is something.
  mutating func enqueue(_ packet: String, _ number: Int) {
    if case .longPoll? = links[number]?.carrier { return enqueueScript(packet, number) }
    if let socket = engineSocket(of: number) { return effects.append(.send(socket, packet)) }
    change(number) {
      $0.waiting.append(packet)
      $0.waitingBytes += packet.utf8.count + 32
    }
    deliver(number)
    guard case let .engine(session)? = links[number]?.carrier else { return }
    closeIfNotFetched(number, waiting: session.waitingBytes)
  }

  /// Closes a connection for which more waits than may, or more than for others while much waits for
  /// all of them.
  mutating func closeIfNotFetched(_ number: Int, waiting own: Int?) {
    guard let own else { return }
    let share = settings.bounds.allWaiting / max(1, sessions.count)
    if own > settings.bounds.waiting || waitingBytes > settings.bounds.allWaiting && own > share {
      refuse(number, 1008, "the client does not fetch its messages")
    }
  }

  /// The WebSocket of a session. (With the session itself a caller would let the next change of it
  /// copy all that waits.)
  private func engineSocket(of number: Int) -> Socket? {
    guard case let .engine(session)? = links[number]?.carrier else { return nil }
    return session.socket
  }

  /// Answers the request that waits with the packets that wait.
  private mutating func deliver(_ number: Int) {
    guard case let .engine(session)? = links[number]?.carrier, let poll = session.poll,
      !session.waiting.isEmpty
    else { return }
    effects.append(.respond(poll, Self.answer(session.waiting, origin: session.origin)))
    change(number) {
      $0.poll = nil
      $0.waiting = []
      $0.waitingBytes = 0
    }
  }

  private static func answer(_ packets: [String], origin: String?) -> HTTPResponse {
    var response = HTTPResponse(
      200, [.init("Content-Type", "text/plain; charset=UTF-8")], body: Payload.encode(packets))
    allow(origin, &response)
    return response
  }

  private static func allow(_ origin: String?, _ response: inout HTTPResponse) {
    response.headers.append(.init("Access-Control-Allow-Origin", origin ?? "*"))
    if origin != nil { response.headers.append(.init("Access-Control-Allow-Credentials", "true")) }
  }

  /// A request of a session that polls.
  mutating func poll(_ request: HTTPRequest, from socket: Socket) {
    if let refusal = refusal(ofSocketFor: request) {
      return effects.append(.respond(socket, refusal))
    }
    guard let sid = request.argument("sid") else {
      var session = newSession(for: request)
      session.waiting = [session.handshake(canUpgrade: true), Packet.connected]
      session.poll = socket
      let number = beginEngine(session, for: request)
      holders[socket] = number
      // Hello may take its time.
      return deliver(number)
    }
    guard let number = sessions[sid], let session = session(named: sid) else {
      return effects.append(.respond(socket, Self.unknownSession))
    }
    if links[number]?.isDead == true {
      // Nothing comes back any more, and the client may wait for it.
      holders[socket] = number
      if request.method == "GET" { change(number) { $0.poll = socket } }
      return notify(.lost(number))
    }
    let now = now
    change(number) { $0.lastActivity = now }
    if request.method == "GET" {
      if session.poll != nil {
        effects.append(.respond(socket, .error(400, "the session polls already")))
        return refuse(number, 1002, "two polls at a time")
      }
      holders[socket] = number
      change(number) { $0.poll = socket }
      return deliver(number)
    }
    post(request, number, from: socket)
  }

  private mutating func post(_ request: HTTPRequest, _ number: Int, from socket: Socket) {
    let most = settings.bounds.packets
    guard request.method == "POST", let packets = Payload.decode(request.body, upTo: most) else {
      effects.append(.respond(socket, .error(400, "the body is no payload of engine.io")))
      return refuse(number, 1002, "a body that is no payload")
    }
    var response = HTTPResponse(200, text: "ok", type: "text/html")
    Self.allow(request.headers["origin"], &response)
    effects.append(.respond(socket, response))
    for packet in packets { receive(packet: packet, number) }
  }
}

extension LiveServer {
  /// Takes one packet of a session.
  mutating func receive(packet: String, _ number: Int) {
    guard case .engine? = links[number]?.carrier else { return }
    let now = now
    change(number) { $0.lastActivity = now }
    switch packet.first {
    case "1":
      links[number]?.isLeaving = true
      end(number, code: 1000, "the client closes")
    case "2":
      if links[number]?.isStalled == true {
        links[number]?.addUnanswered("3" + packet.dropFirst())
      } else {
        enqueue("3" + packet.dropFirst(), number)
      }
    case "4":
      switch Packet.content(of: packet.dropFirst(), limit: settings.bounds.message) {
      case let .message(text): receive(message: text, from: number)
      case .ignored: break
      case let .mistake(reason): refuse(number, 1008, reason)
      }
    case "3", "5", "6": break
    default:
      refuse(
        number, 1002,
        "a packet begins with \"\(packet.prefix(1))\"; those of engine.io begin with 0 to 6")
    }
  }

  /// Takes a frame of a WebSocket that wants to take over a session: first a question, then the
  /// decision.
  mutating func receiveProbe(_ frame: String, from socket: Socket) {
    guard let number = holders[socket], links[number]?.isDead == false else { return }
    if frame == "2probe" {
      effects.append(.send(socket, "3probe"))
      // The request that waits is sent back, so that nothing is left on the old way.
      if case let .engine(session)? = links[number]?.carrier, session.waiting.isEmpty {
        change(number) { $0.waiting = [Packet.nothing] }
      }
      deliver(number)
    } else if frame == "5", case let .engine(session)? = links[number]?.carrier,
      session.candidate == socket
    {
      if let poll = session.poll {
        effects.append(.respond(poll, Self.answer([Packet.nothing], origin: session.origin)))
      }
      for packet in session.waiting where packet != Packet.nothing {
        effects.append(.send(socket, packet))
      }
      let now = now
      change(number) {
        ($0.socket, $0.candidate, $0.poll) = (socket, nil, nil)
        ($0.waiting, $0.waitingBytes, $0.lastActivity) = ([], 0, now)
      }
      carried[socket] = number
    } else {
      effects.append(.close(socket, code: 1002, reason: "expected 2probe, then 5"))
    }
  }

  /// Notifies the client of a session that it is over.
  mutating func close(_ session: EngineSession, _ code: Int, _ reason: String) {
    sessions[session.id] = nil
    if let poll = session.poll {
      let packets = session.waiting + [Packet.close]
      effects.append(.respond(poll, Self.answer(packets, origin: session.origin)))
    }
    if let socket = session.socket {
      carried[socket] = nil
      effects.append(.close(socket, code: code, reason: reason))
    }
    if let candidate = session.candidate {
      effects.append(.close(candidate, code: code, reason: reason))
    }
  }

  /// A request that waited is gone; the session waits for the next one.
  mutating func forgetPoll(_ socket: Socket) {
    guard let number = holders.removeValue(forKey: socket) else { return }
    forgetLongPoll(socket, of: number)
    change(number) {
      if $0.poll == socket { $0.poll = nil }
      if $0.candidate == socket { $0.candidate = nil }
    }
  }

  /// The session of a connection whose WebSocket is gone is over.
  mutating func forgetSession(of number: Int) {
    if let id = links[number]?.sessionID { sessions[id] = nil }
  }
}
