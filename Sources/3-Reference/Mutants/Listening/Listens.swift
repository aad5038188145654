internal import ClientInterface
internal import Interception
internal import Tree
internal import Wire

// What the server is asked to report.

extension Mutant {
  static let wireMutants = [
    Mutant(
      "listens-not-taken-back", "The end of a listen is not sent to the server.", from: "C18",
      violating: "OBS-12"
    ) {
      step in
      step.requests { $0.action == .unlisten ? [.stats([])] : [$0] }
    },
    Mutant(
      "listen-lost-to-its-removal",
      "Listening again before the removal is answered sends no listen.", from: "C19 R61",
      violating: "OBS-13"
    ) { step in
      let leaving = step.before.outstanding.map(\.request).compactMap(\.removedListen)
      return step.withoutRequests { request in
        guard case let .listen(listen) = request else { return false }
        return leaving.contains(.init(path: listen.path, query: listen.query))
      }
    },
    Mutant(
      "removal-overtakes-the-next-listen",
      "A listen is taken back after the next request, not before it.", from: "H17 R15",
      remembering: [ClientOutput]()
    ) { step, held in
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
    Mutant(
      "listens-twice", "Every listen is sent twice.", from: "R68 C41", violating: "WIR-4"
    ) { step in
      step.requests { $0.isListen ? [$0, $0] : [$0] }
    },
    Mutant(
      "listens-grow", "With each connection every listen is sent once more.", from: "C41"
    ) { step in
      guard step.isReconnection else { return step.outputs }
      return step.requests { request in
        request.isListen ? Array(repeating: request, count: step.after.helloCount) : [request]
      }
    },
    Mutant(
      "listens-again-for-a-single-read",
      "A single read of what is kept synchronised is listened to once more.", from: "R68",
      remembering: [Operation.Target]()
    ) { step, kept in
      if let given = step.operation?.arguments, let mode = given.synchronization,
        let path = given.path
      {
        let target = Operation.Target(path, given.query ?? .all)
        kept.removeAll { $0 == target }
        if mode == .on { kept.append(target) }
      }
      guard case let .once(_, target, _)? = step.operation, kept.contains(target),
        !target.query.filters, step.before.hasReceivedHello
      else { return step.outputs }
      return step.outputs + [.send(.request(0, .listen(.init(path: target.path))))]
    },
    Mutant(
      "listens-below-are-kept", "A listen below a new one above is not taken back.", from: "R61",
      violating: "WIR-5"
    ) { step in
      guard case .listen? = step.operation else { return step.outputs }
      return step.withoutRequests { $0.action == .unlisten }
    },
    Mutant(
      "filtered-listens-are-plain", "The server is asked for everything, not for the query.",
      from: "H18"
    ) { step in
      step.requests { request in
        guard case let .listen(listen) = request, listen.query != nil else { return [request] }
        return [.listen(.init(path: listen.path, hash: listen.hash))]
      }
    },
    Mutant(
      "hash-of-what-is-shown",
      "A listen states the hash of what is shown, pending writes and all.", from: "S8",
      violating: "HSH-7"
    ) { step in
      step.requests { request in
        guard case var .listen(listen) = request, listen.query == nil, step.isReconnection,
          let shown = step.before.value(at: listen.path)
        else { return [request] }
        listen.hash = shown.hash
        return [.listen(listen)]
      }
    },
    Mutant(
      "request-numbers-start-anew", "Requests are numbered again on each connection.", from: "P2",
      violating: "WIR-12",
      wrapping: { RequestNumbersPerConnection(client: $0) }),
  ]
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
