internal import Document
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

  /// What a client sent, or what it was sent.
  package init(of text: String, fromClient: Bool) {
    self.text = Self.shortened(text)
    guard text.utf8.count <= Self.maxRead, let json = try? JSON(parsing: text) else { return }
    if fromClient, let message = try? ClientMessage(json: json) {
      switch message {
      case .ping: self.text = "ping"
      case let .request(number, request): (self.text, self.request) = (request.reading, number)
      }
    } else if !fromClient, let message = try? ServerMessage(json: json) {
      self.text = message.reading
      if case let .response(response) = message { request = response.request }
    }
  }

  /// The beginning of a text, with three dots where something is left out.
  package static func shortened(_ text: String, to length: Int = maxShown) -> String {
    Truncation.end(of: text, toScalars: length, mark: "…")
  }

  fileprivate static func tag(_ tag: Int?) -> String { tag.map { " (tag \($0))" } ?? "" }
}

extension JSON {
  /// The value as messages show it, with a blank in front.
  fileprivate var shown: String { " " + MessageSummary.shortened(text) }
}

extension ServerMessage {
  fileprivate var reading: String {
    switch self {
    case let .hello(hello): return "hello, version \(hello.version), \(hello.session)"
    case let .response(response):
      let isEmpty = response.payload.members?.isEmpty == true || response.payload == ""
      return "\(response.status) \(response.request)" + (isEmpty ? "" : response.payload.shown)
    case let .put(path, node, tag):
      return "data \(path)" + node.json.shown + MessageSummary.tag(tag)
    case let .merge(path, assignments, tag):
      return "merge \(path)" + assignments.json.shown + MessageSummary.tag(tag)
    case let .revoked(path, _): return "revoked \(path)"
    case let .credentialRevoked(status, reason): return "credential revoked: \(status), \(reason)"
    case let .shutdown(reason): return "shutdown: \(reason)"
    case let .reset(host): return "go to \(host)"
    case .pong: return "pong"
    case let .notice(text): return "notice: \(MessageSummary.shortened(text))"
    case let .other(json): return MessageSummary.shortened(json.text)
    }
  }
}

extension Request {
  /// The request in a few words.
  package var reading: String {
    let head = action.rawValue + (path.map { " \($0)" } ?? "")
    func condition(_ hash: String?) -> String { hash == nil ? "" : " (if unchanged)" }
    switch self {
    case let .listen(listen):
      let known = listen.hash.isEmpty ? "" : " (has data)"
      return head + (listen.query?.reading ?? "") + MessageSummary.tag(listen.tag) + known
    case let .unlisten(_, query, tag):
      return head + (query?.reading ?? "") + MessageSummary.tag(tag)
    case let .put(_, node, hash): return head + node.json.shown + condition(hash)
    case let .merge(_, assignments, hash): return head + assignments.json.shown + condition(hash)
    case let .onDisconnectPut(_, node): return head + node.json.shown
    case let .onDisconnectMerge(_, assignments): return head + assignments.json.shown
    case let .get(_, query): return head + query.reading
    case let .stats(counters): return head + " " + counters.map(\.name).joined(separator: ", ")
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
