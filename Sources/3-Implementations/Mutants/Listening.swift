internal import ClientInterface
internal import ReferenceClient
internal import RunModel
internal import Tree
internal import Wire

// Listeners: what they receive, how they end, and what the server is asked for.

extension Mutant {
  // Listeners that receive too much, too little or too long.

  static let listeningMutants: [Mutant] = [
    Mutant(
      "heard-after-removal", "A listener receives what happens next after it was removed.",
      from: "C16", violating: "OBS-6"
    ).delaying { if case .call(_, .unlisten) = $0 { true } else { false } },
    Mutant(
      "wrong-twin-removed", "Of two listeners that ask for the same, the other one is removed.",
      from: "C17 R13", violating: "OBS-5 OBS-15"
    ).calls { operation, model in
      guard case let .unlisten(id, path) = operation, let listener = model[id],
        let twin = model.listeners.first(where: { $0.id != id && $0.asksForTheSame(as: listener) })
      else { return nil }
      return .unlisten(twin.id, at: path)
    },
    Mutant(
      "alike-names-share-a-listen",
      "Of two listens to names that look alike the first one is ended.",
      violating: "OBS-17"
    ).outputs(remembering: [Path]()) { step, paths in
      step.requests { request in
        if case let .listen(listen) = request { paths.append(listen.path) }
        guard case .unlisten(let path, let query, let tag) = request else { return nil }
        // Strings are equal that look alike, whatever characters they are composed of.
        let first = paths.first { $0.relativeText == path.relativeText }
        return [.unlisten(first ?? path, query: query, tag: tag)]
      }
    },
    Mutant(
      "removal-takes-others", "Removing a listener removes those of other events at its location.",
      from: "R3", violating: "OBS-5"
    ).removals { operation, model in
      guard case let .unlisten(id, nil) = operation, let listener = model[id] else { return nil }
      let others = model.listeners.filter {
        $0.target == listener.target && $0.types != listener.types
      }
      return [operation] + others.map { .unlisten($0.id) }
    },
    Mutant(
      "remove-all-spares-queries",
      "Removing all listeners of a location spares those with a query.", from: "R14",
      violating: "OBS-7"
    ).removals { operation, model in
      guard case let .unlistenAll(target) = operation, target.query == .all else { return nil }
      return model.listeners.filter { $0.target == target }.map { .unlisten($0.id) }
    },
    Mutant(
      "remove-all-does-nothing", "Removing all listeners does nothing where there are several.",
      from: "H4", violating: "OBS-7"
    ).ignoring { input, model in
      guard case let .call(_, .unlistenAll(target)) = input else { return false }
      return model.listeners.count { $0.target.path == target.path } > 1
    },
    Mutant(
      "handle-removes-elsewhere", "A listener is removed by a handle of another location.",
      from: "R16", violating: "OBS-16"
    ).calls { operation, _ in
      if case let .unlisten(listener, _) = operation { .unlisten(listener) } else { nil }
    },
    Mutant(
      "single-read-twice", "A single read that is answered from what is known is answered again.",
      from: "C20", violating: "OBS-9"
    ).outputs(remembering: [Event]()) { step, cached in
      if case .once? = step.operation { cached += step.outputs.compactMap(\.event) }
      guard step.input.dataPath != nil || step.response != nil else { return nil }
      defer { cached = [] }
      return step.outputs + cached.map { .event($0) }
    },
    Mutant(
      "single-read-of-every-child", "A single read of an added child is called for each of them.",
      from: "R2 ACC-110", violating: "OBS-11"
    ).calls { operation, _ in
      guard case let .once(listener, target, .childAdded) = operation else { return nil }
      return .listen(listener, target, [.childAdded])
    },
    Mutant(
      "uncovered-listener-forgotten",
      "A listener that another one above has covered gets no listen when that one is removed.",
      from: "R24", violating: "WIR-6"
    ).outputs { step in
      let takesBack = step.outputs.contains { $0.request?.action == .unlisten }
      return takesBack ? step.withoutRequests(\.isListen) : step.outputs
    },
    Mutant(
      "parts-count-as-everything",
      "What is known in part above a new listener counts as all there is.", from: "C34 R4",
      violating: "EVT-18"
    ).deciding { $0.countsAsAll = { query, _ in !query.filters } },
    Mutant(
      "nearest-query-hides-what-is-known",
      "A query above a new listener hides what a listener further up knows.", from: "ACC-107",
      violating: "OBS-3"
    ).deciding { $0.depthsToAsk = { $0.max().map { $0...$0 } ?? 0...0 } },
    Mutant(
      "stale-refusal-ends-the-next-listener",
      "The refusal of a listen that was taken back ends the one that came after it.", from: "R15",
      violating: "OBS-13"
    ).deciding { $0.staleAnswersAreIgnored = false },
  ]

  // When a listener begins, what it shares with others, and when it ends.

  static let observerMutants: [Mutant] = [
    Mutant(
      "identical-listeners-are-one", "Of identical listeners only the first is called.",
      violating: "OBS-1"
    ).withoutEvents { step, event in
      guard let listener = step.after[event.listener] else { return false }
      return step.after.listeners.prefix { $0.id != event.listener }.contains {
        $0.asksForTheSame(as: listener) && !$0.isOnce
      }
    },
    Mutant(
      "known-data-come-later", "A listener of known data is called with the next input.",
      violating: "OBS-2 OBS-10"
    ).late { _ in true },
    Mutant(
      "known-parts-come-later", "A listener of data known in part is called with the next input.",
      violating: "OBS-4"
    ).late { events in events.allSatisfy { $0.type == .childAdded } },
    Mutant(
      "own-writes-are-not-known", "A write does not make known what it covers.", violating: "WRT-20"
    ).withoutEvents { step, event in
      step.operation?.isPlainWrite == true && event.type == .value
        && step.before[event.listener]?.value == nil
    },
    Mutant(
      "removal-takes-those-below", "Removing all listeners of a location removes those below.",
      violating: "OBS-8"
    ).removals { operation, model in
      let path: Path? =
        switch operation {
        case let .unlistenAll(target): target.path
        case let .unlisten(listener, _): model[listener]?.target.path
        default: nil
        }
      guard let path else { return nil }
      let below = model.listeners.filter {
        $0.target.path != path && $0.target.path.starts(with: path)
      }
      return [operation] + below.map { .unlisten($0.id) }
    },
    Mutant(
      "removing-a-query-removes-all", "Removing all listeners of a query removes all there.",
      violating: "OBS-19"
    ).calls { operation, _ in
      if case let .unlistenAll(target) = operation { .unlistenAll(.init(target.path)) } else { nil }
    },
    Mutant(
      "removing-an-order-removes-others",
      "Removing all listeners of a query that only orders removes those of every such query.",
      violating: "OBS-19"
    ).removals { operation, model in
      guard case let .unlistenAll(target) = operation, target.query != .all, !target.query.filters
      else { return nil }
      let here = model.listeners.filter {
        $0.target.path == target.path && !$0.target.query.filters
      }
      return here.map { .unlisten($0.id) }
    },
    Mutant(
      "covering-raises-again", "A listener raises those below it again when it comes or goes.",
      violating: "OBS-14"
    ).outputs { step in
      let above: Path? =
        switch step.operation {
        case let .listen(_, target, _)?: target.path
        case let .unlisten(listener, _)?: step.before[listener]?.target.path
        default: nil
        }
      guard let above else { return nil }
      return step.outputs
        + step.before.values { $0.target.path != above && $0.target.path.starts(with: above) }
    },
    Mutant(
      "once-is-used-up-at-first",
      "A single read of a change, a removal or a move ends with the first data.",
      violating: "OBS-18"
    ).withoutEvents { step, event in
      step.before[event.listener]?.isOnce == true
        && [.childChanged, .childRemoved, .childMoved].contains(event.type)
    },
    Mutant(
      "ends-before-other-callbacks", "A cancellation waits for the next completion.",
      violating: "OBS-20"
    ).outputs(remembering: [ClientOutput]()) { step, held in
      held += step.outputs.filter(\.isCancel)
      let rest = step.outputs.filter { !$0.isCancel }
      guard rest.contains(where: \.isEnd) else { return rest }
      defer { held = [] }
      return rest + held
    },
    Mutant("gets-end-twice", "A get is answered twice.", violating: "GET-1", in: [.firebase])
      .outputs(remembering: Set<ListenerID>()) { step, gets in
        if case let .get(listener, _)? = step.operation { gets.insert(listener) }
        return step.events { gets.contains($0.listener) ? [$0, $0] : [$0] }
      },
    Mutant(
      "gets-raise-others", "The answer to a get raises the values of listeners there again.",
      violating: "GET-3", in: [.firebase]
    ).outputs { step in
      guard case let .get(path, _)? = step.answered else { return nil }
      return step.outputs + step.before.values { $0.target.path.isRelated(to: path) }
    },
    Mutant(
      "single-read-unfiltered", "A single read has all children, whatever its query.", from: "R22"
    ).queries(of: [.once]) { $0 = Query(ordering: $0.ordering) },
    Mutant(
      "gets-are-unfiltered-by-limit", "A get has all children of its range.", violating: "GET-2",
      in: [.firebase]
    ).queries(of: [.get]) { $0.limit = nil },
    Mutant(
      "removing-all-ends-watches", "Removing all listeners makes transactions there miss data.",
      violating: "TXN-21"
    ).inputs(remembering: Set<Path>()) { input, model, blind in
      if case let .call(_, .unlistenAll(target)) = input, model.hasTransaction(at: target.path) {
        blind.insert(target.path)
      }
      return input.dataPath.map(blind.contains) == true ? [] : nil
    },
    Mutant(
      "gets-have-pending-writes", "A get has the client's waiting writes on top of its answer.",
      violating: "GET-7", in: [.firebase]
    ).outputs { step in
      guard case let .get(path, .all)? = step.answered else { return nil }
      return step.events { event in
        var changed = event
        for case let (_, .put(place, node, nil)) in step.before.outstanding {
          guard let way = place.relative(to: path) else { continue }
          changed.value = changed.value.setting(node, at: way)
        }
        return [changed]
      }
    },
    Mutant(
      "gets-lack-pending-writes",
      "A get of what a listener shows lacks the client's waiting writes.",
      violating: "GET-1", in: [.firebase]
    ).outputs { step in
      guard case let .get(listener, target)? = step.operation else { return nil }
      return step.events { event in
        var changed = event
        for case let (_, .put(place, _, nil)) in step.before.outstanding
        where event.listener == listener {
          guard let way = place.relative(to: target.path) else { continue }
          changed.value = changed.value.setting(.empty, at: way)
        }
        return [changed]
      }
    },
    Mutant(
      "gets-end-with-the-connection", "A get is not asked again on the next connection.",
      violating: "GET-5", in: [.firebase]
    ).outputs(when: \.isReconnection) { $0.withoutRequests { $0.action == .get } },
    Mutant(
      "equal-gets-end-together", "A get is not asked again if one like it has been answered.",
      violating: "GET-5", in: [.firebase]
    ).outputs(remembering: [Request]()) { step, answered in
      answered += [step.answered].compactMap { $0 }.filter { $0.action == .get }
      let ended = answered
      return step.isReconnection ? step.withoutRequests(ended.contains) : nil
    },
    Mutant(
      "gets-come-before-writes", "A new connection gets the gets before the writes that waited.",
      violating: "GET-5", in: [.firebase]
    ).outputs(when: \.isReconnection) { step in
      let isGet = { (output: ClientOutput) in output.request?.action == .get }
      let rest = step.outputs.filter { !isGet($0) }
      let first = rest.firstIndex { $0.request?.isPlainWrite ?? false } ?? rest.endIndex
      return rest[..<first] + step.outputs.filter(isGet) + rest[first...]
    },
    Mutant(
      "cancelled-listeners-come-back", "A cancelled listener asks again on the next connection.",
      violating: "ACC-4"
    ).outputs(remembering: [Request]()) { step, refused in
      if step.isRefusal, case let .listen(listen)? = step.answered {
        refused.append(.listen(listen))
      }
      return step.isReconnection ? step.sending(refused) : step.outputs
    },
    Mutant(
      "refusal-spares-queries", "A refused listen of everything leaves the queries beside it.",
      violating: "ACC-11"
    ).outputs { step in
      let path: Path?
      if case let .frame(.revoked(revoked, nil)) = step.input {
        path = revoked
      } else if case let .listen(listen)? = step.answered, listen.query == nil {
        path = listen.path
      } else {
        path = nil
      }
      return step.withoutCancels { $0.target.path == path && $0.target.query.filters }
    },
    Mutant(
      "every-refusal-is-forbidden", "A listener is cancelled with permission_denied in any case.",
      violating: "ACC-15"
    ).outputs { step in
      step.outputs.map { output in
        guard case let .cancelled(listener, _) = output else { return output }
        return .cancelled(listener, "permission_denied")
      }
    },
    Mutant(
      "refused-sign-in-restores-the-last", "After a refused credential the last one counts again.",
      violating: "ACC-16"
    ).outputs(remembering: (accepted: [Request](), again: [Request]())) { step, memory in
      if case let .authenticate(credential)? = step.answered {
        memory =
          step.isRefusal
          ? (memory.accepted, memory.accepted) : ([.authenticate(credential)], [])
      }
      return step.isReconnection ? step.sending(memory.again) : step.outputs
    },
    Mutant(
      "late-sign-ins-are-kept", "A sign-in that is accepted after the sign-out is kept.",
      violating: "ACC-18"
    ).outputs(remembering: [Request]()) { step, kept in
      if case let .authenticate(credential)? = step.answered, !step.isRefusal,
        step.before.outstanding.contains(where: { $0.request == .unauthenticate })
      {
        kept = [.authenticate(credential)]
      }
      return step.isReconnection ? step.sending(kept) : step.outputs
    },
    Mutant(
      "signing-in-ends-at-once", "Signing in succeeds without waiting for the server.",
      violating: "ACC-13"
    ).outputs { step in
      if case let .call(call, .authenticate) = step.input {
        return step.outputs + [.completed(call, .ok)]
      }
      guard case .authenticate? = step.answered else { return nil }
      return step.outputs.filter { !$0.isEnd }
    },
  ]

  /// Holds back the first events of new listeners until something else happens.
  private func late(_ isMeant: @escaping @Sendable ([Event]) -> Bool) -> Mutant {
    outputs(remembering: [ClientOutput]()) { step, held in
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

  /// Removes others than it is asked to; `nil` leaves a removal as it is.
  private func removals(
    _ change: @escaping @Sendable (Operation, ClientModel) -> [Operation]?
  ) -> Mutant {
    inputs { input, model in
      guard case let .call(call, operation) = input else { return nil }
      return change(operation, model)?.map { .call(call, $0) }
    }
  }

  // Listeners that the server ends.

  static let cancelMutants: [Mutant] = [
    Mutant(
      "refusal-ends-siblings", "A refused listen ends the listeners next to it as well.",
      from: "C37", violating: "ACC-3"
    ).inputs(remembering: [ListenerID]()) { input, model, ended in
      guard case let .frame(.response(response)) = input, response.status != "ok",
        case let .listen(listen)? = model.request(answeredBy: response)
      else { return nil }
      ended = model.listeners.filter {
        $0.target.path != listen.path && $0.target.path.parent == listen.path.parent
      }.map(\.id)
      return [input] + ended.map { .call(CallID("ended " + $0.name), .unlisten($0)) }
    } does: { step, ended in
      guard let response = step.response, step.isRefusal else { return nil }
      return step.outputs + ended.map { .cancelled($0, ErrorCode(response.status)) }
    },
    Mutant("cancelled-twice", "A listener is cancelled twice.", from: "R67", violating: "ACC-1")
      .twice(\.isCancel),
    Mutant(
      "child-listeners-not-cancelled", "Only value listeners are cancelled.", from: "R67",
      violating: "ACC-2 ACC-1"
    ).outputs { $0.withoutCancels { !$0.types.contains(.value) } },
    Mutant(
      "single-reads-not-cancelled", "A single read that is refused is not cancelled.", from: "H19",
      violating: "ACC-5 GET-4"
    ).outputs { $0.withoutCancels(where: \.isOnce) },
    Mutant(
      "revocation-ignored", "Access that is taken away ends no listener.", from: "R67",
      violating: "ACC-10"
    ).ignoring { input, _ in if case .frame(.revoked) = input { true } else { false } },
    Mutant(
      "revocations-end-the-first-query",
      "When one of several queries of a location is revoked, the first of them ends.",
      violating: "ACC-10"
    ).inputs { input, model in
      guard case let .frame(.revoked(path, queries?)) = input,
        let first = model.listeners.first(where: {
          $0.target.path == path && $0.target.query.filters
        })
      else { return nil }
      return [.frame(.revoked(path, queries: queries.map { _ in first.target.query }))]
    },
    Mutant(
      "refused-data-stay", "A listener that is refused receives a last value of null.", from: "R67",
      violating: "ACC-1"
    ).outputs { step in
      step.outputs.flatMap { output -> [ClientOutput] in
        guard case let .cancelled(id, _) = output, let listener = step.before[id],
          listener.types.contains(.value)
        else { return [output] }
        let key = listener.target.path.key
        return [output, .event(Event(.value, to: id, key: key, value: .empty))]
      }
    },
  ]

  // What goes wrong when a callback calls the client that has called it.

  static let callbackMutants: [Mutant] = [
    Mutant(
      "calls-in-callbacks-are-ignored", "A write that a listener's callback makes is ignored.",
      from: "C43", violating: "CBK-1 CBK-5"
    ).nestedCalls(.before) { call in
      if call.callback.event != nil, call.call.operation.isWrite { call.isMade = false }
    },
    Mutant(
      "nested-events-overtake",
      "What a callback's write causes is raised before what was due already.", from: "C44",
      violating: "CBK-3"
    ).nestedCalls(.after) { call in (call.due, call.caused) = (call.caused, call.due) },
    Mutant(
      "call-drops-the-rest", "After a call in a callback the rest of the change is not raised.",
      from: "R17", violating: "CBK-7"
    ).nestedCalls(.after) { call in call.due.removeAll { $0.event != nil } },
    Mutant(
      "removed-in-a-callback-is-called",
      "A listener that is removed in a callback receives the rest of the change.", from: "C48",
      violating: "CBK-6"
    ).nestedCalls(.after) { call in call.due = call.withdrawn + call.due },
    Mutant(
      "removal-skips-the-next", "When a listener is removed in a callback, the next is not called.",
      from: "R17", violating: "CBK-7"
    ).nestedCalls(.after) { call in
      guard case .unlisten(let listener, _) = call.call.operation,
        let next = call.due.first?.event, next.listener != listener
      else { return }
      call.due.removeAll { $0.event?.listener == next.listener }
    },
    Mutant(
      "added-in-a-callback-receives-twice",
      "A listener that is added in a callback receives its initial events twice.", from: "R17",
      violating: "CBK-4"
    ).nestedCalls(.after) { call in
      guard let registration = call.call.operation.registration,
        !registration.isOnce
      else { return }
      call.caused += call.caused.filter { $0.event != nil }
    },
    Mutant(
      "added-in-a-callback-waits",
      "A listener that is added in a callback does not receive what is known already.", from: "C46",
      violating: "CBK-4"
    ).nestedCalls(.after) { call in
      if call.call.operation.registration?.isOnce == false {
        call.caused.removeAll { $0.event != nil }
      }
    },
    Mutant(
      "added-in-a-callback-sees-less",
      "What is read in a callback lacks the last child of the change.", violating: "CBK-2"
    ).nestedCalls(.after) { call in
      guard call.call.operation.registration != nil else { return }
      call.caused = call.caused.map { output in
        guard case .event(var event) = output, event.type == .value,
          let last = event.value.children.keys.last
        else { return output }
        event.value = event.value.setting(.empty, at: last)
        return .event(event)
      }
    },
    Mutant(
      "write-in-a-callback-is-not-shown",
      "What a callback writes is shown when the server has answered.", from: "C45",
      violating: "CBK-5"
    ).nestedCalls(.after) { call in
      if call.callback.event != nil, call.call.operation.isPlainWrite {
        call.caused.removeAll { $0.event != nil }
      }
    },
    Mutant(
      "single-read-called-by-its-own-write", "A single read whose callback writes is called again.",
      from: "R1", violating: "CBK-8"
    ).nestedCalls(.after) { call in
      guard call.call.operation.isPlainWrite, call.call.operation.kind == .set,
        case let .event(event) = call.callback, event.listener.name.hasPrefix("read")
      else { return }
      call.caused.append(call.callback)
    },
    Mutant(
      "cancel-takes-the-next-listener",
      "A listener that is added in a cancel callback is cancelled with the old one.", from: "R15",
      violating: "CBK-9"
    ).nestedCalls(.after) { call in
      guard case let .cancelled(_, error) = call.callback,
        let registration = call.call.operation.registration
      else { return }
      call.caused = [.cancelled(registration.listener, error)]
    },
    Mutant(
      "completion-comes-twice", "A write whose completion writes again completes a second time.",
      from: "C47", violating: "CBK-10"
    ).nestedCalls(.after) { call in
      if call.callback.isEnd, call.call.operation.isPlainWrite { call.caused.append(call.callback) }
    },
    Mutant(
      "write-in-a-completion-is-not-sent", "What a completion writes is shown, but never sent.",
      from: "C45", violating: "CBK-10"
    ).nestedCalls(.after) { call in
      if call.callback.isEnd { call.caused.removeAll { $0.request?.isPlainWrite == true } }
    },
    Mutant(
      "offline-in-a-callback-is-ignored", "goOffline in a callback does nothing.", from: "C43",
      violating: "CBK-11"
    ).nestedCalls(.before) { call in
      if call.call.operation == .goOffline { call.isMade = false }
    },
    Mutant(
      "transaction-in-a-callback-is-ignored",
      "A transaction that a callback begins ends at once without having run.", from: "C43",
      violating: "CBK-1"
    ).nestedCalls(.before) { call in
      guard case .transaction = call.call.operation else { return }
      call.isMade = false
      call.due.append(.completed(call.call.id, Completion(committed: false, value: .empty)))
    },
    Mutant(
      "removing-all-in-a-callback-is-ignored",
      "Removing all listeners of a location in one of their callbacks does nothing.", from: "C43",
      violating: "CBK-6"
    ).nestedCalls(.before) { call in
      if case .unlistenAll = call.call.operation { call.isMade = false }
    },
  ]

  /// Does something else about calls that are made in callbacks, before or after they are made.
  func nestedCalls(
    _ phase: NestedCall.Phase, _ change: @escaping @Sendable (inout NestedCall) -> Void
  ) -> Mutant {
    deciding { $0.nestedCall = { if $1 == phase { change(&$0) } } }
  }

  // What the server is asked to report.

  static let wireMutants: [Mutant] = [
    Mutant(
      "listens-not-taken-back", "The end of a listen is not sent to the server.", from: "C18",
      violating: "OBS-12"
    ).requests { request in request.action == .unlisten ? [.stats([])] : nil },
    Mutant(
      "listen-lost-to-its-removal",
      "Listening again before the removal is answered sends no listen.", from: "C19 R61",
      violating: "OBS-13"
    ).outputs { step in
      let leaving = step.before.outstanding.map(\.request).compactMap(\.removedListen)
      return step.withoutRequests { request in
        guard case let .listen(listen) = request else { return false }
        return leaving.contains(.init(path: listen.path, query: listen.query))
      }
    },
    Mutant(
      "removal-overtakes-the-next-listen",
      "A listen is taken back after the next request, not before it.", from: "H17 R15"
    ).outputs(remembering: [ClientOutput]()) { step, held in
      var outputs: [ClientOutput] = []
      for output in step.outputs {
        outputs.append(output)
        if output.request?.action == .unlisten {
          held.append(outputs.removeLast())
        } else if output.request != nil {
          outputs += held
          held = []
        }
      }
      return outputs
    },
    Mutant("listens-twice", "Every listen is sent twice.", from: "R68 C41", violating: "WIR-4")
      .requests { request in request.isListen ? [request, request] : nil },
    Mutant("listens-grow", "With each connection every listen is sent once more.", from: "C41")
      .outputs(when: \.isReconnection) { step in
        step.requests {
          $0.isListen ? Array(repeating: $0, count: step.after.link.helloCount) : nil
        }
      },
    Mutant(
      "listens-again-for-a-single-read",
      "A single read of what is kept synchronised is listened to once more.", from: "R68"
    ).outputs { step in
      guard case let .once(_, target, _)? = step.operation, !target.query.filters,
        step.before.application.synchronized.contains(target), step.before.link.hasReceivedHello
      else { return nil }
      return step.sending([.listen(.init(path: target.path))])
    },
    Mutant(
      "listens-below-are-kept", "A listen below a new one above is not taken back.", from: "R61",
      violating: "WIR-5"
    ).outputs { step in
      guard case .listen? = step.operation else { return nil }
      return step.withoutRequests { $0.action == .unlisten }
    },
    Mutant(
      "filtered-listens-are-plain", "The server is asked for everything, not for the query.",
      from: "H18"
    ).requests { request in
      guard case let .listen(listen) = request, listen.query != nil else { return nil }
      return [.listen(.init(path: listen.path, hash: listen.hash))]
    },
    Mutant(
      "hash-of-what-is-shown", "A listen states the hash of what is shown, pending writes and all.",
      from: "S8", violating: "HSH-7"
    ).outputs(when: \.isReconnection) { step in
      step.requests { request in
        guard case var .listen(listen) = request, listen.query == nil,
          let shown = step.before.value(at: listen.path)
        else { return nil }
        listen.hash = shown.hash
        return [.listen(listen)]
      }
    },
    Mutant(
      "restored-listens-claim-nothing", "A listen that is restored says that nothing is known.",
      violating: "HSH-7"
    ).outputs(when: \.isReconnection) { step in
      step.requests { request in
        guard case var .listen(listen) = request else { return nil }
        listen.hash = ""
        return [.listen(listen)]
      }
    },
    Mutant(
      "first-hash-is-kept",
      "The hash of a listen is computed when it is first restored, and never again.",
      violating: "HSH-7"
    ).outputs(remembering: [Operation.Target: String]()) { step, claimed in
      guard step.isReconnection else { return nil }
      return step.requests { request in
        guard case var .listen(listen) = request else { return nil }
        let target = Operation.Target(listen.path, listen.query ?? .all)
        listen.hash = claimed[target] ?? listen.hash
        claimed[target] = listen.hash
        return [.listen(listen)]
      }
    },
    Mutant(
      "request-numbers-start-anew", "Requests are numbered again on each connection.", from: "P2",
      violating: "WIR-12"
    ).wrapping { RequestNumbersPerConnection(client: $0) },
  ]
}

extension InterceptedStep {
  fileprivate func withoutCancels(where isDropped: (Listener) -> Bool) -> [ClientOutput] {
    outputs.filter { output in
      guard case let .cancelled(listener, _) = output else { return true }
      return !(before[listener].map(isDropped) ?? false)
    }
  }
}

extension Listener {
  fileprivate func asksForTheSame(as other: Listener) -> Bool {
    target == other.target && types == other.types
  }
}

extension Request {
  /// What is listened to no more.
  fileprivate var removedListen: Listen? {
    if case let .unlisten(path, query, _) = self { Listen(path: path, query: query) } else { nil }
  }
}

/// Begins to count with each connection.
private struct RequestNumbersPerConnection: WrappingClient {
  var client: any SyncClient
  /// What is subtracted on this connection.
  var offset = 0
  var last = 0

  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    var input = input
    if case .frame(.hello) = input { offset = last }
    if case .frame(.response(var response)) = input {
      response.request += offset
      input = .frame(.response(response))
    }
    var caused: [ClientOutput] = []
    client.handle(input, at: now, into: &caused)
    for output in caused {
      guard case let .send(.request(number, request)) = output else {
        outputs.append(output)
        continue
      }
      last = max(last, number)
      outputs.append(.send(.request(number - offset, request)))
    }
  }
}

extension InterceptedStep {
  /// The outputs with the children of listeners in other orders; `nil` leaves an order as it is.
  func reordering(_ order: (Listener, Children) -> [Key]?) -> [ClientOutput] {
    var result = outputs
    for listener in after.listeners {
      let own = outputs.indices.filter { outputs[$0].event?.listener == listener.id }
      if own.isEmpty { continue }
      let keys = order(listener, listener.children) ?? []
      func place(_ event: Event) -> Int { event.key.flatMap(keys.firstIndex(of:)) ?? 0 }
      let added = own.filter { outputs[$0].event?.type == .childAdded }
      let sorted = added.compactMap { outputs[$0].event }.sorted { place($0) < place($1) }
      for (index, event) in zip(added, sorted) { result[index] = .event(event) }
      for index in own {
        guard var event = result[index].event else { continue }
        if event.type == .value {
          if let listed = order(listener, event.value.children) { event.order = .listed(listed) }
        } else if event.previous != .none, let key = event.key, let place = keys.firstIndex(of: key)
        {
          event.previous = Event.Previous(place == 0 ? nil : keys[place - 1])
        }
        result[index] = .event(event)
      }
    }
    return result
  }
}
