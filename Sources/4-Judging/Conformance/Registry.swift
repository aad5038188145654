internal import ClientInterface
internal import Scenario
internal import Trace
internal import Tree

/// All listeners and calls of a run, with what has become of them.
struct Registry {
  /// What a listener or call is known by.
  struct Name: Hashable {
    var client: ClientIndex
    var label: String

    static func == (a: Name, b: Name) -> Bool {
      a.client == b.client && Text(a.label) == Text(b.label)
    }

    func _rawHashValue(seed: Int) -> Int { Text(label)._rawHashValue(seed: seed) }
  }

  struct Listener {
    var target: Operation.Target
    var types: Set<EventType>
    var isOnce: Bool
    var isRemovable: Bool
    var state = State.live
    /// How many events it received in the whole run.
    var eventCount = 0
    /// What its events add up to; `nil` before the first one.
    var view: Node?

    enum State: Equatable {
      case live
      case removed(step: Int)
      case cancelled
      /// Its process was killed, in this event of the trace.
      case killed(step: Int, sequence: Int)
    }
  }

  struct Call {
    var isNamed: Bool
    var operation: Operation
    var step: Int
    /// The event of the trace in which the call was made.
    var sequence: Int
    var outcome = Outcome()
    /// Whether the process in which it was made was killed: nothing more may come of it.
    var isFinished = false
  }

  let clients: [String]
  private(set) var listeners: [Name: Listener] = Dictionary(minimumCapacity: 6)
  private(set) var calls: [Name: Call] = Dictionary(minimumCapacity: 24)
  /// The listeners in the order of their registration, to be walked in.
  private(set) var order: [Name] = []

  /// The positions of the clients, where there are many.
  private let positions: [Text: Int]

  init(clients: [String]) {
    self.clients = clients
    let names = clients.count > 32 ? clients : []
    positions = Dictionary(zip(names.map { Text($0) }, names.indices)) { first, _ in first }
  }

  func index(of client: String) -> ClientIndex? {
    let index = positions.isEmpty ? clients.firstIndex(of: client) : positions[Text(client)]
    return index.map { ClientIndex($0) }
  }

  func name(of client: ClientIndex) -> String {
    clients.indices.contains(client.number) ? clients[client.number] : "client \(client.number)"
  }

  func subject(of name: Name) -> Subject {
    let client = self.name(of: name.client)
    if let listener = listeners[name] {
      return .listener(client: client, name: name.label, listener.target)
    }
    if let call = calls[name] {
      return .call(client: client, id: name.label, call.operation)
    }
    return .client(client)
  }

  /// Like `subject(of:)`, for the outcome of a call: a refused registration is a call as well.
  func callSubject(of name: Name) -> Subject {
    guard let call = calls[name] else { return subject(of: name) }
    return .call(client: self.name(of: name.client), id: name.label, call.operation)
  }

  /// Records that a call is about to be made.
  ///
  /// `sequence` is the event of the trace that the call will be.
  mutating func add(_ call: Action.Call, of client: ClientIndex, step: Int, sequence: Int) {
    let name = Name(client: client, label: call.id.name)
    calls[name] = Call(
      isNamed: call.isNamed, operation: call.operation, step: step, sequence: sequence)
    switch call.operation.listenerChange {
    case let .registers(registration): add(registration, of: client)
    case let .removes(id, path):
      let name = Name(client: client, label: id.name)
      if path == nil || path == listeners[name]?.target.path { remove(name, step: step) }
    case let .removesAll(target):
      for name in order where name.client == client && listeners[name]?.target == target {
        remove(name, step: step)
      }
    case nil: break
    }
  }

  private mutating func add(_ registration: Operation.Registration, of client: ClientIndex) {
    let name = Name(client: client, label: registration.listener.name)
    let listener = Listener(
      target: registration.target, types: registration.events, isOnce: registration.isOnce,
      isRemovable: registration.isRemovable)
    if listeners.updateValue(listener, forKey: name) == nil { order.append(name) }
  }

  private mutating func remove(_ name: Name, step: Int) {
    if listeners[name]?.state == .live, listeners[name]?.isRemovable == true {
      listeners[name]?.state = .removed(step: step)
    }
  }

  /// Records that the process of a client was killed, and its listeners and calls with it.
  mutating func end(_ client: ClientIndex, step: Int, sequence: Int) {
    for name in order where name.client == client {
      listeners[name]?.state = .killed(step: step, sequence: sequence)
    }
    for name in calls.keys where name.client == client { calls[name]?.isFinished = true }
  }

  func knowsListener(_ name: Name) -> Bool { listeners.index(forKey: name) != nil }

  func knowsCall(_ name: Name) -> Bool { calls.index(forKey: name) != nil }

  mutating func updateListener(_ name: Name, _ change: (inout Listener) -> Void) {
    guard var listener = listeners[name] else { return }
    change(&listener)
    listeners[name] = listener
  }

  mutating func updateCall(_ name: Name, _ change: (inout Call) -> Void) {
    guard var call = calls[name] else { return }
    change(&call)
    calls[name] = call
  }
}
