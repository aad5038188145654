internal import ClientInterface
internal import HTTP
internal import Wire
internal import WireMonitor

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
    if request.argument("start") != nil {
      return beginLongPoll(request, from: socket)
    }
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
    guard callback.utf8.count <= 64, callback.utf8.allSatisfy(\.isPlain) else {
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
    let named = request.argument("ls")
    let previous = connection(named: named)
    let number = begin(.longPoll(session), .firebase, request, previous: previous)
    sessions[id] = number
    if longPollSession(number)?.poll == socket { holders[socket] = number }
    let isKnown = isKnown(named)
    watch(number) {
      $0.judgeOpening(version: request.argument("v"), session: named, isKnown: isKnown)
    }
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
    let most = settings.bounds.waiting
    if longPollSession(number)?.waitingBytes ?? 0 > most
      || waitingBytes > settings.bounds.allWaiting
        && longPollSession(number)?.waitingBytes ?? 0
          > settings.bounds.allWaiting / max(1, sessions.count)
    {
      refuse(number, 1008, "the client does not fetch its messages")
    }
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

  mutating func endIfNotPolled(_ number: Int) {
    guard let link = links[number], !link.isDead, case let .longPoll(session) = link.carrier,
      session.isSilent(at: now)
    else { return }
    end(number, code: 1001, "the client is silent")
  }
}

extension UInt8 {
  /// Whether it is a letter, a digit or an underscore.
  fileprivate var isPlain: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
