internal import ClientInterface
internal import Tree
internal import Wire

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
