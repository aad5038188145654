internal import ClientInterface
internal import Tree
internal import Wire

extension Fingerprint {
  mutating func combine(_ operation: Operation) {
    combine(operation.name)
    let given = operation.arguments
    if let listener = given.listener { combine(listener.name) }
    if let path = given.path { combine(path) }
    if let query = given.query { combine(query) }
    if let events = given.events {
      for type in EventType.allCases { combine(events.contains(type) ? 1 : 0) }
    }
    if let event = given.event { combine(event.rawValue) }
    if let value = given.value { combine(value) }
    // A push without a value counts as one of nothing.
    if operation.kind == .push, given.value == nil { combine(Node.empty) }
    if let changes = given.changes { combine(changes) }
    if let priority = given.priority { combine(Node(json: priority)) }
    if let function = given.function { combine(function) }
    if let localEvents = given.localEvents { combine(localEvents == .shown ? 1 : 0) }
    if let synchronization = given.synchronization { combine(synchronization == .on ? 1 : 0) }
    if let token = given.token { combine(token) }
    if let inspection = given.inspection { combine(inspection) }
    if let reaction = given.reaction { combine(reaction) }
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
