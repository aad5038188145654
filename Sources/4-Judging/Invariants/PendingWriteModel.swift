import ClientInterface
internal import Scenario
internal import Tree
internal import Wire

/// The writes and on-disconnect requests of one process of a client on their way to the server.
struct PendingWriteModel {
  /// Plain writes that the server has not answered, in the order of the calls.
  private(set) var writes: [PlainWrite] = []
  /// Where keys were made for nothing.
  private var emptyPushes: [Path] = []
  /// How many of them went out on this connection.
  private var sent = 0
  private var requests = RequestTable<Purpose>()
  /// The calls about disconnection, in order; those before `asked` went out.
  private var wills: [Operation] = []
  private var asked = 0
  /// How many of them were made before the last end of a connection. A client that had them on their
  /// way then may have forgotten them (OND-9).
  private var mayBeLost = 0
  private(set) var answers = CallMonitor.Answers()
  /// Whether an earlier process may have left writes that this one sends.
  var hasInherited = false

  private enum Purpose {
    case write(CallID)
    case will
  }

  mutating func add(_ write: PlainWrite) { writes.append(write) }
  mutating func add(emptyPush path: Path) { emptyPushes.append(path) }
  mutating func add(will: Operation) { wills.append(will) }

  /// The first on-disconnect call that has not gone out and must have.
  var unsentWill: Operation? {
    let first = max(asked, mayBeLost)
    return first < wills.count ? wills[first] : nil
  }

  /// Takes the end of an open connection.
  mutating func endProcess() { mayBeLost = wills.count }

  mutating func clear() {
    sent = 0
    requests.removeAll()
  }

  mutating func take(
    _ request: Request, numbered number: Int, at sequence: Int, in step: ClientStep
  )
    -> [InvariantViolation]
  {
    switch request {
    case .put(_, _, nil): return takeWrite(request, numbered: number, at: sequence, in: step)
    case let .merge(_, assignments, nil) where !assignments.isEmpty:
      return takeWrite(request, numbered: number, at: sequence, in: step)
    case .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel:
      requests[number] = .will
      return takeWill(request, at: sequence, in: step)
    default: return []
    }
  }

  private mutating func takeWrite(
    _ request: Request, numbered number: Int, at sequence: Int, in step: ClientStep
  ) -> [InvariantViolation] {
    let sentPath = request.path ?? .root
    if sent < writes.count, writes[sent].isCarried(by: request) {
      assign(number, to: sent)
      return []
    }
    if hasInherited || request.isEmptyPush(at: emptyPushes) { return [] }
    let sentence: String
    if let later = writes[sent...].firstIndex(where: { $0.isCarried(by: request) }) {
      sentence = "the write of \(sentPath) was sent before \(writes[sent].call.name), made earlier"
      assign(number, to: later)
    } else if writes[..<sent].contains(where: { $0.isCarried(by: request) }) {
      sentence = "the write of \(sentPath) was sent twice on one connection"
    } else {
      sentence = "the client sent a write of \(sentPath) that no call made, or that was answered"
    }
    return [InvariantViolation(.sentOnce, .client(step.client), at: sequence, sentence)]
  }

  private mutating func assign(_ number: Int, to index: Int) {
    requests[number] = .write(writes[index].call)
    sent = index + 1
  }

  private mutating func takeWill(
    _ request: Request, at sequence: Int, in step: ClientStep
  ) -> [InvariantViolation] {
    guard let index = wills[asked...].firstIndex(where: { $0.isCarried(by: request) }) else {
      return [
        InvariantViolation(
          .requestedOnce, .client(step.client), at: sequence,
          "the on-disconnect request for \(request.path ?? .root) was sent again, out of order, or "
            + "unasked")
      ]
    }
    defer { asked = index + 1 }
    // Those before may have been on their way when the connection closed (OND-9).
    guard index > max(asked, mayBeLost) else { return [] }
    return [
      InvariantViolation(
        .requestedOnce, .client(step.client), at: sequence,
        "the on-disconnect request for \(request.path ?? .root) was sent before an earlier one")
    ]
  }

  /// Takes an answer of the server.
  mutating func take(_ response: ServerMessage.Response) {
    switch requests.removeValue(forKey: response.request) {
    case nil: break
    case .will?: if response.status == "ok" { answers.onDisconnects += 1 }
    case let .write(call)?:
      if response.status == "ok" { answers.writes += 1 }
      guard let index = writes.firstIndex(where: { $0.call == call }) else { return }
      writes.remove(at: index)
      if index < sent { sent -= 1 }
    }
  }
}

extension Operation {
  /// Whether this call about disconnection is what a request asks of the server.
  fileprivate func isCarried(by request: Request) -> Bool {
    switch (self, request) {
    case let (.onDisconnectSet(path, node), .onDisconnectPut(sentPath, data)):
      path == sentPath && node.stored == data
    case let (.onDisconnectRemove(path), .onDisconnectPut(sentPath, data)):
      path == sentPath && data.isEmpty
    case let (.onDisconnectUpdate(path, assignments), .onDisconnectMerge(sentPath, data)):
      path == sentPath && assignments.count == data.count && data.allSatisfy(assignments.contains)
    case let (.onDisconnectCancel(path), .onDisconnectCancel(sentPath)): path == sentPath
    default: false
    }
  }
}
