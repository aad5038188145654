internal import ClientInterface
internal import Scenario
internal import Trace

/// What listeners and calls of recordings are called in a scenario, where names have a form and are
/// given once for each client.
struct RecordedLabels {
  private struct Name: Hashable {
    var client: ClientIndex
    var text: String
  }

  private var names: [Name: String] = [:]
  private var taken: Set<Name> = []
  /// The calls that listen: they are called like their listener.
  private var listeners: [Name: String] = [:]

  /// The name of a listener or a call.
  private mutating func label(_ text: String, of client: ClientIndex) -> String {
    let name = Name(client: client, text: text)
    if let known = names[name] { return known }
    var stem = text.asName
    if text.hasPrefix("#") || stem.first?.isLetter != true { stem = "n" + stem }
    stem = String(stem.prefix(40))
    var free = stem
    var number = 2
    while !taken.insert(Name(client: client, text: free)).inserted {
      free = "\(stem)-\(number)"
      number += 1
    }
    names[name] = free
    return free
  }

  /// A call as a scenario has it: what listens is called like its listener.
  mutating func call(
    _ id: CallID, _ operation: Operation, of client: ClientIndex
  ) -> (CallID, Operation) {
    var given = operation.arguments
    guard let listener = given.listener else {
      return (CallID(label(id.name, of: client)), operation)
    }
    let registers = operation.kind.registersListener
    let call = registers ? nil : label(id.name, of: client)
    let own = label(listener.name, of: client)
    if registers { listeners[Name(client: client, text: id.name)] = own }
    given.listener = ListenerID(own)
    return (CallID(call ?? own), Operation(operation.kind, given) ?? operation)
  }

  /// An event of a session with these names.
  mutating func event(_ kind: TraceEvent.Kind) -> TraceEvent.Kind {
    guard case let .output(client, output) = kind else { return kind }
    func call(_ id: CallID) -> CallID {
      CallID(listeners[Name(client: client, text: id.name)] ?? label(id.name, of: client))
    }
    func listener(_ id: ListenerID) -> ListenerID { ListenerID(label(id.name, of: client)) }
    switch output {
    case .event(var event):
      event.listener = listener(event.listener)
      return .output(client, .event(event))
    case let .cancelled(id, error): return .output(client, .cancelled(listener(id), error))
    case let .completed(id, completion):
      return .output(client, .completed(call(id), completion))
    case let .threw(id, error): return .output(client, .threw(call(id), error))
    case let .answered(id, value): return .output(client, .answered(call(id), value))
    case let .updateRan(id, input): return .output(client, .updateRan(call(id), input: input))
    default: return kind
    }
  }
}

extension String {
  /// What remains of a name of a recording where names have a form.
  var asName: String {
    filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
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
      if case let .on(reaction)? = step.action.call?.operation, let call = step.action.call {
        listed.insert("\(call.client) \(reaction.callback.name)")
      }
    }
    var mapping = ActionMapping<Never>()
    // Beyond the numbers of other calls without a name.
    var count = 9000
    mapping.call = { call in
      guard case .on(var reaction) = call.operation else { return call }
      for (position, own) in reaction.calls.enumerated() {
        let isListed = listed.contains("\(call.client) \(own.id.name)")
        if !own.isNamed || own.operation.kind.registersListener || isListed { continue }
        count += 1
        reaction.calls[position].id = CallID("#\(count)")
      }
      var copy = call
      copy.operation = .on(reaction)
      return copy
    }
    var copy = self
    copy.steps = steps.map { $0.mapped(mapping) }
    return copy
  }
}
