package import Document
public import Tree
public import Wire

extension ClientOutput {
  /// The key of an output in its line.
  package enum Verb: String, CaseIterable {
    case connect, send, disconnect, setTimer, cancelTimer, event, cancelled, completed, answered
    case threw, updateRan, calling, returned, store, erase, uncaught, log

    /// Its member of a line: what a client says with it, and what the arguments look like.
    package var field: Shape.Field {
      switch self {
      case .connect: field("Ask for a connection.", .may("host", .text))
      case .send: .needs(rawValue, .mapping(.anything), "Send a message over the open connection.")
      case .disconnect: field("Close the connection, or stop asking for one.")
      case .setTimer:
        field(
          "Ask to be woken.", .timer, .needs("after", .length),
          .may("label", .word(TimerPurpose.allCases.map(\.rawValue))))
      case .cancelTimer: field("Forget a timer.", .timer)
      case .event:
        field(
          "A listener was called.", .needs("listener", .text), .needs("type", EventType.shape),
          .needs("key", .orNull), .needs("value", .anything), .may("prev", .orNull),
          .may("children", .list(.text)), .may("sorted", .text))
      case .cancelled: field("A listener was cancelled.", .needs("listener", .text), .error)
      case .completed:
        field(
          "A call ended.", .call, .needs("error", .orNull), .may("committed", .flag),
          .may("value", .anything))
      case .answered: field("What a call returned at once.", .call, .needs("value", .anything))
      case .threw: field("A call was refused at once.", .call, .error)
      case .updateRan:
        field("The function of a transaction was called.", .call, .needs("input", .anything))
      case .calling:
        field("The call with this id is about to be made from inside a callback.", .call)
      case .returned: field("That call has returned.", .call)
      case .store:
        field(
          "Keep a text over the end of the process.", .needs("key", .text), .needs("text", .text))
      case .erase: field("Forget such a text.", .needs("key", .text))
      case .uncaught:
        field(
          "The client threw an exception that was not caught.", .needs("message", .text),
          .may("type", .text), .may("stack", .text))
      case .log: field("Something for the developer.", .needs("text", .text), .may("level", .text))
      }
    }

    private func field(_ meaning: String, _ arguments: Shape.Field...) -> Shape.Field {
      .needs(rawValue, .object(arguments), meaning)
    }
  }

  /// The output as recordings and the adapter protocol write it, `{"event": {…}}`.
  ///
  /// - Complexity: O(*n*) in the size of the values.
  public func json(in dialect: Dialect) -> JSON {
    let (verb, arguments): (Verb, JSON) =
      switch self {
      case .connect: (.connect, [:])
      case let .connectTo(host): (.connect, ["host": .string(host)])
      case let .send(message): (.send, message.json(in: dialect))
      case .disconnect: (.disconnect, [:])
      case let .setTimer(timer, interval, purpose):
        (
          .setTimer,
          [
            "timer": .number(Double(timer.number)), "after": .number(interval.milliseconds),
            "label": .string(purpose.rawValue),
          ]
        )
      case let .cancelTimer(timer): (.cancelTimer, ["timer": .number(Double(timer.number))])
      case let .event(event): (.event, event.json)
      case let .cancelled(listener, error):
        (.cancelled, ["listener": .string(listener.name), "error": .string(error.name)])
      case let .completed(call, completion): (.completed, completion.json(of: call))
      case let .answered(call, value): (.answered, ["call": .string(call.name), "value": value])
      case let .threw(call, error):
        (.threw, ["call": .string(call.name), "error": .string(error.name)])
      case let .updateRan(call, input): (.updateRan, ["call": .string(call.name), "input": input])
      case let .calling(call): (.calling, ["call": .string(call.name)])
      case let .returned(call): (.returned, ["call": .string(call.name)])
      case let .store(key, text): (.store, ["key": .string(key), "text": .string(text)])
      case let .erase(key): (.erase, ["key": .string(key)])
      case let .uncaught(exception): (.uncaught, exception.json)
      case let .log(text): (.log, ["text": .string(text)])
      }
    return .object([.init(verb.rawValue, arguments)])
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
    let (verb, arguments) = try json.verb(Verb.self, of: "an output")
    func call() throws -> CallID { CallID(try arguments.text("call")) }
    switch verb {
    case .connect: self = try arguments.optionalText("host").map { .connectTo($0) } ?? .connect
    case .send: self = .send(try ClientMessage(json: arguments))
    case .disconnect: self = .disconnect
    case .setTimer: self = try Self.timer(arguments)
    case .cancelTimer: self = .cancelTimer(TimerID(try arguments.count("timer")))
    case .event: self = .event(try Event(json: arguments))
    case .cancelled:
      let listener = ListenerID(try arguments.text("listener"))
      self = .cancelled(listener, ErrorCode(try arguments.text("error")))
    case .completed: self = .completed(try call(), try Completion(json: arguments))
    case .answered: self = .answered(try call(), try arguments.member("value"))
    case .threw: self = .threw(try call(), ErrorCode(try arguments.text("error")))
    case .updateRan: self = .updateRan(try call(), input: try arguments.member("input"))
    case .calling: self = .calling(try call())
    case .returned: self = .returned(try call())
    case .store: self = .store(key: try arguments.text("key"), text: try arguments.text("text"))
    case .erase: self = .erase(key: try arguments.text("key"))
    case .uncaught: self = .uncaught(try UncaughtException(json: arguments))
    case .log: self = .log(try arguments.text("text"))
    }
  }

  private static func timer(_ json: JSON) throws(VocabularyError) -> ClientOutput {
    let timer = TimerID(try json.count("timer"))
    let label = try json.optionalText("label") ?? TimerPurpose.other.rawValue
    guard let purpose = TimerPurpose(rawValue: label) else {
      let known = TimerPurpose.allCases.map(\.rawValue)
      throw VocabularyError(unknown: label, of: "a purpose of a timer", known: known)
    }
    let after = try json.member("after")
    let interval = try Interval(after, called: "after")
    guard interval.nanoseconds >= 0 else {
      throw VocabularyError("\"after\" is \(after.text), expected milliseconds from 0 on")
    }
    return .setTimer(timer, after: interval, purpose)
  }
}

extension Shape {
  fileprivate static let orNull = either([.text, .null])
}

extension Shape.Field {
  fileprivate static let call = needs("call", .text)
  fileprivate static let error = needs("error", .text)
  fileprivate static let timer = needs("timer", .whole)
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
      throw VocabularyError(
        unknown: name, of: "an event type", known: EventType.allCases.map(\.rawValue))
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
