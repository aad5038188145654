internal import ClientInterface
internal import Tree

extension Reaction {
  /// Reads `{"listener": "feed", "event": "value", "nth": 2, "do": [{"id": "w", "op": "set", …}]}`.
  ///
  /// - Throws: `VocabularyError` when no callback is named, and for an argument that is missing or of
  ///   the wrong kind.
  init(json: JSON) throws(VocabularyError) {
    var calls: [Call] = []
    for element in try json.list("do") {
      let operation = try Operation(json: element)
      if operation.kind == .on {
        throw VocabularyError("\"do\" states another reaction; expected calls only")
      }
      calls.append(Call(CallID(try element.text("id")), operation))
    }
    self.init(
      in: try Callback(json: json), nth: json["nth"] == nil ? 1 : try json.count("nth"), calls)
  }

  /// What `init(json:)` reads.
  var members: [JSON.Member] {
    var members = callback.members
    if nth != 1 { members.append(.init("nth", .number(Double(nth)))) }
    let calls = calls.map { call in
      JSON.object([.init("id", .string(call.id.name))] + (call.operation.json.members ?? []))
    }
    return members + [.init("do", .array(calls))]
  }
}

extension Reaction.Callback {
  fileprivate init(json: JSON) throws(VocabularyError) {
    if json["listener"] != nil {
      let type = json["event"]
      let event = type?.string.flatMap(EventType.init(rawValue:))
      if let type, event == nil { throw VocabularyError("\(type.text) is not an event type") }
      self = .event(ListenerID(try json.text("listener")), event)
    } else if json["cancel"] != nil {
      self = .cancel(ListenerID(try json.text("cancel")))
    } else if json["completion"] != nil {
      self = .completion(CallID(try json.text("completion")))
    } else if json["function"] != nil {
      self = .function(CallID(try json.text("function")))
    } else {
      throw VocabularyError(
        "no callback is named; expected listener, cancel, completion or function")
    }
  }

  fileprivate var members: [JSON.Member] {
    switch self {
    case let .event(listener, type):
      [.init("listener", .string(listener.name))]
        + (type.map { [.init("event", .string($0.rawValue))] } ?? [])
    case let .cancel(listener): [.init("cancel", .string(listener.name))]
    case let .completion(call): [.init("completion", .string(call.name))]
    case let .function(call): [.init("function", .string(call.name))]
    }
  }
}
