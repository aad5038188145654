internal import ClientInterface
internal import ReferenceServer
internal import RunModel
internal import Tree
internal import Wire

// What arrives over WebSockets.

extension LiveServer {
  /// Why a WebSocket may not be opened with this request; `nil` when it may.
  public mutating func refusal(ofSocketFor request: HTTPRequest) -> HTTPResponse? {
    guard request.path == "/.ws" || request.path == "/.ws/" else {
      return .error(404, "WebSockets are at /.ws; \(request.path) is none")
    }
    guard hasNamespace(request.namespace) else { return Self.noNamespace(request.namespace) }
    guard request.argument("EIO") != nil else { return nil }
    return engineRefusal(of: request)
  }

  static func noNamespace(_ name: String) -> HTTPResponse {
    .error(404, "\"\(name)\" is no namespace here: the name is not allowed, or there are too many")
  }

  /// Begins a WebSocket that `refusal` has not refused.
  public mutating func open(_ socket: Socket, for request: HTTPRequest) {
    if request.argument("EIO") != nil {
      openEngine(socket, for: request)
      return
    }
    if let session = request.argument("s") {
      return openHandover(socket, to: session, for: request)
    }
    carried[socket] = begin(.segments(socket, BoundedAssembler()), .firebase, request)
  }

  /// The number of the connection that a client calls by what its hello called it; `nil` for one
  /// of another server, or of another start of this one.
  func connection(named session: String?) -> Int? {
    guard let session, session.hasPrefix("session"), session.hasSuffix(settings.sessionSuffix)
    else { return nil }
    return Int(session.dropFirst("session".count).dropLast(settings.sessionSuffix.count))
  }

  /// Whether this server has given a session, or may have: what an earlier start gave is not known.
  func isKnown(_ session: String?) -> Bool {
    if let number = connection(named: session) { return (1...max(1, lastNumber)).contains(number) }
    return !settings.sessionSuffix.isEmpty && session?.hasPrefix("session") == true
  }

  /// Takes one text frame of a WebSocket.
  public mutating func receive(_ frame: String, from socket: Socket) {
    guard let number = carried[socket] else {
      if let number = holders[socket], case .longPoll? = links[number]?.carrier {
        if links[number]?.isDead == true { return notify(.lost(number)) }
        return receiveHandover(frame, number, from: socket)
      }
      return receiveProbe(frame, from: socket)
    }
    if links[number]?.isDead == true { return notify(.lost(number)) }
    if case .segments? = links[number]?.carrier {
      let now = now
      watch(number) { $0.frame(frame, by: .client, at: now) }
    }
    guard let outcome = assemble(frame, number) else { return receive(packet: frame, number) }
    switch outcome {
    case .nothing: break
    case let .message(text): receive(message: text, from: number)
    case .tooLong:
      refuse(number, 1009, "a message is longer than \(settings.bounds.message) bytes")
    case .tooMuch:
      refuse(number, 1013, "the server has too many messages of which parts are missing")
    }
  }

  /// Puts a frame to those before it; `nil` for a connection that has other frames.
  private mutating func assemble(_ frame: String, _ number: Int) -> BoundedAssembler.Outcome? {
    guard case .segments(let socket, var assembly)? = links[number]?.carrier else { return nil }
    // What is changed here must not be kept there too: it would be copied for each frame.
    links[number]?.carrier = .segments(socket, BoundedAssembler())
    let before = assembly.size
    let outcome = assembly.receive(frame, limit: settings.bounds.message)
    assembling += assembly.size - before
    links[number]?.carrier = .segments(socket, assembly)
    let share = settings.bounds.assembling / max(1, links.count)
    return assembling > settings.bounds.assembling && assembly.size > share ? .tooMuch : outcome
  }

  /// Takes a binary frame, which no client of this protocol sends.
  public mutating func receiveBinary(from socket: Socket) {
    guard let number = carried[socket], links[number]?.isDead == false else { return }
    watch(number) { $0.binaryFrame(by: .client) }
    end(number, code: 1003, "a binary frame; messages are text")
  }

  /// A WebSocket or a request without an answer is closed.
  public mutating func closed(_ socket: Socket) {
    if let number = carried.removeValue(forKey: socket) {
      holders[socket] = nil
      forgetSession(of: number)
      forget(number, .lost)
    } else {
      forgetPoll(socket)
      abandonRelayed(socket)
    }
  }

  /// A client says that it closes its WebSocket: it is not lost when `closed` follows.
  public mutating func leaves(_ socket: Socket) {
    if let number = carried[socket] { links[number]?.isLeaving = true }
  }

  /// Closes a connection because of what its client did.
  mutating func refuse(_ number: Int, _ code: Int, _ reason: String) {
    effects.append(.reportProblem(reason, connection: number))
    end(number, code: code, reason)
  }
}

extension LiveServer {
  /// Takes one message, whose framing has been taken off.
  mutating func receive(message text: String, from number: Int) {
    if links[number]?.hasReceivedHello == false { return keepEarly(text, number) }
    guard !deferReading(text, number), let dialect = links[number]?.dialect
    else { return }
    let bounds = settings.bounds
    let message = IncomingMessage(
      text, upTo: bounds.message, longestText: bounds.text, in: dialect)
    take(message, from: number)
  }

  /// Takes one message that has been read.
  mutating func take(_ message: IncomingMessage, from number: Int) {
    let line = message.line
    if case let .unreadable(error) = message.content {
      record(.garbled(line), number)
      watch(number) { $0.judge(unreadable: line, error, by: .client) }
      return end(number, code: 1007, "a message is no JSON: \(error)")
    }
    record(recordsBothEnds ? .left(line) : .sent(line), number)
    watch(number) { _ in message.findings }
    switch message.content {
    case .unreadable: break
    // The finding about its form says more.
    case let .mistake(error): end(number, code: 1008, "\(error)")
    case let .application(request):
      let now = now
      watch(number) { $0.asked("appcheck", request, at: now) }
      answer(request, number, .init(to: request, payload: ""))
    case let .message(content):
      let now = now
      watch(number) { $0.sent(content, paths: message.paths, at: now) }
      if !settings.handsOnAtOnce, let problem = message.problem,
        case let .request(request, _) = content
      {
        let reason = JSON.string("Invalid data; \(problem)")
        return answer(request, number, .init(to: request, status: "failure", payload: reason))
      }
      if isDisturbed { return notify(.arrived(number, content)) }
      let check: DataCheck = message.paths.isEmpty ? .passed : .due
      deliver(content, check, from: number)
    }
  }

  /// Takes a message that has arrived at the server.
  mutating func deliver(_ message: ClientMessage, _ check: DataCheck = .due, from number: Int) {
    if settings.isRelay { return relay(.message(message), number) }
    if case let .request(id, request) = message {
      let namespace = links[number]?.namespace ?? ""
      if let reason = refusal(of: request, check, by: number)
        ?? storageRefusal(of: request, in: namespace)
      {
        return answer(id, number, .init(to: id, status: "failure", payload: .string(reason)))
      }
      record(request, number)
    }
    guard let link = links[number] else { return }
    let time = time
    var out: [ReferenceServer.Outgoing] = []
    withServer(of: link.namespace, isAdministrator: link.isAdministrator) { server in
      server.receive(message, from: link.id, at: time, into: &out)
    }
    sendAnswers(to: message, in: out, of: link.id)
    reportRefusedToken(of: message, in: out, number)
    transmit(out)
  }

  /// Lets the server of a namespace do something; an administrator is bound by no rule.
  mutating func withServer(
    of namespace: String, isAdministrator: Bool, _ body: (inout ReferenceServer) -> Void
  ) {
    guard var server = namespaces.removeValue(forKey: namespace) else { return }
    let (security, rules) = (server.security, server.rules)
    if isAdministrator { (server.security, server.rules) = ([], nil) }
    let stale = server.staleRefusalsLeft
    server.prepared = prepared
    body(&server)
    server.prepared = nil
    staleRefusals += stale - server.staleRefusalsLeft
    (server.security, server.rules) = (security, rules)
    namespaces[namespace] = server
  }

  private mutating func answer(_ request: Int, _ number: Int, _ response: ServerMessage.Response) {
    let id = ReferenceServer.ConnectionID(number)
    transmit([ReferenceServer.Outgoing(id, .response(response))])
  }
}

extension LiveServer {
  /// Reports a token that was refused, once for each client: its SDK closes the connection, connects
  /// again with the same token, and shows its application nothing.
  mutating func reportRefusedToken(
    of message: ClientMessage, in out: [ReferenceServer.Outgoing], _ number: Int
  ) {
    guard case let .request(id, .authenticate(credential)) = message, let link = links[number]
    else { return }
    for outgoing in out where outgoing.connection == link.id {
      guard case let .response(response) = outgoing.message, response.request == id,
        response.status != "ok",
        refusedTokens.insert("\(link.client ?? "") \(credential.token)").inserted
      else { continue }
      if refusedTokens.count > 1000 { refusedTokens = [] }
      let reason =
        response.status == "expired_token"
        ? "the token has expired" : TokenClaims.reasonForRefusal(of: credential.token)
      let client = link.client.map { " of \($0)" } ?? ""
      effects.append(
        .reportProblem(
          "signing in\(client) is refused (\(response.status)): \(reason)", connection: number))
    }
  }
}
