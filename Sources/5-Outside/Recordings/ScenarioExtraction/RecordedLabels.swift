internal import ClientInterface
internal import Scenario

/// What listeners and calls of one recorded client are called in a scenario, where names have a form
/// and are given once.
struct RecordedLabels {
  private var names: [String: String] = [:]
  private var taken: Set<String> = []
  /// The calls that listen: they are called like their listener.
  private var listeners: [String: String] = [:]

  /// The name of a listener or a call.
  private mutating func label(_ text: String) -> String {
    if let known = names[text] { return known }
    var stem = text.asName
    if text.hasPrefix("#") || stem.first?.isLetter != true { stem = "n" + stem }
    stem = String(stem.prefix(40))
    var free = stem
    var number = 2
    while !taken.insert(free).inserted {
      free = "\(stem)-\(number)"
      number += 1
    }
    names[text] = free
    return free
  }

  /// A call as a scenario has it, in which its client has a name: what listens is called like its
  /// listener.
  mutating func call(_ id: CallID, _ operation: Operation, of client: String) -> Action.Call {
    let registers = operation.kind.registersListener
    var call = Action.Call(
      client: client, id: id, isNamed: registers || !id.name.hasPrefix("#"), operation: operation)
    if !registers { call.id = CallID(label(id.name)) }
    var given = operation.arguments
    if let listener = given.listener {
      let own = label(listener.name)
      given.listener = ListenerID(own)
      call.operation = Operation(operation.kind, given) ?? operation
      if registers {
        listeners[id.name] = own
        call.id = CallID(own)
      }
    }
    return call
  }

  /// What the client does, with these names.
  mutating func renamed(_ output: ClientOutput) -> ClientOutput {
    func call(_ id: CallID) -> CallID { CallID(listeners[id.name] ?? label(id.name)) }
    func listener(_ id: ListenerID) -> ListenerID { ListenerID(label(id.name)) }
    switch output {
    case .event(var event):
      event.listener = listener(event.listener)
      return .event(event)
    case let .cancelled(id, error): return .cancelled(listener(id), error)
    case let .completed(id, completion): return .completed(call(id), completion)
    case let .threw(id, error): return .threw(call(id), error)
    case let .answered(id, value): return .answered(call(id), value)
    case let .updateRan(id, input): return .updateRan(call(id), input: input)
    default: return output
    }
  }
}

extension String {
  /// What remains of a name of a recording where names have a form.
  fileprivate var asName: String {
    filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
  }

  /// The name as one of a client, which none may have that means something else.
  var asClientName: String {
    let plain = asName
    let reserved = [
      "server", "network", "wait", "settle", "expect", "expect-now", "frames", "order",
      "converged", "one-of", "together", "disarm", "client", "latency", "cache", "when",
    ]
    return plain.first?.isLetter == true && !reserved.contains(plain) ? plain : "c\(plain)"
  }
}

/// The names, changed where there is one already.
func distinct(_ names: [String]) -> [String] {
  var taken: Set<String> = []
  return names.enumerated().map { index, name in
    let free = taken.contains(name) ? "\(name)-\(index + 1)" : name
    taken.insert(free)
    return free
  }
}

extension Scenario {
  /// The scenario without names of calls in callbacks whose outcome is expected nowhere: a file must
  /// not have such names.
  var withoutIdleNames: Scenario {
    var listed: Set<String> = []
    for step in steps {
      for outcome in step.expectation?.outcomes ?? [] {
        listed.insert("\(outcome.client) \(outcome.call.name)")
      }
      if let call = step.action.call, case let .on(reaction) = call.operation {
        listed.insert("\(call.client) \(reaction.callback.name)")
      }
    }
    var copy = self
    // Beyond the numbers of other calls without a name.
    var count = 9000
    for index in steps.indices {
      guard var call = steps[index].action.call, case .on(var reaction) = call.operation else {
        continue
      }
      for (position, own) in reaction.calls.enumerated() {
        let isListed = listed.contains("\(call.client) \(own.id.name)")
        if !own.isNamed || own.operation.kind.registersListener || isListed { continue }
        count += 1
        reaction.calls[position].id = CallID("#\(count)")
      }
      call.operation = .on(reaction)
      copy.steps[index].action = .call(call)
    }
    return copy
  }
}
