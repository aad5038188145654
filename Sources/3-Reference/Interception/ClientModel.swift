package import ClientInterface
package import Tree
package import Wire

/// What can be known of a client from what goes in and out of it: all that a wrapper has to go by.
package struct ClientModel: Sendable {
  package struct Listener: Sendable {
    package var target: Operation.Target
    package var events: Set<EventType>
    package var isOnce: Bool
    /// What it received, in order, and the children by their keys.
    package var window: [Key] = []
    package var children: [Key: Node] = [:]
    /// The last value event.
    package var value: Node?
  }

  /// Those that are registered.
  package private(set) var listeners: [ListenerID: Listener] = [:]
  /// The same, in order of registration.
  package private(set) var order: [ListenerID] = []
  /// The requests that were sent and not answered, by number.
  package private(set) var requests: [Int: Request] = [:]
  /// Calls that have not ended.
  package private(set) var calls: [CallID: Operation] = [:]
  package private(set) var callOrder: [CallID] = []
  /// How often the server has sent hello.
  package private(set) var helloCount = 0
  /// Whether there is a connection on which it has.
  package private(set) var hasReceivedHello = false

  /// The listeners in order of registration that satisfy a condition.
  package func listeners(where isMeant: (Listener) -> Bool) -> [ListenerID] {
    order.filter { listeners[$0].map(isMeant) ?? false }
  }

  /// The unanswered requests in the order in which they were sent.
  package var outstanding: [(number: Int, request: Request)] {
    requests.sorted { $0.key < $1.key }.map { (number: $0.key, request: $0.value) }
  }

  /// The pending writes in the order of the calls, as far as they are plain.
  package var pendingWrites: [Operation] {
    callOrder.compactMap { calls[$0] }.filter(\.isPlainWrite)
  }

  mutating func follow(_ input: ClientInput, _ outputs: [ClientOutput]) {
    switch input {
    case let .call(call, operation): follow(call, operation)
    case .frame(.hello):
      helloCount += 1
      hasReceivedHello = true
    case let .frame(.response(response)): requests[response.request] = nil
    case .closed, .refused: hasReceivedHello = false
    case .open, .opened, .frame, .timer, .close: break
    }
    for output in outputs { follow(output) }
  }

  private mutating func follow(_ call: CallID, _ operation: Operation) {
    if case let .registers(registration) = operation.listenerChange {
      listeners[registration.listener] = Listener(
        target: registration.target, events: registration.events, isOnce: registration.isOnce)
      order.append(registration.listener)
    } else if let change = operation.listenerChange {
      for listener in order {
        guard let target = listeners[listener]?.target else { continue }
        if change.removes(listener, at: target) { remove(listener) }
      }
    }
    if operation == .goOffline { hasReceivedHello = false }
    if operation.isPlainWrite {
      calls[call] = operation
      callOrder.append(call)
    }
  }

  private mutating func remove(_ listener: ListenerID) {
    listeners[listener] = nil
    order.removeAll { $0 == listener }
  }

  private mutating func follow(_ output: ClientOutput) {
    switch output {
    case let .event(event):
      listeners[event.listener]?.follow(event)
      if listeners[event.listener]?.isOnce == true { remove(event.listener) }
    case let .cancelled(listener, _): remove(listener)
    case let .completed(call, _), let .threw(call, _):
      calls[call] = nil
      callOrder.removeAll { $0 == call }
    case let .send(.request(number, request)): requests[number] = request
    case .disconnect: hasReceivedHello = false
    default: break
    }
  }
}

extension ClientModel.Listener {
  mutating func follow(_ event: Event) {
    guard event.type != .value, let key = event.key else {
      value = event.value
      return
    }
    children[key] = event.type == .childRemoved ? nil : event.value
    if event.type != .childChanged { window.removeAll { $0 == key } }
    if event.type == .childAdded || event.type == .childMoved {
      window.insert(key, at: position(after: event.previous))
    }
  }

  private func position(after previous: Event.Previous) -> Int {
    guard case let .key(key) = previous, let index = window.firstIndex(of: key) else { return 0 }
    return index + 1
  }
}
