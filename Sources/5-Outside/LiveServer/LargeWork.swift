internal import ReferenceServer
internal import RunModel
internal import Tree
internal import Wire

/// Work on a large message that needs nothing of the server: reading what a client has sent, or
/// writing what clients are sent. The caller may do it in another thread; other clients are served
/// meanwhile.
public struct LargeWork: Hashable, Sendable {
  enum Content: Sendable {
    case reading(String, from: Int, ResourceLimits, Dialect, over: Node)
    case writing(ServerMessage, Wording)
    case readingBody(HTTPRequest, Socket, ResourceLimits, over: Node)
    case writingAnswer(RESTAnswer, Socket)
  }

  /// How a connection is sent data.
  struct Wording: Hashable, Sendable {
    let dialect: Dialect
    /// What a stream shows; nil for a client of the protocol.
    let event: EventForm?
    /// Whether the text of the protocol is needed.
    let hasText: Bool
  }

  /// What came of it, for ``LiveServer/resume(with:at:into:)``.
  public struct Outcome: Sendable {
    enum Content: Sendable {
      case read(IncomingMessage, ReferenceServer.PreparedWrite?, from: Int)
      case written(OutgoingText?, EventText?)
      case readBody(Result<RESTBody, Refused>, ReferenceServer.PreparedWrite?, HTTPRequest, Socket)
      case writtenAnswer(HTTPResponse, Socket)
    }

    let number: Int
    let content: Content
  }

  /// Another one for each.
  let number: Int
  let content: Content

  public static func == (a: LargeWork, b: LargeWork) -> Bool { a.number == b.number }

  public func hash(into hasher: inout Hasher) { hasher.combine(number) }

  fileprivate func writes(_ message: ServerMessage, as wording: Wording) -> Bool {
    guard case .writing(let other, wording) = content else { return false }
    return message.isSame(as: other)
  }

  /// Whether there are more bytes to read or to write, about.
  public func isLarger(than limit: Int) -> Bool {
    switch content {
    case let .reading(text, _, _, _, _): text.utf8.count > limit
    case let .writing(message, _): message.byteCount(upTo: limit) > limit
    case let .readingBody(request, _, _, _): request.body.count > limit
    case let .writingAnswer(answer, _): answer.isLarger(than: limit)
    }
  }

  /// Does it.
  ///
  /// - Complexity: O(*n*) in the length of the message.
  public func outcome() -> Outcome {
    switch content {
    case let .reading(text, number, bounds, dialect, tree):
      let message = IncomingMessage(
        text, upTo: bounds.message, longestText: bounds.text, in: dialect)
      var write: ReferenceServer.Write?
      if case let .message(.request(_, request)) = message.content { write = .init(request) }
      let prepared = write.map { ReferenceServer.PreparedWrite($0, to: tree) }
      return Outcome(number: self.number, content: .read(message, prepared, from: number))
    case let .writing(message, wording):
      let text = wording.hasText ? OutgoingText(of: message, in: wording.dialect) : nil
      let event = wording.event.map { EventText(of: message, as: $0) }
      return Outcome(number: number, content: .written(text, event))
    case let .readingBody(request, socket, bounds, tree):
      let body = RESTBody.read(request, upTo: bounds.message, longestText: bounds.text)
      let prepared = (try? body.get()).flatMap { Self.write(of: request, $0) }.map {
        ReferenceServer.PreparedWrite($0, to: tree)
      }
      return Outcome(number: number, content: .readBody(body, prepared, request, socket))
    case let .writingAnswer(answer, socket):
      let response = answer.request.coded(answer.response().open)
      return Outcome(number: number, content: .writtenAnswer(response, socket))
    }
  }
}

extension LargeWork {
  /// What a request of REST writes; nil where that is not known yet.
  private static func write(of request: HTTPRequest, _ body: RESTBody) -> ReferenceServer.Write? {
    guard let path = try? LiveServer.path(of: request.path) else { return nil }
    return switch request.effectiveMethod {
    case "PUT": .put(path, body.node)
    case "PATCH": body.assignments.map { .merge(path, $0) }
    default: nil
    }
  }
}

extension LiveServer {
  /// How much may be read elsewhere at once, and be written, and how many messages of one
  /// connection may wait for that.
  private static let maxWork = (messages: 8, waiting: 10_000)

  /// Takes what came of work on a large message, unless it is not needed any more.
  public mutating func resume(with outcome: LargeWork.Outcome) {
    switch outcome.content {
    case let .read(message, write, number):
      guard reading[number]?.number == outcome.number else { return }
      reading[number] = nil
      prepared = write
      take(message, from: number)
      prepared = nil
      let early = links[number]?.takeEarly() ?? []
      for text in early { receive(message: text, from: number) }
      guard reading[number] == nil, let departure = links[number]?.departure else { return }
      forget(number, departure)
    case let .written(text, event):
      guard let work = writing.firstIndex(where: { $0.number == outcome.number }) else { return }
      writing.remove(at: work)
      if let text { rendering = text }
      if let event { eventText = event }
      sendWritten()
    case let .readBody(body, write, request, socket):
      workForRequests -= 1
      prepared = write
      respond(to: request, with: body, on: socket)
      prepared = nil
    case let .writtenAnswer(response, socket):
      workForRequests -= 1
      effects.append(.respond(socket, response))
    }
  }

  /// Sends what has waited for the text that was written last, and what waits behind it.
  private mutating func sendWritten() {
    let waiting = links.keys.sorted().filter { number in
      guard let link = links[number], let first = link.outbox.first else { return false }
      return isWritten(first, as: wording(of: link))
    }
    // All of them first, as long as the text is there.
    for number in waiting {
      if let first = links[number]?.outbox.removeFirst() { emit(first, number) }
    }
    for number in waiting {
      let rest = links[number]?.takeOutbox() ?? []
      for message in rest { emit(.init(.init(number), message)) }
    }
  }

  /// Has a large body of a request read in another thread, if the host works with several.
  ///
  /// - Returns: Whether that is so; otherwise it is to be read here.
  mutating func deferReading(_ request: HTTPRequest, _ socket: Socket) -> Bool {
    guard let limit = settings.largeMessage, request.body.count > limit,
      ["PUT", "POST", "PATCH"].contains(request.effectiveMethod), request.path != Self.rulesPath
    else { return false }
    let tree = namespaces[request.namespace]?.tree ?? settings.data
    return beginForRequest(.readingBody(request, socket, settings.bounds, over: tree))
  }

  /// Has a large answer written in another thread.
  ///
  /// - Returns: Whether that is so; otherwise it is to be written here.
  mutating func deferWriting(_ answer: RESTAnswer, _ socket: Socket) -> Bool {
    guard let limit = settings.largeMessage, answer.isLarger(than: limit) else { return false }
    return beginForRequest(.writingAnswer(answer, socket))
  }

  /// Begins work for a request, unless faults may come between it and its answer.
  private mutating func beginForRequest(_ content: LargeWork.Content) -> Bool {
    guard !isDisturbed, workForRequests < Self.maxWork.messages else { return false }
    workForRequests += 1
    _ = begin(content)
    return true
  }

  /// Has a large message read in another thread; what follows it waits.
  ///
  /// - Returns: Whether that is so; otherwise it is to be read here.
  mutating func deferReading(_ text: String, _ number: Int) -> Bool {
    if reading[number] != nil {
      links[number]?.keepEarly(text)
      // More is not kept: everyone waits instead.
      if let bytes = links[number]?.earlyBytes, bytes > settings.bounds.message { readNow(number) }
      return true
    }
    guard let limit = settings.largeMessage, text.utf8.count > limit,
      reading.count < Self.maxWork.messages, let link = links[number]
    else { return false }
    let tree = namespaces[link.namespace]?.tree ?? .empty
    reading[number] = begin(
      .reading(text, from: number, settings.bounds, link.dialect, over: tree))
    return true
  }

  private mutating func begin(_ content: LargeWork.Content) -> LargeWork {
    lastWork += 1
    let work = LargeWork(number: lastWork, content: content)
    effects.append(.work(work))
    return work
  }

  /// Reads here what is being read elsewhere, and what has arrived since.
  mutating func readNow(_ number: Int) {
    while let work = reading[number] {
      resume(with: work.outcome())
    }
  }

  /// Whether a message has to wait until it, or another one before it, is written elsewhere.
  mutating func deferWriting(_ message: ServerMessage, _ number: Int) -> Bool {
    guard let limit = settings.largeMessage, let link = links[number] else { return false }
    if link.outbox.count > Self.maxWork.waiting { writeNow(number) }
    if links[number]?.outbox.isEmpty == false { return true }
    let wording = wording(of: link)
    guard message.byteCount(upTo: limit) > limit, !isWritten(message, as: wording) else {
      return false
    }
    if writing.contains(where: { $0.writes(message, as: wording) }) { return true }
    guard writing.count < Self.maxWork.messages else { return false }
    writing.append(begin(.writing(message, wording)))
    return true
  }

  private func wording(of link: ProtocolConnection) -> LargeWork.Wording {
    let event = link.eventForm
    return .init(
      dialect: link.dialect, event: event, hasText: event == nil || settings.isRecorded)
  }

  private func isWritten(_ message: ServerMessage, as wording: LargeWork.Wording) -> Bool {
    if wording.hasText, rendering?.isText(of: message, in: wording.dialect) != true { return false }
    guard let event = wording.event else { return true }
    return eventText?.isText(of: message, as: event) == true
  }

  /// Sends what waits, at once.
  mutating func writeNow(_ number: Int) {
    for message in links[number]?.takeOutbox() ?? [] { emit(message, number) }
  }
}
