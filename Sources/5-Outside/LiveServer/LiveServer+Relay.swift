internal import ClientInterface
internal import Document
internal import ReferenceServer
internal import Tree
public import Wire

// A server elsewhere that does what clients ask, in place of the one of a namespace. Framings, the lines
// and the faults on them stay what they are.

extension LiveServer {
  /// Hands something on to it. Nothing else arrives there until the caller says that it has done its work,
  /// unless everything is handed on at once.
  mutating func relay(_ relayed: Effect.Relayed, _ number: Int) {
    isHeld = !settings.handsOnAtOnce
    effects.append(.relay(relayed, connection: number))
  }

  /// Takes what it sends over the connection that it has for one of this server.
  ///
  /// Clients connect again to the host of the hello, which is here, and the name of the session is the one
  /// by which it is known here.
  public mutating func take(relayed message: ServerMessage, on number: Int) {
    guard let link = links[number] else { return }
    var message = message
    if case var .hello(hello) = message {
      (hello.host, hello.session) = (link.host, link.id.session)
      message = .hello(hello)
    }
    transmit([.init(link.id, message)])
    // WIR-2: the data of a listen come before its answer.
    if case .events(let socket, var stream) = link.carrier, stream.awaitsAnswer {
      stream.awaitsAnswer = false
      links[number]?.carrier = .events(socket, stream)
      transmit([.init(link.id, .response(.init(to: 1)))])
    }
  }

  /// It has ended the connection that it has for one of this server.
  public mutating func end(relayed number: Int) {
    end(number, code: 1001, "the server has closed the connection")
  }
}

// Requests of REST: each has a connection of its own to the server elsewhere, with a number as those of the protocol
// have.

/// A request that the server elsewhere has not answered.
struct RelayedRequest: Sendable {
  let socket: Socket
  let request: HTTPRequest
  /// Whether no client waits for the answer any more.
  var isGivenUp = false
}

extension LiveServer {
  /// Hands a request on.
  mutating func relay(_ request: HTTPRequest, from socket: Socket) {
    guard hasNamespace(request.namespace) else {
      return effects.append(.respond(socket, Self.noNamespace(request.namespace).open))
    }
    lastNumber += 1
    relayed[lastNumber] = RelayedRequest(socket: socket, request: request)
    relay(.asked(request), lastNumber)
  }

  /// Takes the answer to a request. With a stream it is the beginning: what follows comes as it does to connections.
  mutating func take(relayed answer: HTTPResponse, isStream: Bool, on number: Int) {
    guard let asked = relayed.removeValue(forKey: number) else { return }
    if isStream, let path = try? Self.path(of: asked.request.path) {
      effects.append(.begin(asked.socket, answer))
      return beginRelayedStream(of: path, asked, as: number)
    }
    if let write = asked.request.write(answeredBy: answer) {
      recordWrite(write, in: asked.request.namespace, .init(number))
    }
    if !asked.isGivenUp { effects.append(.respond(asked.socket, answer)) }
  }

  /// A stream is recorded as what a client of the protocol would send and be sent.
  private mutating func beginRelayedStream(of path: Path, _ asked: RelayedRequest, as number: Int) {
    let link = beginStream(
      of: path, asked.request, isAdministrator: false, on: asked.socket, as: number)
    let stream = EventStream(
      form: EventForm(at: path, for: asked.request), lastActivity: now, awaitsAnswer: true)
    links[number]?.carrier = .events(asked.socket, stream)
    let hello = ServerMessage.Hello(
      timestamp: now.milliseconds, version: Dialect.firebase.version, host: asked.request.host,
      session: link.id.session)
    transmit([.init(link.id, .hello(hello))])
    let query = (try? asked.request.parameters.query()) ?? nil
    for message in Self.listening(to: path, query, nil) {
      record(.sent(message.json(in: .firebase).text), number)
    }
  }

  /// A client gives up a request. A stream ends there too; what else was asked for may be done, so that its answer is
  /// waited for.
  mutating func abandonRelayed(_ socket: Socket) {
    guard let (number, asked) = relayed.first(where: { $0.value.socket == socket }) else { return }
    guard wantsStream(asked.request) else {
      relayed[number]?.isGivenUp = true
      return
    }
    relayed[number] = nil
    relay(.closed, number)
  }
}

extension HTTPRequest {
  /// Whether it may write.
  package var isWrite: Bool { ["DELETE", "PATCH", "POST", "PUT"].contains(effectiveMethod) }

  /// What it writes; nil for nothing. Where a `POST` writes, its answer says.
  package func write(named name: String? = nil) -> Request? {
    guard let path = try? LiveServer.path(of: path) else { return nil }
    let hash = headers["if-match"].map { $0 == RESTAnswer.tagOfNothing ? "" : $0 }
    if effectiveMethod == "DELETE" { return .put(path, .empty, hash: hash) }
    guard let json = try? JSON(parsing: body, upTo: body.count) else { return nil }
    return switch effectiveMethod {
    case "PUT": .put(path, Node(json: json), hash: hash)
    case "PATCH": [Assignment](json: json).map { .merge(path, $0, hash: nil) }
    case "POST": name.map { .put(path.appending(Key($0)), Node(json: json), hash: nil) }
    default: nil
    }
  }

  /// What it has written, by how it was answered; nil for nothing, and where that is not known.
  func write(answeredBy answer: HTTPResponse) -> Request? {
    guard (200..<300).contains(answer.status) else { return nil }
    return write(named: answer.json?["name"]?.string)
  }
}
