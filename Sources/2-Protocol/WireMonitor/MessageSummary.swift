internal import Document
internal import Text
package import Tree
package import Wire

/// A message in a few words, for a watcher.
package struct MessageSummary: Hashable {
  /// How long a message may be that is read at all, in bytes of its text: reading costs time.
  package static let maxRead = 1 << 14
  /// How much of a value is shown, in characters.
  package static let maxShown = 160

  /// `put /a {"b":1}`, `ok 3`.
  package var text: String
  /// The number of the request that it is, or that it answers.
  package var request: Int?

  private init(_ text: String, _ request: Int? = nil) {
    self.text = text
    self.request = request
  }

  /// What a client sent, or what it was sent.
  package init(of text: String, fromClient: Bool) {
    guard text.utf8.count <= Self.maxRead, let json = try? JSON(parsing: text) else {
      self.init(Self.shortened(text))
      return
    }
    if fromClient, let message = try? ClientMessage(json: json) {
      self.init(message)
    } else if !fromClient, let message = try? ServerMessage(json: json) {
      self.init(message)
    } else {
      self.init(Self.shortened(text))
    }
  }

  private init(_ message: ClientMessage) {
    switch message {
    case .ping: self.init("ping")
    case let .request(number, request): self.init(request.reading, number)
    }
  }

  private init(_ message: ServerMessage) {
    func value(_ json: JSON) -> String { Self.shortened(json.text) }
    switch message {
    case let .hello(hello): self.init("hello, version \(hello.version), \(hello.session)")
    case let .response(response):
      let isEmpty = response.payload.members?.isEmpty == true || response.payload == ""
      let payload = isEmpty ? "" : " \(value(response.payload))"
      self.init("\(response.status) \(response.request)\(payload)", response.request)
    case let .put(path, node, tag):
      self.init("data \(path) \(value(node.json))\(Self.tag(tag))")
    case let .merge(path, assignments, tag):
      self.init("merge \(path) \(value(assignments.json))\(Self.tag(tag))")
    case let .revoked(path, _): self.init("revoked \(path)")
    case let .credentialRevoked(status, reason):
      self.init("credential revoked: \(status), \(reason)")
    case let .shutdown(reason): self.init("shutdown: \(reason)")
    case let .reset(host): self.init("go to \(host)")
    case .pong: self.init("pong")
    case let .notice(text): self.init("notice: \(Self.shortened(text))")
    case let .other(json): self.init(value(json))
    }
  }

  fileprivate static func tag(_ tag: Int?) -> String { tag.map { " (tag \($0))" } ?? "" }

  /// The beginning of a text, with three dots where something is left out.
  package static func shortened(_ text: String, to length: Int = maxShown) -> String {
    Truncation.end(of: text, toScalars: length, mark: "…")
  }
}

extension Request {
  /// The request in a few words.
  package var reading: String {
    func value(_ json: JSON) -> String { MessageSummary.shortened(json.text) }
    let head = action.rawValue + (path.map { " \($0)" } ?? "")
    switch self {
    case let .listen(listen):
      let known = listen.hash.isEmpty ? "" : " (has data)"
      return head + (listen.query?.reading ?? "") + MessageSummary.tag(listen.tag) + known
    case let .unlisten(_, query, tag):
      return head + (query?.reading ?? "") + MessageSummary.tag(tag)
    case let .put(_, node, hash):
      return "\(head) \(value(node.json))" + (hash == nil ? "" : " (if unchanged)")
    case let .merge(_, assignments, hash):
      return "\(head) \(value(assignments.json))" + (hash == nil ? "" : " (if unchanged)")
    case let .onDisconnectPut(_, node): return "\(head) \(value(node.json))"
    case let .onDisconnectMerge(_, assignments): return "\(head) \(value(assignments.json))"
    case let .get(_, query): return head + query.reading
    case let .stats(counters):
      return head + " " + counters.map(\.name).joined(separator: ", ")
    case let .authenticate(credential):
      return head + " " + MessageSummary.shortened(credential.token, to: 16)
    case .onDisconnectCancel, .unauthenticate: return head
    }
  }
}

extension Query {
  /// The query as the arguments of a request by REST, each with a blank in front.
  package var reading: String {
    if self == .all { return "" }
    var text = ordering.indexName.map { " orderBy=\($0)" } ?? " orderBy=.priority"
    func add(_ bound: Bound, _ inclusive: String, _ exclusive: String) {
      text += " \(bound.edge == .inclusive ? inclusive : exclusive)="
      text += MessageSummary.shortened((bound.value?.json ?? .null).text, to: 40)
      if let key = bound.key { text += ",\(JSON.string(key.string).text)" }
    }
    if let start, start == end {
      add(start, "equalTo", "equalTo")
    } else {
      if let start { add(start, "startAt", "startAfter") }
      if let end { add(end, "endAt", "endBefore") }
    }
    switch limit {
    case let .first(count): text += " limitToFirst=\(count)"
    case let .last(count): text += " limitToLast=\(count)"
    case nil: break
    }
    return text
  }
}
