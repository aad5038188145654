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

  /// Reads bytes that have arrived.
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
      let isWhole = try bytes.takeBody(limit: .max)
      try self.events.append(bytes.takenBody(), limit: limit)
      while let event = self.events.next() {
        if let event = message(of: event) { events.append(event) }
      }
      if isWhole { state = .finished }
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
    let stated = try fields.framing(limit: limit)
    let isEmpty = status == 204 || status == 304
    bytes.beginBody(isEmpty ? .none : stated ?? .rest)
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

/// Cuts a stream of events into its events.
struct EventReader: Sendable {
  struct Event: Hashable, Sendable {
    var name = "message"
    var data = ""
  }

  private var text: [UInt8] = []
  private var event: Event?
  private var waiting: ArraySlice<Event> = []

  /// - Throws: `Refused` for an event that is too long.
  mutating func append(_ bytes: [UInt8], limit: Int) throws(Refused) {
    text += bytes
    var rest = text[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = rest[..<end]
      rest = rest[(end + 1)...]
      take(
        String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self))
    }
    text = Array(rest)
    if text.count + (event?.data.utf8.count ?? 0) > limit { throw HeadFields.tooLong(limit) }
  }

  mutating func next() -> Event? { waiting.popFirst() }

  private mutating func take(_ line: String) {
    if line.isEmpty {
      if let event { waiting.append(event) }
      event = nil
      return
    }
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.count == 2 ? parts[1] : ""
    let value = rest.hasPrefix(" ") ? rest.dropFirst() : rest
    switch parts[0] {
    case "event": event = Event(name: String(value), data: event?.data ?? "")
    case "data":
      let before = event.map { $0.data.isEmpty ? "" : $0.data + "\n" } ?? ""
      event = Event(name: event?.name ?? "message", data: before + value)
    default: break
    }
  }
}
