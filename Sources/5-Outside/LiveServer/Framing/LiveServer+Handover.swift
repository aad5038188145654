internal import ClientInterface
internal import Document
internal import HTTP
internal import Tree
internal import Wire

// A connection by requests goes over to a WebSocket (WIR-22).

extension LiveServer {
  /// What a message of the protocol's control means for the handover.
  enum HandoverControl: String {
    case ping = "p"
    case take = "a"
    case end = "n"
  }

  /// The control message in a text; `nil` for anything else.
  static func control(_ text: String) -> HandoverControl? {
    guard text.utf8.count < 100, let json = try? JSON(parsing: Array(text.utf8)), json["t"] == "c"
    else { return nil }
    return json["d"]?["t"]?.string.flatMap(HandoverControl.init)
  }

  private static func message(_ control: String, _ content: JSON = .object([])) -> String {
    let message: JSON = ["t": "c", "d": ["t": .string(control), "d": content]]
    return message.text
  }

  /// Takes a WebSocket that names a session by requests: the session is to go over to it. One that
  /// names another session is reset.
  mutating func openHandover(_ socket: Socket, to session: String, for request: HTTPRequest) {
    guard let number = connection(named: session), let link = links[number],
      link.namespace == request.namespace, link.hasReceivedHello,
      case let .longPoll(current) = link.carrier, current.handover == nil
    else {
      effects.append(.send(socket, Self.message("r", .string(request.host))))
      return effects.append(.close(socket, code: 1000, reason: "there is no such session"))
    }
    holders[socket] = number
    if link.isDead { return notify(.lost(number)) }
    _ = changeLongPoll(number) { $0.handover = LongPollSession.Handover(socket: socket) }
    effects.append(.send(socket, Self.message("a")))
  }

  /// Takes a frame of such a WebSocket.
  mutating func receiveHandover(_ frame: String, _ number: Int, from socket: Socket) {
    let limit = settings.bounds.message
    let outcome = changeLongPoll(number) { session in
      session.handover?.assembler.receive(frame, limit: limit) ?? .nothing
    }
    switch outcome {
    case let .message(text)?: take(early: text, number, socket)
    case .nothing?, nil: break
    case .tooLong?, .tooMuch?:
      refuse(number, 1009, "a message is longer than \(limit) bytes")
    }
  }

  private mutating func take(early text: String, _ number: Int, _ socket: Socket) {
    switch Self.control(text) {
    case .ping: effects.append(.send(socket, Self.message("o")))
    case .take:
      // The last that goes by requests; the client waits for it before it reads on here.
      enqueueScript(Self.message("n"), number)
      _ = changeLongPoll(number) { $0.handover?.isTaken = true }
      completeHandover(number)
    case .end, nil:
      let limit = settings.bounds.message
      let size = changeLongPoll(number) { session in
        session.handover?.early.append(text)
        return session.handover?.early.reduce(0) { $0 + $1.utf8.count } ?? 0
      }
      guard size ?? 0 > limit else { return }
      refuse(number, 1009, "too much before the handover is over")
    }
  }

  /// Leaves the requests, once both sides have sent the last message by them.
  mutating func completeHandover(_ number: Int) {
    guard let link = links[number], case .longPoll(var session) = link.carrier,
      let handover = session.handover, handover.isTaken, handover.hasEnded,
      session.poll != nil || session.waiting.isEmpty
    else { return }
    waitingBytes -= session.waitingBytes
    assembling += handover.assembler.size - session.assembling
    sessions[session.id] = nil
    links[number]?.carrier = .segments(handover.socket, handover.assembler)
    (carried[handover.socket], holders[handover.socket]) = (number, nil)
    if let poll = session.poll {
      holders[poll] = nil
      effects.append(.respond(poll, session.script(host: link.host, isOver: true)))
    }
    for text in handover.early { receive(message: text, from: number) }
  }

  /// A request that waited is gone, or the WebSocket to which a session was to go over.
  mutating func forgetLongPoll(_ socket: Socket, of number: Int) {
    let isLost = changeLongPoll(number) { session in
      if session.poll == socket { session.poll = nil }
      guard let handover = session.handover, handover.socket == socket else { return false }
      session.handover = nil
      return handover.isTaken
    }
    if isLost == true { end(number, code: 1001, "its WebSocket is lost") }
  }
}
