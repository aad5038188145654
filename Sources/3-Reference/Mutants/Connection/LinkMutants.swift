internal import ClientInterface
internal import Interception
internal import Tree
internal import Wire

// Going offline, being sent away, and what is slow.

extension Mutant {
  static let linkMutants = [
    Mutant(
      "own-tree-is-asked-for", "A listener below .info is asked for at the server.",
      violating: "CON-2"
    ) { step in
      guard let path = step.operation?.registration?.target.path ?? step.operation?.keptPath,
        path.keys.first == .info, step.after.hasReceivedHello
      else { return step.outputs }
      return step.outputs + [.send(.request(0, .listen(.init(path: path))))]
    },
    Mutant(
      "offline-with-several-is-ignored",
      "goOffline is ignored while more than one location is listened to.", violating: "CON-11"
    ) { input, model in
      guard case .call(_, .goOffline) = input else { return [input] }
      let paths = model.order.compactMap { model.listeners[$0]?.target.path }
      return Set(paths.filter { $0.keys.first != .info }).count > 1 ? [] : [input]
    },
    Mutant(
      "offline-calls-are-counted", "It takes as many calls of goOnline as there were of goOffline.",
      violating: "CON-16", remembering: 0
    ) { input, _, count in
      switch input {
      case .call(_, .goOffline): count += 1
      case .call(_, .goOnline):
        count = max(0, count - 1)
        if count > 0 { return [] }
      default: break
      }
      return [input]
    },
    Mutant(
      "shutdown-is-a-reset", "A client that is sent away comes back.", violating: "CON-18",
      in: [.firebase]
    ) { input, _ in
      if case .frame(.shutdown) = input { [.frame(.reset(host: "kennel.test"))] } else { [input] }
    },
    Mutant(
      "slow-answers-are-lost-answers", "A write that is answered late is sent once more.",
      violating: "CON-22", remembering: [(Request, Instant)]()
    ) { step, sent in
      if step.input == .closed { sent = [] }
      sent += step.outputs.compactMap(\.request).filter(\.isPlainWrite).map { ($0, step.now) }
      if let request = step.answered { sent.removeAll { $0.0 == request } }
      let slow = sent.filter { step.now - $0.1 > .seconds(1) }.map(\.0)
      guard step.after.hasReceivedHello, !slow.isEmpty else { return step.outputs }
      sent.removeAll { slow.contains($0.0) }
      return step.outputs + slow.map { .send(.request(0, $0)) }
    },
    Mutant(
      "knowledge-ends-with-the-connection", "When the connection is lost, listeners see null.",
      violating: "OFF-1"
    ) { step in
      guard step.input == .closed else { return step.outputs }
      return step.outputs
        + step.before.values { $0.target.path.keys.first != .info }.compactMap { output in
          guard var event = output.event else { return nil }
          event.value = .empty
          return .event(event)
        }
    },
    Mutant(
      "offline-is-empty", "Without a connection unknown data read as null.",
      violating: "OFF-7 OFF-8"
    ) { step in
      guard let registration = step.operation?.registration, registration.events.contains(.value),
        !step.after.hasReceivedHello, registration.target.path.keys.first != .info,
        step.outputs.allSatisfy({ $0.event == nil })
      else { return step.outputs }
      let key = registration.target.path.key
      return step.outputs
        + [.event(Event(.value, to: registration.listener, key: key, value: .empty))]
    },
    Mutant(
      "orders-get-a-listen-of-their-own", "A query that only orders has a listen with a tag.",
      violating: "WIR-13"
    ) { step in
      guard case let .listen(_, target, _)? = step.operation, !target.query.filters,
        target.query.ordering != .priority, step.after.hasReceivedHello
      else { return step.outputs }
      let listen = Request.Listen(path: target.path, query: target.query, tag: 901)
      return step.outputs + [.send(.request(0, .listen(listen)))]
    },
    Mutant(
      "deep-merges-are-unknown", "A merge of paths is not understood.", violating: "WIR-20"
    ) { input, _ in
      guard case let .frame(.merge(_, parts, _)) = input,
        parts.contains(where: { $0.path.count > 1 })
      else { return [input] }
      return []
    },
  ]
}

extension Operation {
  fileprivate var keptPath: Path? {
    arguments.synchronization == .on ? path : nil
  }
}
