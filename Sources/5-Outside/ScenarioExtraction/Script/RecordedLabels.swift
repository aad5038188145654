internal import ClientInterface
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
  private var listeners: [Name: ListenerID] = [:]

  /// The name of a listener or a call.
  mutating func label(_ text: String, of client: ClientIndex) -> String {
    let name = Name(client: client, text: text)
    if let known = names[name] { return known }
    var stem = String(
      text.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
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
    func listener(_ id: ListenerID) -> ListenerID { ListenerID(label(id.name, of: client)) }
    switch operation {
    case let .listen(name, target, types):
      let own = listener(name)
      listeners[Name(client: client, text: id.name)] = own
      return (CallID(own.name), .listen(own, target, types))
    case let .once(name, target, type):
      let own = listener(name)
      listeners[Name(client: client, text: id.name)] = own
      return (CallID(own.name), .once(own, target, type))
    case let .get(name, target):
      let own = listener(name)
      listeners[Name(client: client, text: id.name)] = own
      return (CallID(own.name), .get(own, target))
    case let .unlisten(name, path):
      return (CallID(label(id.name, of: client)), .unlisten(listener(name), at: path))
    default: return (CallID(label(id.name, of: client)), operation)
    }
  }

  /// An event of a session with these names.
  mutating func event(_ kind: TraceEvent.Kind) -> TraceEvent.Kind {
    guard case let .output(client, output) = kind else { return kind }
    func call(_ id: CallID) -> CallID {
      if let listener = listeners[Name(client: client, text: id.name)] {
        return CallID(listener.name)
      }
      return CallID(label(id.name, of: client))
    }
    switch output {
    case var .event(event):
      event.listener = ListenerID(label(event.listener.name, of: client))
      return .output(client, .event(event))
    case let .cancelled(listener, error):
      return .output(
        client, .cancelled(ListenerID(label(listener.name, of: client)), error))
    case let .completed(id, completion): return .output(client, .completed(call(id), completion))
    case let .threw(id, error): return .output(client, .threw(call(id), error))
    case let .answered(id, value): return .output(client, .answered(call(id), value))
    case let .updateRan(id, input): return .output(client, .updateRan(call(id), input: input))
    default: return kind
    }
  }
}
