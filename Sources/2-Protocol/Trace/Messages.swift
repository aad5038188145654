internal import Tree
public import Wire

// Messages: their hash, with numbers that never change, because recorded traces have
// them, and their words.

extension Fingerprint {
  mutating func combine(_ message: ClientMessage) {
    switch message {
    case .ping: combine(1)
    case let .request(number, request):
      combine(2, number)
      combine(request)
    }
  }

  private mutating func combine(_ request: Request) {
    switch request {
    case let .listen(listen):
      combine(1)
      combine(listen.path)
      combine(listen.query)
      combine(listen.tag)
      combine(listen.hash)
    case let .unlisten(path, query, tag):
      combine(2, path)
      combine(query)
      combine(tag)
    case let .put(path, node, hash):
      combine(3, path, node)
      combine(hash)
    case let .merge(path, assignments, hash):
      combine(4, path, assignments)
      combine(hash)
    case let .onDisconnectPut(path, node):
      combine(5, path, node)
    case let .onDisconnectMerge(path, assignments):
      combine(6, path, assignments)
    case let .onDisconnectCancel(path):
      combine(7, path)
    case let .get(path, query):
      combine(8, path)
      combine(query)
    case let .stats(counters):
      combine(9)
      for counter in counters {
        combine(counter.name)
        combine(counter.value)
      }
    case let .authenticate(credential):
      combine(credential.kind == .token ? 10 : 11)
      combine(credential.token)
    case .unauthenticate: combine(12)
    }
  }

  mutating func combine(_ message: ServerMessage) {
    switch message {
    case let .hello(hello):
      combine(1)
      combine(hello.timestamp)
      combine(hello.version)
      combine(hello.host)
      combine(hello.session)
    case let .response(response):
      combine(2, response.request)
      combine(response.status)
      combine(response.payload)
    case let .put(path, node, tag):
      combine(3, path, node)
      combine(tag)
    case let .merge(path, assignments, tag):
      combine(4, path, assignments)
      combine(tag)
    case let .revoked(path, queries):
      combine(5, path)
      combine(queries?.count)
      for query in queries ?? [] { combine(query) }
    case let .credentialRevoked(status, reason):
      combine(6, status)
      combine(reason)
    case let .shutdown(reason):
      combine(7, reason)
    case let .reset(host):
      combine(8, host)
    case .pong: combine(9)
    case let .notice(text):
      combine(10, text)
    case let .other(json):
      combine(11)
      combine(json)
    }
  }
}

extension ClientMessage {
  /// The message in a few words: `put /room/b 2   request 4`. Long values are cut in the middle.
  public var summary: String { phrase.text }

  var phrase: Phrase {
    switch self {
    case .ping: return Phrase("ping")
    case let .request(number, request):
      var phrase = request.phrase
      phrase.tail += "   request \(number)"
      return phrase
    }
  }
}

extension ServerMessage {
  /// The message in a few words: `data /room {"a":1}`. Long values are cut in the middle.
  public var summary: String { phrase.text }

  var phrase: Phrase {
    switch self {
    case let .hello(hello): Phrase("hello", tail: "   session \(hello.session)")
    case let .response(response):
      Phrase(
        "answer \(response.status)",
        response.payload.members?.isEmpty == true ? nil : response.payload.text,
        tail: "   request \(response.request)")
    case let .put(path, node, tag): Phrase("data \(path)", node.description, tail: text(of: tag))
    case let .merge(path, assignments, tag):
      Phrase("merge \(path)", assignments.json.text, tail: text(of: tag))
    case let .revoked(path, queries):
      Phrase(
        "revoke \(path)",
        queries.map { $0.map { $0.words ?? "everything" }.joined(separator: ", ") })
    case let .credentialRevoked(status, _): Phrase("revoke the credential", status)
    case let .shutdown(reason): Phrase("shutdown:", reason)
    case let .reset(host): Phrase("reset to \(host)")
    case .pong: Phrase("pong")
    case let .notice(text): Phrase("notice:", text)
    case let .other(json): Phrase("message", json.text)
    }
  }
}

extension Request {
  /// The request in a few words, without its number: `put /room/b 2`.
  package var summary: String { phrase.text }

  /// The same without what stands behind it: `put /room/b 2`.
  package var brief: String { phrase.brief }

  fileprivate var phrase: Phrase {
    let head = action.rawValue + (path.map { " \($0)" } ?? "")
    switch self {
    case let .listen(listen):
      return Phrase(head, listen.query?.words, tail: text(of: listen.tag))
    case let .unlisten(_, query, tag): return Phrase(head, query?.words, tail: text(of: tag))
    case let .put(_, node, hash): return Phrase(head, node.description, tail: condition(hash))
    case let .merge(_, assignments, hash):
      return Phrase(head, assignments.json.text, tail: condition(hash))
    case let .onDisconnectPut(_, node): return Phrase(head, node.description)
    case let .onDisconnectMerge(_, assignments): return Phrase(head, assignments.json.text)
    case let .get(_, query): return Phrase(head, query.words)
    case let .stats(counters):
      return Phrase(
        head, JSON.object(counters.map { JSON.Member($0.name, .number($0.value)) }).text)
    case .onDisconnectCancel, .authenticate, .unauthenticate: return Phrase(head)
    }
  }

  /// The first characters of the hash distinguish two conditions.
  private func condition(_ hash: String?) -> String {
    hash.map { $0.isEmpty ? "   if empty" : "   if \($0.prefix(6))" } ?? ""
  }
}

private func text(of tag: Int?) -> String { tag.map { "   tag \($0)" } ?? "" }
