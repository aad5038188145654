internal import ClientInterface
internal import Interception
internal import Tree
internal import Wire

// When a listener begins, what it shares with others, and when it ends.

extension Mutant {
  static let observerMutants = [
    Mutant(
      "identical-listeners-are-one", "Of identical listeners only the first is called.",
      violating: "OBS-1"
    ) { step in
      step.withoutEvents { event in
        guard let listener = step.after.listeners[event.listener] else { return false }
        return step.after.order.prefix { $0 != event.listener }.contains { other in
          guard let twin = step.after.listeners[other] else { return false }
          return twin.target == listener.target && twin.events == listener.events && !twin.isOnce
        }
      }
    },
    late(
      "known-data-come-later", "A listener of known data is called with the next input.",
      violating: "OBS-2 OBS-10"
    ) { _ in true },
    late(
      "known-parts-come-later", "A listener of data known in part is called with the next input.",
      violating: "OBS-4"
    ) { events in events.allSatisfy { $0.type == .childAdded } },
    Mutant(
      "own-writes-are-not-known", "A write does not make known what it covers.",
      violating: "WRT-20"
    ) { step in
      guard step.operation?.isPlainWrite == true else { return step.outputs }
      return step.withoutEvents { event in
        event.type == .value && step.before.listeners[event.listener]?.value == nil
      }
    },
    Mutant(
      "removal-takes-those-below", "Removing all listeners of a location removes those below.",
      violating: "OBS-8"
    ) { input, model in
      guard case let .call(call, operation) = input else { return [input] }
      let path: Path? =
        switch operation {
        case let .unlistenAll(target): target.path
        case let .unlisten(listener, _): model.listeners[listener]?.target.path
        default: nil
        }
      guard let path else { return [input] }
      let below = model.listeners { $0.target.path != path && $0.target.path.starts(with: path) }
      return [input] + below.map { .call(call, .unlisten($0)) }
    },
    Mutant(
      "removing-a-query-removes-all", "Removing all listeners of a query removes all there.",
      violating: "OBS-19"
    ) { input, _ in
      guard case let .call(call, .unlistenAll(target)) = input else { return [input] }
      return [.call(call, .unlistenAll(.init(target.path)))]
    },
    Mutant(
      "covering-raises-again", "A listener raises those below it again when it comes or goes.",
      violating: "OBS-14"
    ) { step in
      let above: Path? =
        switch step.operation {
        case let .listen(_, target, _)?: target.path
        case let .unlisten(listener, _)?: step.before.listeners[listener]?.target.path
        default: nil
        }
      guard let above else { return step.outputs }
      return step.outputs
        + step.before.values { $0.target.path != above && $0.target.path.starts(with: above) }
    },
    Mutant(
      "once-is-used-up-at-first",
      "A single read of a change, a removal or a move ends with the first data.",
      violating: "OBS-18"
    ) { step in
      step.withoutEvents { event in
        step.before.listeners[event.listener]?.isOnce == true
          && [.childChanged, .childRemoved, .childMoved].contains(event.type)
      }
    },
    Mutant(
      "ends-before-other-callbacks", "A cancellation waits for the next completion.",
      violating: "OBS-20", remembering: [ClientOutput]()
    ) { step, held in
      let isCancel = { (output: ClientOutput) in
        if case .cancelled = output { true } else { false }
      }
      held += step.outputs.filter(isCancel)
      let rest = step.outputs.filter { !isCancel($0) }
      guard rest.contains(where: \.isEnd) else { return rest }
      defer { held = [] }
      return rest + held
    },
    Mutant(
      "gets-end-twice", "A get is answered twice.", violating: "GET-1", in: [.firebase],
      remembering: Set<ListenerID>()
    ) { step, gets in
      if case let .get(listener, _)? = step.operation { gets.insert(listener) }
      return step.events { gets.contains($0.listener) ? [$0, $0] : [$0] }
    },
    Mutant(
      "gets-raise-others", "The answer to a get raises the values of listeners there again.",
      violating: "GET-3", in: [.firebase]
    ) { step in
      guard case let .get(path, _)? = step.answered else { return step.outputs }
      return step.outputs + step.before.values { $0.target.path.isRelated(to: path) }
    },
    Mutant(
      "gets-end-with-the-connection", "A get is not asked again on the next connection.",
      violating: "GET-5", in: [.firebase]
    ) { step in
      guard step.isReconnection else { return step.outputs }
      return step.withoutRequests { $0.action == .get }
    },
    Mutant(
      "cancelled-listeners-come-back", "A cancelled listener asks again on the next connection.",
      violating: "ACC-4", remembering: [Request]()
    ) { step, refused in
      if let response = step.response, response.status != "ok",
        case let .listen(listen)? = step.answered
      {
        refused.append(.listen(listen))
      }
      guard step.isReconnection else { return step.outputs }
      return step.outputs + refused.map { .send(.request(0, $0)) }
    },
    Mutant(
      "refusal-spares-queries", "A refused listen of everything leaves the queries beside it.",
      violating: "ACC-11"
    ) { step in
      let path: Path? =
        switch step.input {
        case let .frame(.revoked(path, nil)): path
        default:
          if case let .listen(listen)? = step.answered, listen.query == nil {
            listen.path
          } else {
            nil
          }
        }
      return step.outputs.filter { output in
        guard case let .cancelled(listener, _) = output,
          let target = step.before.listeners[listener]?.target
        else { return true }
        return target.path != path || !target.query.filters
      }
    },
    Mutant(
      "every-refusal-is-forbidden", "A listener is cancelled with permission_denied in any case.",
      violating: "ACC-15"
    ) { step in
      step.outputs.map { output in
        if case let .cancelled(listener, _) = output {
          .cancelled(listener, "permission_denied")
        } else {
          output
        }
      }
    },
    Mutant(
      "refused-sign-in-restores-the-last", "After a refused credential the last one counts again.",
      violating: "ACC-16", remembering: (accepted: [Request](), again: [Request]())
    ) { step, memory in
      if case let .authenticate(credential)? = step.answered {
        if step.response?.status == "ok" {
          memory = ([.authenticate(credential)], [])
        } else {
          memory.again = memory.accepted
        }
      }
      guard step.isReconnection else { return step.outputs }
      return step.outputs + memory.again.map { .send(.request(0, $0)) }
    },
    Mutant(
      "late-sign-ins-are-kept", "A sign-in that is accepted after the sign-out is kept.",
      violating: "ACC-18", remembering: [Request]()
    ) { step, kept in
      if case let .authenticate(credential)? = step.answered, step.response?.status == "ok",
        step.before.outstanding.contains(where: { $0.request == .unauthenticate })
      {
        kept = [.authenticate(credential)]
      }
      guard step.isReconnection else { return step.outputs }
      return step.outputs + kept.map { .send(.request(0, $0)) }
    },
    Mutant(
      "signing-in-ends-at-once", "Signing in succeeds without waiting for the server.",
      violating: "ACC-13"
    ) { step in
      guard case let .call(call, .authenticate) = step.input else {
        if case .authenticate? = step.answered {
          return step.outputs.filter { if case .completed = $0 { false } else { true } }
        }
        return step.outputs
      }
      return step.outputs + [.completed(call, .ok)]
    },
  ]

  /// One that holds back the first events of new listeners until something else happens.
  private static func late(
    _ name: String, _ sentence: String, violating rules: String,
    where isMeant: @escaping @Sendable ([Event]) -> Bool
  ) -> Mutant {
    Mutant(name, sentence, violating: rules, remembering: [ClientOutput]()) { step, held in
      let due = held
      held = []
      guard let listener = step.operation?.registration?.listener else {
        return due + step.outputs
      }
      let events = step.outputs.compactMap(\.event).filter { $0.listener == listener }
      guard isMeant(events) else { return due + step.outputs }
      held = events.map { .event($0) }
      return due + step.withoutEvents { $0.listener == listener }
    }
  }
}
