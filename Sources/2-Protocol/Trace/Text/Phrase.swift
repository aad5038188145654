internal import ClientInterface
internal import Document
internal import Tree
public import Wire

/// The text of an event in three parts, of which the middle one can be long.
struct Phrase {
  /// What happened, and where.
  var head: String
  /// A value as canonical text; cut in the middle when it is long.
  var value: String?
  /// The rest, with the separators in front of it.
  var tail: String

  init(_ head: String, _ value: String? = nil, tail: String = "") {
    self.head = head
    self.value = value
    self.tail = tail
  }

  /// How wide the text of an event is meant to be at most: what a time and a route leave of 100.
  static let width = 66
  /// How much of a value is shown even where that is wider.
  static let leastValueWidth = 24

  var text: String {
    let head = Self.cut(head, to: Self.width)
    guard let value else { return head + tail }
    let room = max(Self.leastValueWidth, Self.width - head.count - tail.count - 1)
    return head + " " + Self.cut(value, to: room) + tail
  }

  private static func cut(_ text: String, to width: Int) -> String {
    Truncation.middle(of: printable(text), to: width, front: .twoThirds)
  }
}

extension ClientInput {
  var phrase: Phrase {
    switch self {
    case .open: return Phrase("starts")
    case let .call(id, operation):
      var phrase = operation.phrase
      // The name of a listener says more than that of the call.
      if operation.arguments.listener == nil { phrase.tail += "   as \(id.name)" }
      return phrase
    case .opened: return Phrase("connection opened")
    case .refused: return Phrase("connection refused")
    case let .frame(message): return message.phrase
    case .closed: return Phrase("connection lost")
    case let .timer(id): return Phrase("timer \(id.number) is due")
    case .close: return Phrase("ends")
    }
  }
}

extension ClientOutput {
  var phrase: Phrase {
    switch self {
    case .connect: Phrase("asks for a connection")
    case let .connectTo(host): Phrase("asks for a connection to \(host)")
    case let .send(message): message.phrase
    case .disconnect: Phrase("disconnects")
    case let .setTimer(id, after, purpose):
      Phrase(
        "sets timer \(id.number) to \(after.text)",
        tail: purpose == .other ? "" : "   \(purpose.rawValue)")
    case let .cancelTimer(id): Phrase("cancels timer \(id.number)")
    case let .event(event): event.phrase
    case let .cancelled(listener, error): Phrase("cancelled \(listener.name): \(error)")
    case let .completed(call, completion): completion.phrase(of: call)
    case let .answered(call, json): Phrase("answered \(call.name):", json.text)
    case let .threw(call, error): Phrase("refused \(call.name): \(error)")
    case let .updateRan(call, input): Phrase("ran the function of \(call.name) with", input.text)
    case let .calling(call): Phrase("calls \(call.name) from inside the callback")
    case let .returned(call): Phrase("\(call.name) returns")
    case let .uncaught(exception): Phrase("throws, uncaught:", exception.description)
    case let .log(text): Phrase("log:", text)
    case let .store(key, text): Phrase("stores \(key)", text)
    case let .erase(key): Phrase("erases \(key)")
    }
  }
}

extension Event {
  fileprivate var phrase: Phrase {
    let listener = "   on \(listener.name)"
    guard type != .value else { return Phrase("raised value", value.description, tail: listener) }
    return Phrase(
      "raised \(name()) =", value.description, tail: previous.clause() + listener)
  }
}

extension Completion {
  fileprivate func phrase(of call: CallID) -> Phrase {
    Phrase("completed \(call.name): \(name)", result?.description)
  }
}

extension Operation {
  fileprivate var phrase: Phrase {
    let given = arguments
    if let inspection = given.inspection { return Phrase(inspection.description) }
    if let reaction = given.reaction { return Phrase(reaction.text) }
    var phrase = Phrase(name + (path.map { " \($0)" } ?? ""), given.detail)
    if case let .removes(listener, path) = listenerChange {
      phrase.head += " \(listener.name)" + (path.map { " at \($0)" } ?? "")
    }
    if let token = given.token { phrase.head += " \(token)" }
    if given.localEvents == .hidden { phrase.tail += "   without local events" }
    if given.synchronization == .off { phrase.tail += "   off" }
    if let events = given.events {
      let isAll = events.count == EventType.allCases.count
      phrase.tail +=
        "   " + (isAll ? "all events" : events.sorted().map(\.rawValue).joined(separator: ", "))
    }
    if let event = given.event { phrase.tail += "   \(event.rawValue)" }
    if let registration { phrase.tail += "   as \(registration.listener.name)" }
    return phrase
  }
}

extension Operation.Arguments {
  /// What can be long: the value that is written, or the query.
  fileprivate var detail: String? {
    if let priority { return priority.text }
    return value?.description ?? changes?.json.text ?? function?.json.text ?? query?.wireText
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
        queries.map { JSON.array($0.map { $0.json(in: .firebase) }).text })
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

  fileprivate var phrase: Phrase {
    let head = action.rawValue + (path.map { " \($0)" } ?? "")
    switch self {
    case let .listen(listen):
      return Phrase(head, listen.query?.wireText, tail: text(of: listen.tag))
    case let .unlisten(_, query, tag): return Phrase(head, query?.wireText, tail: text(of: tag))
    case let .put(_, node, hash): return Phrase(head, node.description, tail: condition(hash))
    case let .merge(_, assignments, hash):
      return Phrase(head, assignments.json.text, tail: condition(hash))
    case let .onDisconnectPut(_, node): return Phrase(head, node.description)
    case let .onDisconnectMerge(_, assignments): return Phrase(head, assignments.json.text)
    case let .get(_, query): return Phrase(head, query.wireText)
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
