internal import ClientInterface
internal import ReferenceServer
internal import Tree
internal import Wire

/// A request that asks for changes for as long as it lasts.
struct EventStream: Sendable {
  /// How often a stream without news shows that it is alive.
  static let keepAlive = Interval.seconds(30)

  /// A hash that no data have: a listen with it is sent what is there, even nothing.
  static let unknown = "-"

  let form: EventForm
  /// When something was last sent.
  var lastActivity: Instant
  /// Whether a server elsewhere has sent no data yet.
  var awaitsAnswer = false
}

extension LiveServer {
  /// Whether a request asks for a stream.
  func wantsStream(_ request: HTTPRequest) -> Bool {
    request.effectiveMethod == "GET"
      && request.headers["accept"]?.lowercased().contains("text/event-stream") == true
  }

  /// Begins a stream, or refuses it like any other read.
  mutating func beginStream(_ request: HTTPRequest, on socket: Socket) {
    do throws(Refused) {
      let path = try self.path(of: request)
      let query = try request.parameters.query()
      try checkIndex(of: path, query, in: request.namespace)
      // A refused reader receives the refusal before anything else, as an answer.
      _ = try perform(.get(path, query ?? .all), request)
      effects.append(
        .begin(
          socket,
          HTTPResponse(
            200,
            [
              .init("Content-Type", "text/event-stream; charset=utf-8")
            ]
          ).open))
      let identity = try RequestIdentity(
        of: request, administrator: LiveServerSettings.administrator)
      listen(path, query, request, by: identity, on: socket)
    } catch {
      effects.append(.respond(socket, error.response.open))
    }
  }

  private mutating func listen(
    _ path: Path, _ query: Query?, _ request: HTTPRequest, by identity: RequestIdentity,
    on socket: Socket
  ) {
    lastNumber += 1
    let link = beginStream(
      of: path, request, isAdministrator: identity.isAdministrator, on: socket, as: lastNumber)
    setValid(identity, true, in: request.namespace)
    take(nil, by: link)
    for message in Self.listening(to: path, query, identity.token) { take(message, by: link) }
    setValid(identity, false, in: request.namespace)
  }

  /// Begins what is, but for its framing, a connection of the protocol.
  mutating func beginStream(
    of path: Path, _ request: HTTPRequest, isAdministrator: Bool, on socket: Socket, as number: Int
  ) -> ProtocolConnection {
    let stream = EventStream(form: EventForm(at: path, for: request), lastActivity: now)
    let link = ProtocolConnection(
      id: ReferenceServer.ConnectionID(number), namespace: request.namespace, dialect: .firebase,
      carrier: .events(socket, stream), client: request.client, hasReceivedHello: true,
      isAdministrator: isAdministrator)
    links[number] = link
    carried[socket] = number
    notify(.began(number))
    record(
      .opened(
        Effect.Opening(
          dialect: Dialect.firebase.rawValue, namespace: request.namespace, client: request.client,
          isStream: true)), number)
    return link
  }

  /// What a client of the protocol would send in place of asking for a stream.
  static func listening(to path: Path, _ query: Query?, _ token: String?) -> [ClientMessage] {
    let listen = Request.Listen(
      path: path, query: query.flatMap { $0.filters ? $0 : nil },
      tag: query?.filters == true ? 1 : nil, hash: EventStream.unknown)
    let signIn = token.map { ClientMessage.request(0, .authenticate(.init($0))) }
    return [signIn, .request(1, .listen(listen))].compactMap { $0 }
  }

  /// Does what a stream would have asked for if it were a client of the protocol; nil begins it.
  private mutating func take(_ message: ClientMessage?, by link: ProtocolConnection) {
    var out: [ReferenceServer.Outgoing] = []
    if let message { record(.sent(message.json(in: link.dialect).text), link.id.number) }
    let time = time
    withServer(of: link.namespace, isAdministrator: link.isAdministrator) { server in
      if let message {
        server.receive(message, from: link.id, at: time, into: &out)
      } else {
        server.open(link.id, at: time, into: &out)
      }
    }
    if let message { sendAnswers(to: message, in: out, of: link.id) }
    transmit(out)
  }

  /// Sends a stream what its connection is sent.
  mutating func notify(
    _ message: ServerMessage, to stream: EventStream, on socket: Socket, _ number: Int
  ) {
    switch message {
    case .merge where settings.defect == .streamsNoMerges: break
    case .put, .merge:
      let event: EventText
      if let eventText, eventText.isText(of: message, as: stream.form) {
        event = eventText
      } else {
        event = EventText(of: message, as: stream.form)
        eventText = event
      }
      if let text = event.text { effects.append(.write(socket, text)) }
    case .revoked:
      effects.append(.write(socket, EventText.text("cancel", .null)))
      effects.append(.close(socket, code: 1000, reason: "cancelled"))
    case .credentialRevoked:
      let data = JSON.string("credential is no longer valid")
      effects.append(.write(socket, EventText.text("auth_revoked", data)))
      effects.append(.close(socket, code: 1000, reason: "no longer signed in"))
    default: break
    }
  }

  mutating func keepAlive(_ number: Int) {
    guard case .events(let socket, var stream)? = links[number]?.carrier,
      now - stream.lastActivity >= EventStream.keepAlive, links[number]?.isDead == false,
      links[number]?.isStalled == false
    else { return }
    stream.lastActivity = now
    links[number]?.carrier = .events(socket, stream)
    effects.append(.write(socket, EventText.text("keep-alive", .null)))
  }
}
