import ClientInterface
import TestKit
import Tree
import Wire

/// Connects, and for the rest does what a script says for each input: `open`, `hello`, the label of
/// a call, `timer 1`.
struct ScriptedClient: SyncClient {
  var script: [String: [ClientOutput]]
  var capabilities = Capability.all

  init(script: [String: [ClientOutput]], capabilities: Set<String> = Capability.all) {
    self.script = script
    self.capabilities = capabilities
  }

  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    switch input {
    case .open: outputs += [.connect] + (script["open"] ?? [])
    case let .call(id, _): outputs += script[id.name] ?? []
    case .opened: outputs += script["opened"] ?? []
    case .frame(.hello): outputs += script["hello"] ?? []
    case .frame(.response): outputs += script["response"] ?? []
    case let .timer(id): outputs += script["timer \(id.number)"] ?? []
    case .refused, .frame, .closed, .close: break
    }
  }
}

extension ClientOutput {
  static func added(
    _ key: Key, _ json: JSON, after previous: Key? = nil, to listener: ListenerID = "feed"
  ) -> ClientOutput {
    .event(
      Event(
        .childAdded, to: listener, key: key, previous: .init(previous), value: Node(json: json)))
  }

  static func removed(_ key: Key, _ json: JSON, to listener: ListenerID = "feed") -> ClientOutput {
    .event(Event(.childRemoved, to: listener, key: key, value: Node(json: json)))
  }

  static func value(
    _ json: JSON, to listener: ListenerID = "feed", key: Key? = "room",
    order: Event.ChildOrder = .unstated
  ) -> ClientOutput {
    .event(Event(.value, to: listener, key: key, value: Node(json: json), order: order))
  }
}
