internal import ClientInterface
internal import Interception
internal import Tree
internal import Wire

// What goes out when the connection is back.

extension Mutant {
  /// After a reconnection puts and merges without a hash are missing from what is sent again (C7).
  public static let droppedWrite = Mutant(
    "dropped-write", "Writes that are pending when the connection comes back are not resent.",
    from: "C7 H14 R55", violating: "CON-21 OFF-3 OFF-4 WRT-28"
  ) { $0.isReconnection ? $0.withoutRequests(\.isPlainWrite) : $0.outputs }

  static let resendingMutants = [
    droppedWrite,
    Mutant(
      "answered-writes-are-resent", "A write that was answered is sent again on a new connection.",
      from: "C8", violating: "OFF-5", remembering: [Request]()
    ) { step, answered in
      if let request = step.answered, request.isPlainWrite { answered.append(request) }
      guard step.isReconnection else { return step.outputs }
      defer { answered = [] }
      return step.outputs + answered.suffix(1).map { .send(.request(0, $0)) }
    },
    Mutant(
      "writes-resent-backwards", "Pending writes are sent again last to first.", from: "C9",
      violating: "EVT-24 OFF-3"
    ) {
      step in
      guard case .frame(.hello) = step.input else { return step.outputs }
      return step.reversingRequests(where: \.isPlainWrite)
    },
    Mutant(
      "writes-twice", "Every write is sent twice.", from: "C8"
    ) { step in
      step.requests { request in
        if case .put(_, _, nil) = request { [request, request] } else { [request] }
      }
    },
    Mutant(
      "resent-writes-end-twice", "A write that was sent on two connections ends twice.",
      from: "C11", violating: "WRT-28", remembering: (sent: [Request](), again: Set<Int>())
    ) { step, memory in
      if step.isReconnection {
        for case let .send(.request(number, request)) in step.outputs
        where memory.sent.contains(request) { memory.again.insert(number) }
      }
      memory.sent += step.outputs.compactMap(\.request).filter(\.isPlainWrite)
      guard let response = step.response, memory.again.contains(response.request) else {
        return step.outputs
      }
      return step.outputs.flatMap { $0.isEnd ? [$0, $0] : [$0] }
    },
    Mutant(
      "writes-before-the-greeting-are-lost",
      "A write that is made between connection and hello is not sent on it.", from: "C42",
      remembering: (isWaiting: false, count: 0)
    ) { step, memory in
      if step.input == .opened { memory = (true, 0) }
      if memory.isWaiting, step.operation?.isPlainWrite == true { memory.count += 1 }
      guard case .frame(.hello) = step.input else { return step.outputs }
      defer { memory = (false, 0) }
      let writes = step.outputs.indices.filter { step.outputs[$0].request?.isPlainWrite == true }
      let lost = writes.suffix(memory.count)
      return step.outputs.indices.filter { !lost.contains($0) }.map { step.outputs[$0] }
    },
    Mutant(
      "flushed-by-the-next-write", "Writes that were made offline wait for the next write.",
      from: "R56", remembering: [ClientOutput]()
    ) { step, held in
      if step.isReconnection {
        held = step.outputs.filter { $0.request?.isPlainWrite == true }
        return step.withoutRequests(\.isPlainWrite)
      }
      guard step.operation?.isPlainWrite == true, step.after.hasReceivedHello else {
        return step.outputs
      }
      defer { held = [] }
      return held + step.outputs
    },
    Mutant(
      "writes-before-listens", "Writes are restored before listens.", from: "R47",
      violating: "CON-7"
    ) { step in
      guard case .frame(.hello) = step.input else { return step.outputs }
      let isWrite = { (output: ClientOutput) in output.request?.isPlainWrite == true }
      let first = step.outputs.firstIndex { $0.request?.isListen == true } ?? 0
      return step.outputs[..<first].filter { !isWrite($0) } + step.outputs.filter(isWrite)
        + step.outputs[first...].filter { !isWrite($0) }
    },
    Mutant(
      "listens-not-restored", "Listens are not sent again when the connection comes back.",
      from: "R54", violating: "CON-10 CON-21 OBS-17"
    ) { $0.isReconnection ? $0.withoutRequests(\.isListen) : $0.outputs },
    Mutant(
      "filtered-listens-not-restored", "Listens with a query are not sent again.", from: "R54"
    ) { step in
      guard step.isReconnection else { return step.outputs }
      return step.withoutRequests { request in
        if case let .listen(listen) = request { listen.query != nil } else { false }
      }
    },
    Mutant(
      "removed-listens-are-restored",
      "A listen whose listener has gone while there was no connection is restored.", from: "C18",
      violating: "CON-14",
      remembering: (listens: [Request](), isBack: false)
    ) { step, memory in
      let listens = step.outputs.compactMap(\.request).filter { request in
        if case let .listen(listen) = request { listen.query == nil } else { false }
      }
      if case .frame(.hello) = step.input {
        let paths = listens.compactMap(\.path)
        let gone = memory.listens.filter { !paths.contains($0.path ?? .root) }
        memory.listens = listens
        return step.outputs + gone.map { .send(.request(0, $0)) }
      }
      let ended = step.outputs.compactMap(\.request).filter { $0.action == .unlisten }
      memory.listens.removeAll { listen in ended.contains { $0.path == listen.path } }
      memory.listens += listens
      return step.outputs
    },
  ]
}
