internal import ClientInterface
internal import Document
internal import RunModel
internal import Tree
internal import Wire

/// What carries a connection of the Firebase family where no WebSocket does: scripts that a page
/// fetches, one after the other.
///
/// Messages of the client are in the arguments of these requests: base64 text in numbered segments.
/// The session may go over to a WebSocket.
struct LongPollSession: Sendable {
  /// How long a client may leave a request unrenewed that waits, and how long none may wait.
  static let silence = (polling: Interval.seconds(120), between: Interval.seconds(30))
  /// How far ahead of the next segment another one may arrive.
  static let maxAhead = 4096

  /// One part of a message, and how many its message has.
  struct Segment: Sendable {
    let count: Int
    let text: String
  }

  /// A WebSocket to which the session goes over.
  struct Handover: Sendable {
    let socket: Socket
    var assembler = BoundedAssembler()
    /// Whether the client takes the WebSocket: it is sent everything there from then on.
    var isTaken = false
    /// Whether the client sends nothing more by requests.
    var hasEnded = false
    /// What came over the WebSocket before that.
    var early: [String] = []
  }

  let id: String
  let password: String
  /// How the functions of the page are called; `nil` once they have been defined.
  var callback: String?
  /// The request that waits for messages.
  var poll: Socket?
  /// What has not been fetched yet.
  var waiting: [String] = []
  var waitingBytes = 0
  /// How many answers had messages.
  var answers = 0
  /// Segments that arrived before others.
  var ahead: [Int: Segment] = [:]
  var nextSegment = 0
  /// The segments so far of the message that is not whole.
  var parts: [String] = []
  /// What all segments take that wait, in bytes.
  var assembling = 0
  /// When the client last sent a request, or was answered.
  var lastActivity: Instant
  var handover: Handover?

  init(id: String, password: String, callback: String, lastActivity: Instant) {
    self.id = id
    self.password = password
    self.callback = callback
    self.lastActivity = lastActivity
  }

  /// Whether the client has been silent for too long.
  func isSilent(at now: Instant) -> Bool {
    let limit = poll == nil ? Self.silence.between : Self.silence.polling
    return now - lastActivity > limit
  }

  /// The script that answers a request: the messages that wait.
  ///
  /// - Parameters:
  ///   - host: Where the client is to connect.
  ///   - isOver: Whether the session ends with it.
  /// - Returns: The answer.
  mutating func script(host: String, isOver: Bool = false) -> HTTPResponse {
    var text = ""
    if let callback { text += opening(callback, host: host) }
    callback = nil
    text += "pRTLPCB(\(answers),\(Self.literal("[\(waiting.joined(separator: ","))]")));\n"
    answers += 1
    (waiting, waitingBytes) = ([], 0)
    return Self.answer(isOver ? text + Self.closing : text)
  }

  /// JSON as a value of a script, where the key `__proto__` means something else.
  private static func literal(_ json: String) -> String {
    json.contains("\"__proto__\"") ? "JSON.parse(\(JSON.string(json).text))" : json
  }

  /// What a client receives whose session is over.
  static let closing = "pLPCommand(\"close\");\n"

  static func answer(_ text: String) -> HTTPResponse {
    var response = HTTPResponse(200, text: text, type: "application/javascript; charset=utf-8")
    response.headers.append(.init("Cache-Control", "no-cache, no-store"))
    return response
  }

  /// Defines the functions that later scripts call, and gives the session its name.
  private func opening(_ callback: String, host: String) -> String {
    func function(_ name: String, _ arguments: String) -> String {
      let target = "parent.window[\"\(name)\(callback)\"]"
      return "function \(name)(\(arguments)){\(target)&&\(target)(\(arguments));}\n"
    }
    let names = [id, password, host, "5"].map { JSON.string($0).text }.joined(separator: ",")
    return function("pLPCommand", "c,a,b,d,e") + function("pRTLPCB", "n,d")
      + "pLPCommand(\"start\",\(names));\n"
  }

  /// A page that reports its own end: clients put it into a frame, and remove it when they leave.
  func frame(namespace: String) -> HTTPResponse {
    let target = "/.lp?disconn=t&id=\(id)&pw=\(password)&ns=\(namespace)"
    return HTTPResponse(
      200,
      text: "<!doctype html><script>addEventListener(\"pagehide\","
        + "()=>navigator.sendBeacon(\"\(target)\"))</script>\n",
      type: "text/html; charset=utf-8")
  }
}

extension LongPollSession {
  /// Why segments are not taken.
  enum Mistake: Error {
    case tooLong
    case malformed(String)
  }

  /// Takes the segments of a request, in whatever order requests come.
  ///
  /// - Returns: The messages that they complete, in order.
  mutating func take(_ request: HTTPRequest, limit: Int) throws(Mistake) -> [String] {
    for index in 0... {
      guard let number = request.argument("seg\(index)") else { break }
      guard let number = Int(number), let count = request.argument("ts\(index)").flatMap(Int.init),
        count > 0, let text = request.argument("d\(index)")
      else { throw .malformed("seg\(index), ts\(index) and d\(index) are no segment") }
      if number < nextSegment || ahead[number] != nil { continue }
      guard number < nextSegment + Self.maxAhead else {
        throw .malformed("segment \(number) is far ahead of \(nextSegment)")
      }
      ahead[number] = Segment(count: count, text: text)
      assembling += text.utf8.count + 32
    }
    if assembling > limit / 3 * 4 + 64 { throw .tooLong }
    var messages: [String] = []
    while let segment = ahead.removeValue(forKey: nextSegment) {
      nextSegment += 1
      parts.append(segment.text)
      if parts.count < segment.count { continue }
      messages.append(try wholeMessage())
    }
    return messages
  }

  private mutating func wholeMessage() throws(Mistake) -> String {
    defer {
      assembling -= parts.reduce(0) { $0 + $1.utf8.count + 32 }
      parts = []
    }
    guard let bytes = [UInt8](base64: parts.joined()),
      let text = String(validating: bytes, as: UTF8.self)
    else { throw .malformed("a message is no base64 of UTF-8") }
    return text
  }
}

// Connections of the Firebase family by requests (WIR-21).

extension LiveServer {
  mutating func changeLongPoll<Result>(
    _ number: Int, _ body: (inout LongPollSession) -> Result
  ) -> Result? {
    guard case .longPoll(var session)? = links[number]?.carrier else { return nil }
    // What is changed here must not be kept there too: it would be copied each time.
    links[number]?.carrier = .longPoll(
      LongPollSession(id: "", password: "", callback: "", lastActivity: session.lastActivity))
    let before = (session.waitingBytes, session.assembling)
    defer {
      waitingBytes += session.waitingBytes - before.0
      assembling += session.assembling - before.1
      links[number]?.carrier = .longPoll(session)
    }
    return body(&session)
  }

  private func longPollSession(_ number: Int) -> LongPollSession? {
    guard case let .longPoll(session)? = links[number]?.carrier else { return nil }
    return session
  }

  /// The number of the connection for whose session a request is, if its password is right.
  private func longPoll(of request: HTTPRequest) -> Int? {
    guard let id = request.argument("id"), let number = sessions[id],
      let session = longPollSession(number), request.argument("pw") == session.password
    else { return nil }
    return number
  }

  /// Takes a request for `/.lp`.
  mutating func longPoll(_ request: HTTPRequest, from socket: Socket) {
    if request.argument("start") != nil { return beginLongPoll(request, from: socket) }
    guard let number = longPoll(of: request) else {
      return effects.append(.respond(socket, LongPollSession.answer(LongPollSession.closing)))
    }
    if links[number]?.isDead == true {
      // Nothing comes back any more, and the client may wait for it.
      holders[socket] = number
      _ = changeLongPoll(number) { $0.poll = socket }
      return notify(.lost(number))
    }
    if request.argument("dframe") != nil, let session = longPollSession(number) {
      let response = session.frame(namespace: links[number]?.namespace ?? "")
      return effects.append(.respond(socket, response))
    }
    if request.argument("disconn") != nil {
      effects.append(.respond(socket, HTTPResponse(204)))
      links[number]?.isLeaving = true
      return end(number, code: 1000, "the client closes")
    }
    poll(request, number, from: socket)
  }

  private mutating func beginLongPoll(_ request: HTTPRequest, from socket: Socket) {
    let callback = request.argument("cb") ?? ""
    guard callback.utf8.count <= 64,
      callback.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "_") })
    else {
      return effects.append(
        .respond(socket, .error(400, "cb is no identifier: letters and digits only")))
    }
    guard hasNamespace(request.namespace) else {
      return effects.append(.respond(socket, Self.noNamespace(request.namespace)))
    }
    guard sessions.count < settings.bounds.sessions else {
      return effects.append(.respond(socket, .error(503, "there are too many sessions")))
    }
    let id = String(random.next(), radix: 36) + "n\(lastNumber + 1)"
    var session = LongPollSession(
      id: id, password: String(random.next(), radix: 36), callback: callback, lastActivity: now)
    session.poll = socket
    let number = begin(.longPoll(session), .firebase, request)
    sessions[id] = number
    if longPollSession(number)?.poll == socket { holders[socket] = number }
    deliverScript(number)
  }

  /// Lets a request wait for messages, and takes those that it has.
  private mutating func poll(_ request: HTTPRequest, _ number: Int, from socket: Socket) {
    // One request waits at a time: the one before goes back, perhaps with nothing.
    answerPoll(number)
    let limit = settings.bounds.message
    do throws(LongPollSession.Mistake) {
      for message in try takeSegments(of: request, number, limit: limit) {
        take(scripted: message, number)
      }
    } catch {
      switch error {
      case .tooLong:
        refuse(number, 1009, "a message is longer than \(limit) bytes")
      case let .malformed(reason): refuse(number, 1002, reason)
      }
    }
    guard longPollSession(number) != nil else {
      return effects.append(.respond(socket, LongPollSession.answer(LongPollSession.closing)))
    }
    holders[socket] = number
    let now = now
    _ = changeLongPoll(number) { ($0.poll, $0.lastActivity) = (socket, now) }
    completeHandover(number)
    deliverScript(number)
  }

  private mutating func takeSegments(
    of request: HTTPRequest, _ number: Int, limit: Int
  ) throws(LongPollSession.Mistake) -> [String] {
    let outcome = changeLongPoll(number) {
      session -> Result<[String], LongPollSession.Mistake> in
      do throws(LongPollSession.Mistake) {
        return .success(try session.take(request, limit: limit))
      } catch {
        return .failure(error)
      }
    }
    return try outcome?.get() ?? []
  }

  /// Takes one message that came by requests.
  private mutating func take(scripted text: String, _ number: Int) {
    guard Self.control(text) == .end, longPollSession(number)?.handover != nil else {
      return receive(message: text, from: number)
    }
    _ = changeLongPoll(number) { $0.handover?.hasEnded = true }
  }

  /// Keeps a message for the next request, or answers the one that waits.
  mutating func enqueueScript(_ text: String, _ number: Int) {
    if let handover = longPollSession(number)?.handover, handover.isTaken {
      return Segments.frames(of: text).forEach { effects.append(.send(handover.socket, $0)) }
    }
    _ = changeLongPoll(number) {
      $0.waiting.append(text)
      $0.waitingBytes += text.utf8.count + 32
    }
    deliverScript(number)
    closeIfNotFetched(number, waiting: longPollSession(number)?.waitingBytes)
  }

  /// Answers the request that waits, if there is something for it.
  private mutating func deliverScript(_ number: Int) {
    guard longPollSession(number)?.waiting.isEmpty == false else { return }
    answerPoll(number)
  }

  private mutating func answerPoll(_ number: Int) {
    guard let socket = longPollSession(number)?.poll, let host = links[number]?.host else { return }
    holders[socket] = nil
    let now = now
    let script = changeLongPoll(number) {
      ($0.poll, $0.lastActivity) = (nil, now)
      return $0.script(host: host)
    }
    if let script { effects.append(.respond(socket, script)) }
  }

  /// Notifies the client of a session that it is over.
  mutating func close(
    _ session: LongPollSession, of link: ProtocolConnection, _ code: Int, _ reason: String
  ) {
    sessions[session.id] = nil
    var session = session
    if let poll = session.poll {
      holders[poll] = nil
      effects.append(.respond(poll, session.script(host: link.host, isOver: true)))
    }
    if let handover = session.handover {
      (carried[handover.socket], holders[handover.socket]) = (nil, nil)
      effects.append(.close(handover.socket, code: code, reason: reason))
    }
  }
}

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
