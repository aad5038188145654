internal import ClientInterface
internal import Scenario
internal import Trace
internal import Tree
internal import Wire

/// What a client owes to its application, judged where the server accepts writes: each acknowledged
/// write took effect, once, as it was requested and in the order of the calls, and nothing took
/// effect that no application requested.
///
/// Like `TransactionLaws`, these laws know neither expectations nor the reference client.
struct WriteLaws {
  /// By the numbers of the clients.
  private var clients: [Client] = []

  private struct Client {
    /// Every plain write of every process, in the order of the calls.
    var writes: [Requested] = []
    /// Pushes that have not been answered with their keys.
    var pushes: [CallID: Operation] = [:]
    /// The writes before this one have been accepted or ended with an error.
    var firstOpen = 0
    /// The last of those that the server accepted.
    var lastAccepted = -1
    /// The requests that carry only writes which had ended when they were sent. What an earlier
    /// connection still delivers is none of them.
    var sentAfterEnd: Set<Int> = []
    /// Whether it ran from storage, which may be older than what it had done.
    var hasInherited = false
  }

  private struct Requested {
    let write: PlainWrite
    var isAccepted = false
    var hasEnded = false
  }

  /// Takes one event.
  ///
  /// - Returns: An acknowledgement that the server never gave.
  mutating func take(_ event: TraceEvent) -> InvariantViolation? {
    switch event.kind {
    case let .input(client, .open(opening)):
      while clients.count <= client.number { clients.append(Client()) }
      if !opening.storage.isEmpty { clients[client.number].hasInherited = true }
    case let .input(client, .call(call, operation)):
      guard clients.indices.contains(client.number) else { break }
      if case .push(_, .some) = operation { clients[client.number].pushes[call] = operation }
      add(PlainWrite(operation, as: call, number: 0, key: nil), of: client)
    case let .output(client, output):
      guard clients.indices.contains(client.number) else { break }
      return take(output, of: client, at: event.sequence)
    default: break
    }
    return nil
  }

  private mutating func add(_ write: PlainWrite?, of client: ClientIndex) {
    if let write { clients[client.number].writes.append(Requested(write: write)) }
  }

  private mutating func take(
    _ output: ClientOutput, of client: ClientIndex, at sequence: Int
  ) -> InvariantViolation? {
    switch output {
    case let .answered(call, key):
      if let push = clients[client.number].pushes.removeValue(forKey: call) {
        add(PlainWrite(push, as: call, number: 0, key: key), of: client)
      }
    case let .threw(call, _):
      clients[client.number].pushes.removeValue(forKey: call)
      if clients[client.number].writes.last?.write.call == call {
        clients[client.number].writes.removeLast()
      }
    case let .completed(call, completion):
      return end(call, completion, of: client, at: sequence)
    case let .send(.request(number, request)) where request.isPlainWrite:
      let state = clients[client.number]
      let isOpen = state.writes[state.firstOpen...].contains {
        !$0.hasEnded && $0.write.isCarried(by: request)
      }
      if !isOpen { clients[client.number].sentAfterEnd.insert(number) }
    default: break
    }
    return nil
  }

  private mutating func end(
    _ call: CallID, _ completion: Completion, of client: ClientIndex, at sequence: Int
  ) -> InvariantViolation? {
    let open = clients[client.number].firstOpen
    // The last one: a later process may use the name of a call that ended with an earlier process.
    guard
      let index = clients[client.number].writes[open...].lastIndex(where: {
        $0.write.call == call && !$0.hasEnded
      })
    else { return nil }
    clients[client.number].writes[index].hasEnded = true
    let write = clients[client.number].writes[index]
    moveOn(client)
    guard completion.error == nil, !write.isAccepted else { return nil }
    return InvariantViolation(
      .acknowledgedIsKept, .call(client, call, write.write.operation), at: sequence,
      "the call succeeded, but the server never accepted its write of \(write.write.path)")
  }

  private mutating func moveOn(_ client: ClientIndex) {
    var open = clients[client.number].firstOpen
    while open < clients[client.number].writes.count, clients[client.number].writes[open].hasEnded {
      open += 1
    }
    clients[client.number].firstOpen = open
  }

  /// Takes a plain write that the server accepts.
  mutating func judgeAcceptance(
    of request: Request, numbered number: Int, from client: ClientIndex, _ sequence: Int
  ) -> InvariantViolation? {
    guard request.isPlainWrite, clients.indices.contains(client.number) else { return nil }
    let open = clients[client.number].firstOpen
    let writes = clients[client.number].writes
    if let index = writes[open...].firstIndex(where: {
      !$0.isAccepted && !$0.hasEnded && $0.write.isCarried(by: request)
    }) {
      return accept(index, of: client, sequence)
    }
    // Sent again after a connection broke: the client cannot know that it was accepted before.
    if writes[open...].contains(where: { !$0.hasEnded && $0.write.isCarried(by: request) }) {
      return nil
    }
    if clients[client.number].hasInherited { return nil }
    let repeated = writes.last { $0.hasEnded && $0.write.isCarried(by: request) }
    let path = request.path ?? .root
    guard let repeated else {
      return InvariantViolation(
        .requestedOnly, .client(client), at: sequence,
        "the server accepted a write of \(path) that no application requested")
    }
    guard clients[client.number].sentAfterEnd.contains(number) else { return nil }
    return InvariantViolation(
      .effectiveOnce, .call(client, repeated.write.call, repeated.write.operation), at: sequence,
      "the server accepted the write of \(path) again, after the call had ended")
  }

  private mutating func accept(
    _ index: Int, of client: ClientIndex, _ sequence: Int
  ) -> InvariantViolation? {
    clients[client.number].writes[index].isAccepted = true
    let last = clients[client.number].lastAccepted
    clients[client.number].lastAccepted = max(last, index)
    guard index < last, !clients[client.number].hasInherited else { return nil }
    let (earlier, later) = (
      clients[client.number].writes[index], clients[client.number].writes[last]
    )
    return InvariantViolation(
      .effectiveInOrder, .call(client, earlier.write.call, earlier.write.operation), at: sequence,
      "the write of \(earlier.write.path) took effect after that of \(later.write.path), which was "
        + "requested later")
  }
}

extension Request {
  /// Whether it is a write that carries no condition.
  fileprivate var isPlainWrite: Bool {
    switch self {
    case .put(_, _, nil): true
    case let .merge(_, assignments, nil): !assignments.isEmpty
    default: false
    }
  }
}
