internal import Document
internal import Tree
package import Wire

/// Reads what a server elsewhere answers to one request of REST, on a connection that has no other.
package struct AnswerReader: Sendable {
  package enum Event: Hashable, Sendable {
    /// The whole answer; nothing follows.
    case answer(HTTPResponse)
    /// A stream of events begins.
    case begins(HTTPResponse)
    /// What an event of the stream says, as a connection of the protocol would be sent it.
    case message(ServerMessage)
    /// An event that streams do not have.
    case odd(String)
    /// It is no answer of HTTP; nothing follows.
    case broken(String)
  }

  private enum State {
    case statusLine
    case fields
    case body
    case events
    case finished
  }

  private let request: HTTPRequest
  private let limit: Int
  private var state = State.statusLine
  private var bytes = MessageBytes()
  private var status = 0
  private var fields = HeadFields()
  private var events = EventReader()

  /// - Parameters:
  ///   - request: What is answered.
  ///   - limit: How many bytes a body, or one event, may have.
  package init(to request: HTTPRequest, upTo limit: Int) {
    (self.request, self.limit) = (request, limit)
  }

  /// Whether nothing more is read.
  package var isFinished: Bool { state == .finished }

  /// How many bytes are held: at most a head, and a body or an event.
  package var count: Int { bytes.count + events.count }

  /// Reads bytes that have arrived; ignores them after the answer.
  package mutating func take(_ more: some Sequence<UInt8>) -> [Event] {
    bytes.append(more)
    return read { reader, events throws(Refused) in
      while !reader.isFinished, try reader.step(&events) {}
    }
  }

  /// The server has closed the connection.
  package mutating func end() -> [Event] {
    read { reader, events throws(Refused) in
      let isWhole = reader.state == .body && reader.bytes.endsWithConnection
      guard isWhole || reader.state == .events || reader.isFinished else {
        throw Refused(502, "the connection was closed before the answer was whole")
      }
      if isWhole { events.append(.answer(reader.response(reader.bytes.endBody()))) }
      reader.state = .finished
    }
  }

  private mutating func read(
    _ body: (inout AnswerReader, inout [Event]) throws(Refused) -> Void
  ) -> [Event] {
    var events: [Event] = []
    do throws(Refused) {
      try body(&self, &events)
    } catch {
      state = .finished
      events.append(.broken(error.response.reason))
    }
    if isFinished { (bytes, self.events) = (MessageBytes(), EventReader()) }
    return events
  }

  /// Reads a line, or what is there of the body.
  ///
  /// - Returns: Whether there may be more to read.
  private mutating func step(_ events: inout [Event]) throws(Refused) -> Bool {
    switch state {
    case .statusLine:
      guard let line = try bytes.line(400) else { return false }
      status = try Self.status(in: line)
      (fields, state) = (HeadFields(), .fields)
    case .fields:
      guard let line = try bytes.line(400) else { return false }
      if line.isEmpty { try endHead(&events) } else { try fields.take(line) }
    case .body:
      guard try bytes.takeBody(limit: limit) else { return false }
      events.append(.answer(response(bytes.endBody())))
      state = .finished
    case .events:
      // What came before a mistake counts, as it does when that arrives later.
      let isWhole = Result { () throws(Refused) in try bytes.takeBody(limit: .max) }
      self.events.append(bytes.takenBody())
      while let event = try self.events.next(upTo: limit) {
        if let event = message(of: event) { events.append(event) }
      }
      if try isWhole.get() { state = .finished }
      return false
    case .finished: return false
    }
    return true
  }

  private static func status(in line: ArraySlice<UInt8>) throws(Refused) -> Int {
    let text = String(decoding: line, as: UTF8.self)
    let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, words[0] == "HTTP/1.1" || words[0] == "HTTP/1.0",
      words[1].utf8.count == 3, let status = Int(words[1]), status >= 100
    else { throw Refused(502, "the answer does not begin with HTTP/1.1 STATUS") }
    return status
  }

  private mutating func endHead(_ events: inout [Event]) throws(Refused) {
    // 100 and the like come before the answer.
    if status < 200 {
      (state, _) = (.statusLine, bytes.endBody())
      return
    }
    // Those have no body, whatever their heads say of one.
    let isEmpty = status == 204 || status == 304
    bytes.beginBody(isEmpty ? .none : try fields.framing(limit: limit) ?? .rest)
    let isStream = fields["content-type"]?.lowercased().hasPrefix("text/event-stream") == true
    state = status == 200 && isStream ? .events : .body
    if state == .events { events.append(.begins(response([]))) }
  }

  /// The fields that are about one connection, or that are written again.
  private static let ofConnection: Set = [
    "connection", "content-length", "keep-alive", "transfer-encoding", "upgrade",
  ]

  private func response(_ body: [UInt8]) -> HTTPResponse {
    let names = fields.values.keys.filter { !Self.ofConnection.contains($0) }.sorted()
    return HTTPResponse(
      status, names.map { .init($0, fields[$0] ?? "") }, body: body)
  }
}

extension AnswerReader {
  /// What an event means; nil for one that only shows that the stream is alive.
  private func message(of event: EventReader.Event) -> Event? {
    let data = try? JSON(parsing: event.data)
    let path = (try? LiveServer.path(of: request.path)) ?? .root
    let tag = request.isForWindow ? 1 : nil
    switch event.name {
    case "keep-alive": return nil
    case "cancel": return .message(.revoked(path, queries: nil))
    case "auth_revoked":
      return .message(
        .credentialRevoked(status: "expired_token", reason: data?.string ?? event.data))
    case "put", "patch":
      guard let place = data?["path"]?.string, let content = data?["data"] else { break }
      let location = path.appending(Path(place))
      if event.name == "put" { return .message(.put(location, Node(json: content), tag: tag)) }
      guard let assignments = [Assignment](json: content) else { break }
      return .message(.merge(location, assignments, tag: tag))
    default: break
    }
    return .odd("\(event.name) \(event.data)")
  }
}

extension HTTPRequest {
  /// Whether a stream is of a part of the children only.
  package var isForWindow: Bool { ((try? parameters.query()) ?? nil)?.filters == true }
}

extension HTTPResponse {
  /// What is wrong, of an answer that says so as the database does.
  package var reason: String {
    json?["error"]?.string ?? "status \(status)"
  }
}

/// Cuts a stream of events into its events. Takes time linear in the number of the bytes, amortised.
struct EventReader: Sendable {
  struct Event: Hashable, Sendable {
    var name = "message"
    var data = ""

    var count: Int { name.utf8.count + data.utf8.count }
  }

  private var bytes = MessageBytes()
  private var event: Event?

  /// How many bytes are held.
  var count: Int { bytes.count + (event?.count ?? 0) }

  mutating func append(_ more: [UInt8]) { bytes.append(more) }

  /// The next event; nil when that has not arrived.
  ///
  /// - Throws: `Refused` for an event that is too long.
  mutating func next(upTo limit: Int) throws(Refused) -> Event? {
    while true {
      let (length, isWhole) = bytes.upcoming()
      if length + (event?.count ?? 0) > limit {
        throw Refused(413, "an event has more than \(limit) bytes")
      }
      if !isWhole { return nil }
      var line = bytes.takeLine(length)
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if !line.isEmpty {
        take(line)
      } else if let event = event.take() {
        return event
      }
    }
  }

  private mutating func take(_ line: ArraySlice<UInt8>) {
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    let bytes = line[colon...].dropFirst(line[colon...].starts(with: ": ".utf8) ? 2 : 1)
    let value = String(decoding: bytes, as: UTF8.self)
    let field = line[..<colon]
    if field.elementsEqual("event".utf8) {
      event = Event(name: value, data: event?.data ?? "")
    } else if field.elementsEqual("data".utf8) {
      // Taken out, so that it is not copied for each of its lines.
      var whole = event.take() ?? Event()
      whole.data += whole.data.isEmpty ? value : "\n" + value
      event = whole
    }
  }
}
