internal import ClientInterface
internal import Tree
internal import Wire

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
