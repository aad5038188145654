public import ClientInterface
internal import Tree
internal import Wire

// Inputs and outputs: their hash, with numbers that never change, because recorded traces have
// them, and their words.

extension Fingerprint {
  mutating func combine(_ input: ClientInput) {
    switch input {
    case let .open(opening):
      combine(1, opening.host)
      combine(opening.seed)
      combine(opening.persistence?.cacheBytes)
      for item in opening.storage {
        combine(item.key)
        combine(item.text)
      }
    case let .call(id, operation):
      combine(2, id.name)
      combine(operation)
    case .opened: combine(3)
    case .refused: combine(4)
    case let .frame(message):
      combine(5)
      combine(message)
    case .closed: combine(6)
    case let .timer(id): combine(7, id.number)
    case .close: combine(8)
    }
  }

  mutating func combine(_ output: ClientOutput) {
    switch output {
    case .connect: combine(1)
    case let .send(message):
      combine(2)
      combine(message)
    case .disconnect: combine(3)
    case let .setTimer(id, after, purpose):
      combine(4 | Self.code(of: purpose) << 4, id.number)
      combine(UInt64(bitPattern: after.nanoseconds))
    case let .cancelTimer(id): combine(5, id.number)
    case let .event(event):
      combine(6)
      combine(event)
    case let .cancelled(listener, error):
      combine(7, listener.name)
      combine(error.name)
    case let .completed(call, completion):
      combine(8, call.name)
      combine(completion)
    case let .answered(call, json):
      combine(9, call.name)
      combine(json)
    case let .threw(call, error):
      combine(10, call.name)
      combine(error.name)
    case let .updateRan(call, input):
      combine(11, call.name)
      combine(input)
    case let .log(text): combine(12, text)
    case let .store(key, text):
      combine(13, key)
      combine(text)
    case let .erase(key): combine(14, key)
    case let .connectTo(host): combine(15, host)
    case let .uncaught(exception): combine(16, exception.description)
    case let .calling(call): combine(17, call.name)
    case let .returned(call): combine(18, call.name)
    }
  }

  private mutating func combine(_ event: Event) {
    combine(event.listener.name)
    combine(Self.code(of: event.type))
    combine(event.key == nil ? 0 : 1)
    if let key = event.key { combine(key) }
    switch event.previous {
    case .none: combine(1)
    case .first: combine(2)
    case let .key(key):
      combine(3)
      combine(key)
    }
    combine(event.value)
    switch event.order {
    case .unstated: combine(1)
    case let .sorted(ordering):
      combine(2)
      combine(ordering)
    case let .listed(keys):
      combine(3)
      for key in keys { combine(key) }
    }
  }

  private mutating func combine(_ completion: Completion) {
    combine(completion.error?.name)
    combine(completion.committed.map { $0 ? 1 : 0 })
    combine(completion.value == nil ? 0 : 1)
    if let value = completion.value { combine(value) }
  }

  private static func code(of purpose: TimerPurpose) -> Int {
    switch purpose {
    case .backOff: 1
    case .keepAlive: 2
    case .idle: 4
    case .other: 3
    }
  }

  private static func code(of type: EventType) -> Int {
    switch type {
    case .childRemoved: 1
    case .childAdded: 2
    case .childMoved: 3
    case .childChanged: 4
    case .value: 5
    }
  }
}

extension Fingerprint {
  mutating func combine(_ operation: Operation) {
    combine(operation.name)
    operation.forEachArgument { combine($0) }
  }

  private mutating func combine(_ argument: Operation.Argument) {
    switch argument {
    case let .listener(listener): combine(listener.name)
    case let .path(path): combine(path)
    case let .query(query): combine(query)
    case let .events(events):
      for type in EventType.allCases { combine(events.contains(type) ? 1 : 0) }
    case let .event(event): combine(event.rawValue)
    // A push without a value counts as one of nothing.
    case let .value(value): combine(value ?? .empty)
    case let .changes(changes): combine(changes)
    case let .priority(priority): combine(Node(json: priority))
    case let .function(function): combine(function)
    case let .localEvents(localEvents): combine(localEvents == .shown ? 1 : 0)
    case let .synchronization(synchronization): combine(synchronization == .on ? 1 : 0)
    case let .token(token): combine(token)
    case let .inspection(inspection): combine(inspection)
    case let .reaction(reaction): combine(reaction)
    }
  }

  private mutating func combine(_ reaction: Reaction) {
    switch reaction.callback {
    case let .event(listener, type): combine(1, listener.name + (type?.rawValue ?? ""))
    case let .cancel(listener): combine(2, listener.name)
    case let .completion(call): combine(3, call.name)
    case let .function(call): combine(4, call.name)
    }
    combine(reaction.nth)
    for call in reaction.calls {
      combine(call.id.name)
      combine(call.operation)
    }
  }

  private mutating func combine(_ inspection: Inspection) {
    combine(inspection.question)
    combine(inspection.argument)
    combine(inspection.part)
    switch inspection.subject {
    case let .reference(path): combine(path)
    case let .address(text): combine(text)
    case let .snapshot(listener, nth):
      combine(listener.name)
      if let nth { combine(nth) }
    case let .completion(call):
      combine("completion")
      combine(call.name)
    case let .mutableData(value, changes):
      combine(value)
      for change in changes { combine(change) }
    case let .query(path, steps):
      combine(path)
      for step in steps { combine(step) }
    }
  }

  private mutating func combine(_ function: TransactionFunction) {
    for (index, kind) in TransactionFunction.Kind.allCases.enumerated() where kind == function.kind
    {
      combine(index + 1)
    }
    switch function.kind.argument {
    case .number: combine(function.argument.number ?? 0)
    case .value, .children: combine(function.argument)
    case .none: break
    }
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
      "raised \(name) =", value.description, tail: previous.clause() + listener)
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
    return value?.description ?? changes?.json.text ?? function?.json.text ?? query?.words
  }
}

extension Reaction {
  /// The reaction in a few words: `in child_added 2 of feed: set /log 1   as w`.
  var text: String {
    let calls = calls.map { ClientInput.call($0.id, $0.operation).phrase.text }
    return "in \(callback.text(nth: nth)): " + calls.joined(separator: "; ")
  }
}

extension Reaction.Callback {
  /// The callback with its number: `event 2 of feed`, `child_added of feed`, `completion of w`.
  public func text(nth: Int) -> String {
    let number = nth == 1 ? "" : " \(nth)"
    return switch self {
    case let .event(listener, type): "\(type?.rawValue ?? "event")\(number) of \(listener.name)"
    case let .cancel(listener): "cancel\(number) of \(listener.name)"
    case let .completion(call): "completion\(number) of \(call.name)"
    case let .function(call): "function\(number) of \(call.name)"
    }
  }
}
