public import ClientInterface
public import Tree
internal import Wire

extension ClientOutput {
  /// What can be in an output as its verb.
  package static let verbs = [
    "connect", "send", "disconnect", "setTimer", "cancelTimer", "event", "cancelled", "completed",
    "answered", "threw", "updateRan", "calling", "returned", "store", "erase", "uncaught", "log",
  ]

  /// Reads what `json(in:)` writes.
  ///
  /// - Throws: `VocabularyError` for an unknown output and for an argument that is missing or of the
  ///   wrong kind, `WireError` for a message that the protocol does not allow.
  public init(json: JSON) throws {
    let (verb, arguments) = try json.verb(of: "an output")
    switch verb {
    case "connect":
      self = arguments["host"] == nil ? .connect : .connectTo(try arguments.text("host"))
    case "send": self = .send(try ClientMessage(json: arguments))
    case "disconnect": self = .disconnect
    case "setTimer", "cancelTimer": self = try Self.timer(verb, arguments)
    case "event": self = .event(try Event(json: arguments))
    case "store": self = .store(key: try arguments.text("key"), text: try arguments.text("text"))
    case "erase": self = .erase(key: try arguments.text("key"))
    case "log": self = .log(try arguments.text("text"))
    case "uncaught":
      self = .uncaught(
        UncaughtException(
          try arguments.text("message"),
          type: arguments["type"] == nil ? nil : try arguments.text("type"),
          stack: arguments["stack"] == nil ? "" : try arguments.text("stack")))
    case "cancelled":
      let listener = ListenerID(try arguments.text("listener"))
      self = .cancelled(listener, ErrorCode(try arguments.text("error")))
    default: self = try Self.answer(verb, arguments)
    }
  }

  private static func timer(_ verb: String, _ json: JSON) throws(VocabularyError) -> ClientOutput {
    let timer = TimerID(try json.count("timer"))
    guard verb == "setTimer" else { return .cancelTimer(timer) }
    let label = json["label"] == nil ? TimerPurpose.other.rawValue : try json.text("label")
    guard let purpose = TimerPurpose(rawValue: label) else {
      throw VocabularyError(
        "\"\(label)\" is no purpose of a timer; expected back-off, keep-alive, idle or other")
    }
    let after = try json.member("after")
    let interval = try Interval(after, called: "after")
    guard interval.nanoseconds >= 0 else {
      throw VocabularyError("\"after\" is \(after.text), expected milliseconds from 0 on")
    }
    return .setTimer(timer, after: interval, purpose)
  }

  /// What a call comes to.
  private static func answer(_ verb: String, _ json: JSON) throws(VocabularyError) -> ClientOutput {
    switch verb {
    case "completed":
      return .completed(CallID(try json.text("call")), try Completion(json: json))
    case "answered": return .answered(CallID(try json.text("call")), try json.member("value"))
    case "threw":
      return .threw(CallID(try json.text("call")), ErrorCode(try json.text("error")))
    case "updateRan":
      return .updateRan(CallID(try json.text("call")), input: try json.member("input"))
    case "calling": return .calling(CallID(try json.text("call")))
    case "returned": return .returned(CallID(try json.text("call")))
    default:
      throw VocabularyError(
        "\"\(verb)\" is not an output; expected "
          + verbs.dropLast().joined(separator: ", ") + " or \(verbs[verbs.count - 1])")
    }
  }
}

extension Event {
  /// - Throws: `VocabularyError` for an argument that is missing or of the wrong kind.
  fileprivate init(json: JSON) throws(VocabularyError) {
    let name = try json.text("type")
    guard let type = EventType(rawValue: name) else {
      throw VocabularyError("\"\(name)\" is not an event type")
    }
    let key = try json.member("key") == .null ? nil : Key(try json.text("key"))
    var previous = Previous.none
    if let value = json["prev"] {
      previous = .init(value == .null ? nil : Key(try json.text("prev")))
    }
    self.init(
      type, to: ListenerID(try json.text("listener")), key: key, previous: previous,
      value: Node(json: try json.member("value")), order: try ChildOrder(json: json))
  }
}

extension Event.ChildOrder {
  /// `sorted` names the ordering that gives `children`.
  fileprivate init(json: JSON) throws(VocabularyError) {
    if json["sorted"] != nil {
      self = .sorted(Query.Ordering(indexName: try json.text("sorted")))
    } else if let children = json["children"] {
      guard let elements = children.elements else {
        throw VocabularyError("\"children\" is \(children.kind), expected a list")
      }
      self = .listed(elements.compactMap { $0.string.map { Key($0) } })
    } else {
      self = .unstated
    }
  }
}

extension Completion {
  fileprivate init(json: JSON) throws(VocabularyError) {
    self.init()
    if try json.member("error") != .null { error = ErrorCode(try json.text("error")) }
    committed = json["committed"]?.bool
    if committed != nil { value = json["value"].map { Node(json: $0) } }
  }
}
