internal import ClientInterface
internal import Tree
internal import Wire

extension ClientInput {
  var phrase: Phrase {
    switch self {
    case .open: return Phrase("starts")
    case let .call(id, operation):
      var phrase = operation.phrase
      if operation.listener == nil { phrase.tail += "   as \(id.name)" }
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
  /// The listener whose registration or removal this is; its name says more than the call's.
  fileprivate var listener: ListenerID? {
    switch self {
    case let .listen(id, _, _), let .once(id, _, _), let .unlisten(id, _): id
    case .unlistenAll, .set, .remove, .setPriority, .update, .push, .transaction, .onDisconnectSet,
      .onDisconnectRemove, .onDisconnectUpdate, .onDisconnectCancel, .goOffline, .goOnline,
      .keepSynced, .authenticate, .unauthenticate, .inspect:
      nil
    }
  }

  fileprivate var phrase: Phrase {
    let head = name + (path.map { " \($0)" } ?? "")
    switch self {
    case let .listen(id, target, types):
      let all = types.count == EventType.allCases.count
      let listed = all ? "all events" : types.sorted().map(\.rawValue).joined(separator: ", ")
      return Phrase(head, target.query.wireText, tail: "   \(listed)   as \(id.name)")
    case let .once(id, target, type):
      return Phrase(head, target.query.wireText, tail: "   \(type.rawValue)   as \(id.name)")
    case let .unlisten(id, path):
      return Phrase("\(head) \(id.name)" + (path.map { " at \($0)" } ?? ""))
    case let .unlistenAll(target): return Phrase(head, target.query.wireText)
    case let .set(_, node), let .onDisconnectSet(_, node): return Phrase(head, node.description)
    case let .setPriority(_, priority): return Phrase(head, priority?.json.text ?? "null")
    case let .update(_, assignments), let .onDisconnectUpdate(_, assignments):
      return Phrase(head, assignments.json.text)
    case let .push(_, node): return Phrase(head, node?.description)
    case let .transaction(_, function, localEvents):
      return Phrase(
        head, function.json.text, tail: localEvents == .hidden ? "   without local events" : "")
    case let .keepSynced(target, synchronization):
      return Phrase(head, target.query.wireText, tail: synchronization == .on ? "" : "   off")
    case let .authenticate(token): return Phrase("\(head) \(token)")
    case let .inspect(inspection): return Phrase(inspection.description)
    case .remove, .onDisconnectRemove, .onDisconnectCancel, .goOffline, .goOnline, .unauthenticate:
      return Phrase(head)
    }
  }
}
