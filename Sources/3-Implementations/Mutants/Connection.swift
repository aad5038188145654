internal import ClientInterface
internal import ReferenceClient
internal import RunModel
internal import Tree
internal import Wire

// The connection: when there is one, what goes over it, and who the client says it is.

extension Mutant {
  // The connection, and what the client says about it.

  static let connectionMutants: [Mutant] = [
    Mutant(
      "connected-before-the-greeting", "The client reports itself connected before hello.",
      from: "C30", violating: "CON-1"
    ).outputs { step in
      if step.input == .opened { return step.outputs + step.connectedEvents }
      return step.isHello ? step.withoutEvents(step.isConnectedEvent) : step.outputs
    },
    Mutant(
      "connected-twice", "With each connection the client reports itself connected twice.",
      from: "R50", violating: "CON-1"
    ).outputs(when: \.isHello) { $0.outputs + $0.connectedEvents },
    Mutant(
      "connected-for-ever", "The client does not report that the connection is gone.",
      from: "R49 R55", violating: "CON-1"
    ).withoutEvents { step, event in
      step.isConnectedEvent(event) && event.value == Node(false) && step.before.link.helloCount > 0
        && step.operation == nil
    },
    Mutant(
      "connected-after-everything",
      "The client reports itself connected with the first answer, not with hello.", from: "R49",
      violating: "CON-1"
    ).outputs(remembering: [ClientOutput]()) { step, held in
      if step.isHello {
        held = step.outputs.filter { $0.event.map(step.isConnectedEvent) ?? false }
        return step.withoutEvents(step.isConnectedEvent)
      }
      guard step.response != nil else { return nil }
      defer { held = [] }
      return held + step.outputs
    },
    Mutant(
      "speaks-before-the-greeting", "The client sends statistics before hello.", from: "C30",
      violating: "CON-12"
    ).outputs(when: { $0.input == .opened }) { $0.sending([.stats([])]) },
    Mutant(
      "no-second-try", "A client whose connection broke does not try again.", from: "R51 R61 H5",
      violating: "CON-3 CON-21"
    ).outputs(when: { $0.input == .closed || $0.input == .refused }) { step in
      step.outputs.filter { !$0.isBackOff }
    },
    Mutant(
      "stays-offline", "A client that was taken offline for the second time never comes back.",
      from: "R51", violating: "CON-4 CON-16"
    ).outputs(remembering: 0) { step, count in
      if step.operation == .goOffline { count += 1 }
      guard step.operation == .goOnline, count > 1 else { return nil }
      return step.outputs.filter { $0 != .connect }
    },
    Mutant(
      "offline-is-not-for-long", "A client that was taken offline connects again by itself.",
      from: "R51", violating: "CON-4"
    ).outputs(when: { $0.operation == .goOffline && $0.outputs.contains(.disconnect) }) { step in
      step.outputs + [.connect]
    },
    Mutant(
      "old-keep-alive-closes-the-new",
      "A keep-alive that the last connection owed closes the next one.", from: "C32",
      violating: "CON-13"
    ).wrapping { LateKeepAlive(client: $0) },
    Mutant("reset-is-ignored", "A client that is sent to another host stays.", from: "H19").ignoring
    { input, _ in if case .frame(.reset) = input { true } else { false } },
    Mutant(
      "refused-token-stops-everything",
      "After a token was refused the client never connects again.", from: "R62"
    ).outputs(remembering: false) { step, isStopped in
      if case .authenticate? = step.answered, step.isRefusal { isStopped = true }
      return isStopped ? step.outputs.filter { $0 != .connect && !$0.isBackOff } : step.outputs
    },
  ]

  // Going offline, being sent away, and what is slow.

  static let linkMutants: [Mutant] = [
    Mutant(
      "own-tree-is-asked-for", "A listener below .info is asked for at the server.",
      violating: "CON-2"
    ).outputs { step in
      guard let path = step.operation?.registration?.target.path ?? step.operation?.keptPath,
        path.keys.first == .info, step.after.link.hasReceivedHello
      else { return nil }
      return step.sending([.listen(.init(path: path))])
    },
    Mutant(
      "offline-with-several-is-ignored",
      "goOffline is ignored while more than one location is listened to.", violating: "CON-11"
    ).ignoring { input, model in
      guard case .call(_, .goOffline) = input else { return false }
      return Set(model.listeners.filter { !$0.isLocal }.map(\.target.path)).count > 1
    },
    Mutant(
      "offline-calls-are-counted", "It takes as many calls of goOnline as there were of goOffline.",
      violating: "CON-16"
    ).inputs(remembering: 0) { input, _, count in
      switch input {
      case .call(_, .goOffline): count += 1
      case .call(_, .goOnline):
        count = max(0, count - 1)
        if count > 0 { return [] }
      default: break
      }
      return nil
    },
    Mutant(
      "purge-is-ignored", "What is to be given up still waits for the server.", violating: "WRT-30",
      in: [.firebase]
    ).ignoring { input, _ in if case .call(_, .purgeWrites) = input { true } else { false } },
    Mutant(
      "shutdown-is-a-reset", "A client that is sent away comes back.", violating: "CON-18",
      in: [.firebase]
    ).inputs { input, _ in
      if case .frame(.shutdown) = input { [.frame(.reset(host: "kennel.test"))] } else { nil }
    },
    Mutant(
      "slow-answers-are-lost-answers", "A write that is answered late is sent once more.",
      violating: "CON-22"
    ).outputs(remembering: [(Request, Instant)]()) { step, sent in
      if step.input == .closed { sent = [] }
      sent += step.outputs.compactMap(\.request).filter(\.isPlainWrite).map { ($0, step.now) }
      if let request = step.answered { sent.removeAll { $0.0 == request } }
      let slow = sent.filter { step.now - $0.1 > .seconds(1) }.map(\.0)
      guard step.after.link.hasReceivedHello, !slow.isEmpty else { return nil }
      sent.removeAll { slow.contains($0.0) }
      return step.sending(slow)
    },
    Mutant(
      "knowledge-ends-with-the-connection", "When the connection is lost, listeners see null.",
      violating: "OFF-1"
    ).outputs(when: { $0.input == .closed }) { step in
      let ends = step.before.values { !$0.isLocal }.compactMap(\.event).map { event in
        Event(.value, to: event.listener, key: event.key, value: .empty, order: event.order)
      }
      return step.outputs + ends.map { .event($0) }
    },
    Mutant(
      "offline-is-empty", "Without a connection unknown data read as null.",
      violating: "OFF-7 OFF-8 EVT-18"
    ).outputs(when: \.raisesNothing) { step in
      guard let registration = step.operation?.registration, registration.events.contains(.value),
        !step.after.link.hasReceivedHello, registration.target.path.keys.first != .info
      else { return nil }
      let key = registration.target.path.key
      return step.outputs
        + [.event(Event(.value, to: registration.listener, key: key, value: .empty))]
    },
    Mutant(
      "orders-get-a-listen-of-their-own", "A query that only orders has a listen with a tag.",
      violating: "WIR-13"
    ).outputs { step in
      guard case let .listen(_, target, _)? = step.operation, !target.query.filters,
        target.query.ordering != .priority, step.after.link.hasReceivedHello
      else { return nil }
      return step.sending([.listen(.init(path: target.path, query: target.query, tag: 901))])
    },
    Mutant("deep-merges-are-unknown", "A merge of paths is not understood.", violating: "WIR-20")
      .ignoring { input, _ in
        guard case let .frame(.merge(_, parts, _)) = input else { return false }
        return parts.contains { $0.path.count > 1 }
      },
  ]

  // When a lost connection is tried again.

  static let backOffMutants: [Mutant] = [
    Mutant(
      "back-off-without-bound", "Each try waits four times as long as the one before.", from: "C31",
      violating: "CON-5"
    ).outputs(remembering: Int64(1)) { step, factor in
      step.backOffs { delay in
        factor = min(factor * 4, 1 << 30)
        return Interval(nanoseconds: max(delay.nanoseconds, 1_000_000) * factor)
      }
    },
    Mutant(
      "back-off-never-starts-anew", "The delay before a try grows even after a success.",
      from: "C31", violating: "CON-6"
    ).outputs(remembering: Interval.zero) { step, longest in
      step.backOffs { delay in
        longest = max(
          delay, Interval(nanoseconds: longest.nanoseconds * 2), .milliseconds(400))
        return longest
      }
    },
    Mutant(
      "tries-an-hour-apart", "A lost connection is tried again after an hour.", from: "C31",
      violating: "CON-5"
    ).outputs { $0.backOffs { _ in .seconds(3600) } },
    Mutant(
      "clock-set-back-delays",
      "A clock that is set back is added to the delay before the next try.", from: "R48",
      violating: "CON-20"
    ).outputs(remembering: Instant?.none) { step, last in
      let elapsed = last.map { step.now - $0 } ?? .zero
      if step.outputs.contains(.connect) { last = step.now }
      return step.backOffs { elapsed < .zero ? $0 - elapsed : $0 }
    },
  ]

  // What goes out when the connection is back.

  /// After a reconnection puts and merges without a hash are missing from what is sent again (C7).
  public static let droppedWrite = Mutant(
    "dropped-write", "Writes that are pending when the connection comes back are not resent.",
    from: "C7 H14 R55", violating: "CON-21 OFF-3 OFF-4 WRT-28"
  ).outputs(when: \.isReconnection) { $0.withoutRequests(\.isPlainWrite) }

  static let resendingMutants: [Mutant] = [
    droppedWrite,
    Mutant(
      "answered-writes-are-resent", "A write that was answered is sent again on a new connection.",
      from: "C8", violating: "OFF-5 OFF-3"
    ).outputs(remembering: [Request]()) { step, answered in
      if let request = step.answered, request.isPlainWrite { answered.append(request) }
      guard step.isReconnection else { return nil }
      defer { answered = [] }
      return step.sending(Array(answered.suffix(1)))
    },
    Mutant(
      "writes-resent-backwards", "Pending writes are sent again last to first.", from: "C9",
      violating: "EVT-24 OFF-3"
    ).outputs(when: \.isHello) { $0.reversingRequests(where: \.isPlainWrite) },
    Mutant("writes-twice", "Every write is sent twice.", from: "C8").requests { request in
      if case .put(_, _, nil) = request { [request, request] } else { nil }
    },
    Mutant(
      "resent-writes-end-twice", "A write that was sent on two connections ends twice.",
      from: "C11", violating: "WRT-28"
    ).outputs(remembering: (sent: [Request](), again: Set<Int>())) { step, memory in
      if step.isReconnection {
        for case let .send(.request(number, request)) in step.outputs
        where memory.sent.contains(request) { memory.again.insert(number) }
      }
      memory.sent += step.outputs.compactMap(\.request).filter(\.isPlainWrite)
      guard let response = step.response, memory.again.contains(response.request) else {
        return nil
      }
      return step.outputs.flatMap { $0.isEnd ? [$0, $0] : [$0] }
    },
    Mutant(
      "writes-before-the-greeting-are-lost",
      "A write that is made between connection and hello is not sent on it.", from: "C42"
    ).outputs(remembering: (isWaiting: false, count: 0)) { step, memory in
      if step.input == .opened { memory = (true, 0) }
      if memory.isWaiting, step.operation?.isPlainWrite == true { memory.count += 1 }
      guard step.isHello else { return nil }
      defer { memory = (false, 0) }
      let writes = step.outputs.indices.filter { step.outputs[$0].request?.isPlainWrite == true }
      let lost = writes.suffix(memory.count)
      return step.outputs.indices.filter { !lost.contains($0) }.map { step.outputs[$0] }
    },
    Mutant(
      "flushed-by-the-next-write", "Writes that were made offline wait for the next write.",
      from: "R56"
    ).outputs(remembering: [ClientOutput]()) { step, held in
      if step.isReconnection {
        held = step.outputs.filter { $0.request?.isPlainWrite == true }
        return step.withoutRequests(\.isPlainWrite)
      }
      guard step.operation?.isPlainWrite == true, step.after.link.hasReceivedHello else {
        return nil
      }
      defer { held = [] }
      return held + step.outputs
    },
    Mutant(
      "writes-before-listens", "Writes are restored before listens.", from: "R47",
      violating: "CON-7"
    ).outputs(when: \.isHello) { step in
      let isWrite = { (output: ClientOutput) in output.request?.isPlainWrite == true }
      let first = step.outputs.firstIndex { $0.request?.isListen == true } ?? 0
      return step.outputs[..<first].filter { !isWrite($0) } + step.outputs.filter(isWrite)
        + step.outputs[first...].filter { !isWrite($0) }
    },
    Mutant(
      "listens-not-restored", "Listens are not sent again when the connection comes back.",
      from: "R54", violating: "CON-10 CON-21 OBS-17"
    ).outputs(when: \.isReconnection) { $0.withoutRequests(\.isListen) },
    Mutant("filtered-listens-not-restored", "Listens with a query are not sent again.", from: "R54")
      .outputs(when: \.isReconnection) { step in
        step.withoutRequests { request in
          if case let .listen(listen) = request { listen.query != nil } else { false }
        }
      },
    Mutant(
      "removed-listens-are-restored",
      "A listen whose listener has gone while there was no connection is restored.", from: "C18",
      violating: "CON-14"
    ).outputs(remembering: [Request]()) { step, restored in
      let requests = step.outputs.compactMap(\.request)
      let listens = requests.filter { request in
        if case let .listen(listen) = request { listen.query == nil } else { false }
      }
      if step.isHello {
        let paths = listens.map(\.path)
        let gone = restored.filter { !paths.contains($0.path) }
        restored = listens
        return step.sending(gone)
      }
      let ended = requests.filter { $0.action == .unlisten }.map(\.path)
      restored.removeAll { ended.contains($0.path) }
      restored += listens
      return nil
    },
  ]

  // Who the client says it is.

  static let accessMutants: [Mutant] = [
    Mutant(
      "writes-that-were-sent-do-not-wait",
      "What was sent over a lost connection is not sent after the sign-in for which it waited.",
      violating: "OFF-21", component: .persistence, in: [.wilddog1, .wilddog2]
    ).outputs(remembering: [Request]()) { step, sent in
      if step.input == .closed {
        sent += step.before.outstanding.map(\.request).filter(\.isPlainWrite)
      }
      guard case .authenticate? = step.answered else { return step.outputs }
      return step.withoutRequests(sent.contains)
    },
    Mutant(
      "writes-wait-for-ever-after-signing-in",
      "Writes that waited for a sign-in are not sent after it.", from: "C38", violating: "OFF-21"
    ).outputs { step in
      guard case .authenticate? = step.answered else { return nil }
      return step.withoutRequests(\.isPlainWrite)
    },
    Mutant(
      "credential-comes-last", "A new connection gets its credential last.", from: "C38",
      violating: "ACC-12"
    ).outputs(when: \.isHello) { step in
      let isCredential = { (output: ClientOutput) in output.request?.action == .authenticate }
      return step.outputs.filter { !isCredential($0) } + step.outputs.filter(isCredential)
    },
    Mutant(
      "credential-not-restored", "A new connection gets no credential.", from: "R66",
      violating: "ACC-12"
    ).outputs(when: \.isReconnection) { $0.withoutRequests { $0.action == .authenticate } },
    Mutant("sign-out-is-not-told", "The sign-out is not sent to the server.", from: "R66").requests
    { request in request.action == .unauthenticate ? [.stats([])] : nil },
    Mutant(
      "late-answer-signs-in",
      "The answer to a sign-in that a sign-out has followed is kept for the next connection.",
      from: "C49"
    ).deciding { $0.signingOutIsFinal = false },
    Mutant(
      "revoked-credential-is-ignored", "A credential that is taken back changes nothing.",
      from: "R65", violating: "ACC-14"
    ).ignoring { input, _ in
      if case .frame(.credentialRevoked) = input { true } else { false }
    },
  ]

  /// Right clients over something that is not a faithful connection.
  static let transports: [Mutant] = [
    Mutant(
      "characters-are-split", "A character that is cut by a segment boundary is broken.",
      from: "T1", component: .transport
    ).inputs { input, _ in
      switch input {
      case let .frame(.put(path, node, tag)):
        [.frame(.put(path, node.mappingScalars(\.split), tag: tag))]
      case let .frame(.merge(path, assignments, tag)):
        [
          .frame(
            .merge(
              path, assignments.map { Assignment($0.path, $0.node.mappingScalars(\.split)) },
              tag: tag))
        ]
      default: nil
      }
    },
    Mutant(
      "data-arrive-twice", "Data arrive once more after the next message.", from: "T2",
      component: .transport
    ).inputs(remembering: ClientInput?.none) { input, _, last in
      let again = last
      last = input.dataPath == nil ? nil : input
      return [input] + (again.map { [$0] } ?? [])
    },
    Mutant(
      "answers-arrive-twice", "The answer to a request arrives for the next one as well.",
      from: "T2", component: .transport
    ).inputs { input, model in
      guard case .frame(.response(var response)) = input,
        let next = model.outstanding.first(where: { $0.number > response.request })
      else { return nil }
      response.request = next.number
      return [input, .frame(.response(response))]
    },
    Mutant(
      "requests-arrive-twice", "Every write arrives at the server twice.", from: "T2",
      component: .transport
    ).wrapping { DuplicateSender(client: $0) },
    Mutant(
      "data-of-the-last-connection",
      "Data of the connection before arrive after the hello of the next one.", from: "T3 C33",
      component: .transport
    ).inputs(remembering: ClientInput?.none) { input, _, last in
      if input.dataPath != nil { last = input }
      guard case .frame(.hello) = input, let late = last else { return nil }
      last = nil
      return [input, late]
    },
    Mutant(
      "old-data-of-the-last-connection",
      "The first data of the connection before arrive again after those of the next one.",
      from: "T3 C33", violating: "CON-13", component: .transport
    ).inputs(remembering: (old: [ClientInput](), new: [ClientInput]())) { input, _, memory in
      if case .frame(.hello) = input { memory = (memory.new, []) }
      guard input.dataPath != nil else { return nil }
      memory.new.append(input)
      guard memory.new.count == 1, let late = memory.old.first else { return nil }
      return [input, late]
    },
    Mutant(
      "closing-is-not-noticed", "The client does not notice that its connection has closed.",
      from: "T4", component: .transport
    ).ignoring { input, _ in input == .closed },
    Mutant(
      "data-arrive-out-of-order", "Of two data messages the second arrives first.", from: "S9",
      component: .transport
    ).inputs(remembering: ClientInput?.none) { input, _, held in
      let first = held
      held = nil
      if first == nil, input.dataPath != nil {
        held = input
        return []
      }
      return [input] + (first.map { [$0] } ?? [])
    },
    Mutant(
      "large-messages-are-lost", "A message with many children does not arrive.", from: "T1",
      component: .transport
    ).ignoring { input, _ in
      if case let .frame(.put(_, node, _)) = input { node.children.count > 4 } else { false }
    },
  ]
}

extension InterceptedStep {
  fileprivate func isConnectedEvent(_ event: Event) -> Bool {
    event.type == .value && listener(event.listener)?.target.path == Path(".info/connected")
  }

  fileprivate var connectedEvents: [ClientOutput] {
    after.listeners.filter { $0.target.path == Path(".info/connected") }.map { listener in
      .event(
        Event(
          .value, to: listener.id, key: "connected", value: Node(true), order: .sorted(.priority)))
    }
  }

  func backOffs(_ change: (Interval) -> Interval) -> [ClientOutput] {
    outputs.map { output in
      guard case let .setTimer(timer, delay, .backOff) = output else { return output }
      return .setTimer(timer, after: change(delay), .backOff)
    }
  }
}

extension ClientOutput {
  var isBackOff: Bool {
    if case .setTimer(_, _, .backOff) = self { true } else { false }
  }
}

extension Operation {
  fileprivate var keptPath: Path? {
    arguments.synchronization == .on ? path : nil
  }
}

extension Scalar {
  /// The same with the first character that is not ASCII replaced by what a decoder makes of
  /// halves.
  fileprivate var split: Scalar {
    guard case let .string(text) = self else { return self }
    var string = text.string
    guard let index = string.firstIndex(where: { !$0.isASCII }) else { return self }
    string.replaceSubrange(index...index, with: "\u{FFFD}\u{FFFD}")
    return .string(Text(string))
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

/// Sends every write twice, with one number.
private struct DuplicateSender: WrappingClient {
  var client: any SyncClient

  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    var caused: [ClientOutput] = []
    client.handle(input, at: now, into: &caused)
    outputs += caused.flatMap { output in
      output.request?.isPlainWrite == true ? [output, output] : [output]
    }
  }
}
