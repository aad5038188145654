internal import ClientInterface
internal import Interception
internal import Tree
internal import Wire

// The connection, and what the client says about it.

extension Mutant {
  static let connectionMutants = [
    Mutant(
      "connected-before-the-greeting", "The client reports itself connected before hello.",
      from: "C30", violating: "CON-1"
    ) { step in
      if step.input == .opened { return step.outputs + step.connectedEvents(true) }
      guard case .frame(.hello) = step.input else { return step.outputs }
      return step.withoutEvents { step.isConnectedEvent($0) }
    },
    Mutant(
      "connected-twice", "With each connection the client reports itself connected twice.",
      from: "R50", violating: "CON-1"
    ) { step in
      guard case .frame(.hello) = step.input else { return step.outputs }
      return step.outputs + step.connectedEvents(true)
    },
    Mutant(
      "connected-for-ever", "The client does not report that the connection is gone.",
      from: "R49 R55", violating: "CON-1"
    ) { step in
      step.withoutEvents {
        step.isConnectedEvent($0) && $0.value == Node(false) && step.before.helloCount > 0
          && step.operation == nil
      }
    },
    Mutant(
      "connected-after-everything",
      "The client reports itself connected with the first answer, not with hello.",
      from: "R49", violating: "CON-1", remembering: [ClientOutput]()
    ) { step, held in
      if case .frame(.hello) = step.input {
        held = step.outputs.filter { $0.event.map(step.isConnectedEvent) ?? false }
        return step.withoutEvents { step.isConnectedEvent($0) }
      }
      guard step.response != nil else { return step.outputs }
      defer { held = [] }
      return held + step.outputs
    },
    Mutant(
      "speaks-before-the-greeting", "The client sends a keep-alive before hello.",
      from: "C30", violating: "CON-12"
    ) { step in
      step.input == .opened ? step.outputs + [.send(.ping)] : step.outputs
    },
    Mutant(
      "no-second-try", "A client whose connection broke does not try again.", from: "R51 R61 H5",
      violating: "CON-3 CON-21"
    ) { step in
      guard step.input == .closed || step.input == .refused else { return step.outputs }
      return step.outputs.filter { !$0.isBackOff }
    },
    Mutant(
      "stays-offline", "A client that was taken offline for the second time never comes back.",
      from: "R51", violating: "CON-4 CON-16", remembering: 0
    ) { step, count in
      if step.operation == .goOffline { count += 1 }
      guard step.operation == .goOnline, count > 1 else { return step.outputs }
      return step.outputs.filter { $0 != .connect }
    },
    Mutant(
      "offline-is-not-for-long", "A client that was taken offline connects again by itself.",
      from: "R51", violating: "CON-4"
    ) { step in
      guard step.operation == .goOffline, step.outputs.contains(.disconnect) else {
        return step.outputs
      }
      return step.outputs + [.connect]
    },
    Mutant(
      "old-keep-alive-closes-the-new",
      "A keep-alive that the last connection owed closes the next one.", from: "C32",
      violating: "CON-13",
      wrapping: { LateKeepAlive(client: $0) }),
    Mutant(
      "reset-is-ignored", "A client that is sent to another host stays.", from: "H19"
    ) {
      input, _ in
      if case .frame(.reset) = input { [] } else { [input] }
    },
    Mutant(
      "refused-token-stops-everything",
      "After a token was refused the client never connects again.",
      from: "R62", remembering: false
    ) { step, isStopped in
      if case .authenticate? = step.answered, step.response?.status != "ok" { isStopped = true }
      return isStopped ? step.outputs.filter { $0 != .connect && !$0.isBackOff } : step.outputs
    },
    Mutant(
      "statistics-once", "The usage counters are sent on the first connection only.", from: "C41",
      in: [.wilddog1, .wilddog2], reading: { $0.stats = .firstConnection }),
  ]
}

extension InterceptedStep {
  fileprivate func isConnectedEvent(_ event: Event) -> Bool {
    let listener = after.listeners[event.listener] ?? before.listeners[event.listener]
    return event.type == .value && listener?.target.path == Path(".info/connected")
  }

  fileprivate func connectedEvents(_ isConnected: Bool) -> [ClientOutput] {
    after.listeners { $0.target.path == Path(".info/connected") }.map { listener in
      .event(
        Event(
          .value, to: listener, key: "connected", value: Node(.bool(isConnected)),
          order: .sorted(.priority)))
    }
  }
}

extension ClientOutput {
  var isBackOff: Bool {
    if case .setTimer(_, _, .backOff) = self { true } else { false }
  }
}

/// Waits for a keep-alive of each connection, and does not notice that the connection has ended.
private struct LateKeepAlive: WrappingClient {
  var client: any SyncClient
  /// The connection that is up, counted from the first.
  var connection = 0
  var watched = 0
  let timer: TimerID = 9001

  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    if input == .timer(timer) {
      if connection == watched { return }
      watched = connection
      outputs.append(.disconnect)
      return client.handle(.closed, at: now, into: &outputs)
    }
    client.handle(input, at: now, into: &outputs)
    guard case .frame(.hello) = input else { return }
    connection += 1
    if connection == 1 {
      watched = 1
      outputs.append(.setTimer(timer, after: .seconds(5), .keepAlive))
    }
  }
}
