public import Tree
public import Wire

extension ClientOutput {
  /// What can be in an output as its verb.
  package static let verbs = [
    "connect", "send", "disconnect", "setTimer", "cancelTimer", "event", "cancelled", "completed",
    "answered", "threw", "updateRan", "calling", "returned", "store", "erase", "uncaught", "log",
  ]

  /// The output as recordings and the adapter protocol write it, `{"event": {…}}`.
  ///
  /// - Complexity: O(*n*) in the size of the values.
  public func json(in dialect: Dialect) -> JSON {
    switch self {
    case .connect: ["connect": .object([])]
    case let .connectTo(host): ["connect": ["host": .string(host)]]
    case let .send(message): ["send": message.json(in: dialect)]
    case .disconnect: ["disconnect": .object([])]
    case let .setTimer(timer, interval, purpose):
      [
        "setTimer": [
          "timer": .number(Double(timer.number)), "after": .number(interval.milliseconds),
          "label": .string(purpose.rawValue),
        ]
      ]
    case let .cancelTimer(timer): ["cancelTimer": ["timer": .number(Double(timer.number))]]
    case let .event(event): ["event": event.json]
    case let .cancelled(listener, error):
      ["cancelled": ["listener": .string(listener.name), "error": .string(error.name)]]
    case let .completed(call, completion): ["completed": completion.json(of: call)]
    case let .answered(call, value): ["answered": ["call": .string(call.name), "value": value]]
    case let .threw(call, error):
      ["threw": ["call": .string(call.name), "error": .string(error.name)]]
    case let .updateRan(call, input): ["updateRan": ["call": .string(call.name), "input": input]]
    case let .calling(call): ["calling": ["call": .string(call.name)]]
    case let .returned(call): ["returned": ["call": .string(call.name)]]
    case let .store(key, text): ["store": ["key": .string(key), "text": .string(text)]]
    case let .erase(key): ["erase": ["key": .string(key)]]
    case let .uncaught(exception): ["uncaught": exception.json]
    case let .log(text): ["log": ["text": .string(text)]]
    }
  }

  /// The output with all that `ClientOutput.init(json:)` can distinguish, as traces and adapters of
  /// the kit write it: by which ordering a value event lists its children where the client says
  /// that rather than the list, and that a transaction has no value.
  public func exactJSON(in dialect: Dialect) -> JSON {
    let json = json(in: dialect)
    switch self {
    case let .event(event):
      guard case let .sorted(ordering) = event.order else { return json }
      let sorted = JSON.Member("sorted", .string(ordering.indexName ?? ".priority"))
      return ["event": .object((json["event"]?.members ?? []) + [sorted])]
    case let .completed(_, completion) where completion.value == nil:
      let members = (json["completed"]?.members ?? []).filter { $0.name != "value" }
      return ["completed": .object(members)]
    default: return json
    }
  }

  /// Reads what `json(in:)` writes.
  ///
  /// - Throws: `VocabularyError` for an unknown output and for an argument that is missing or of the
  ///   wrong kind, `WireError` for a message that the protocol does not allow.
  public init(json: JSON) throws {
    let (verb, arguments) = try json.verb(of: "an output")
    func call() throws -> CallID { CallID(try arguments.text("call")) }
    switch verb {
    case "connect": self = try arguments.optionalText("host").map { .connectTo($0) } ?? .connect
    case "send": self = .send(try ClientMessage(json: arguments))
    case "disconnect": self = .disconnect
    case "setTimer": self = try Self.timer(arguments)
    case "cancelTimer": self = .cancelTimer(TimerID(try arguments.count("timer")))
    case "event": self = .event(try Event(json: arguments))
    case "cancelled":
      let listener = ListenerID(try arguments.text("listener"))
      self = .cancelled(listener, ErrorCode(try arguments.text("error")))
    case "completed": self = .completed(try call(), try Completion(json: arguments))
    case "answered": self = .answered(try call(), try arguments.member("value"))
    case "threw": self = .threw(try call(), ErrorCode(try arguments.text("error")))
    case "updateRan": self = .updateRan(try call(), input: try arguments.member("input"))
    case "calling": self = .calling(try call())
    case "returned": self = .returned(try call())
    case "store": self = .store(key: try arguments.text("key"), text: try arguments.text("text"))
    case "erase": self = .erase(key: try arguments.text("key"))
    case "uncaught": self = .uncaught(try UncaughtException(json: arguments))
    case "log": self = .log(try arguments.text("text"))
    default:
      throw VocabularyError(
        "\"\(verb)\" is not an output; expected "
          + Self.verbs.dropLast().joined(separator: ", ") + " or \(Self.verbs.last ?? "")")
    }
  }

  private static func timer(_ json: JSON) throws(VocabularyError) -> ClientOutput {
    let timer = TimerID(try json.count("timer"))
    let label = try json.optionalText("label") ?? TimerPurpose.other.rawValue
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
}

extension Event {
  /// `listener`, `type`, `key`, then `value`, and `prev` or `children` where the type has them.
  public var json: JSON {
    let prev: JSON? =
      switch previous {
      case .none: nil
      case .first: .some(.null)
      case let .key(key): .string(key.string)
      }
    let keys = type == .value ? childKeys : nil
    return .object(having: [
      "listener": .string(listener.name), "type": .string(type.rawValue),
      "key": key.map { .string($0.string) } ?? .some(.null), "value": value.json, "prev": prev,
      "children": keys.map { .array($0.map { .string($0.string) }) },
    ])
  }

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
    if let name = try json.optionalText("sorted") {
      self = .sorted(Query.Ordering(indexName: name))
    } else if json["children"] == nil {
      self = .unstated
    } else {
      self = .listed(try json.list("children").compactMap { $0.string.map { Key($0) } })
    }
  }
}

extension UncaughtException {
  fileprivate var json: JSON {
    .object(having: [
      "message": .string(message), "type": type.map { .string($0) },
      "stack": stack.isEmpty ? nil : .string(stack),
    ])
  }

  fileprivate init(json: JSON) throws(VocabularyError) {
    self.init(
      try json.text("message"), type: try json.optionalText("type"),
      stack: try json.optionalText("stack") ?? "")
  }
}

extension Completion {
  fileprivate func json(of call: CallID) -> JSON {
    .object(having: [
      "call": .string(call.name), "error": error.map { .string($0.name) } ?? .some(.null),
      "committed": committed.map { .bool($0) },
      "value": committed.map { _ in value?.json ?? .null },
    ])
  }

  fileprivate init(json: JSON) throws(VocabularyError) {
    self.init()
    if try json.member("error") != .null { error = ErrorCode(try json.text("error")) }
    committed = json["committed"]?.bool
    if committed != nil { value = json["value"].map { Node(json: $0) } }
  }
}
