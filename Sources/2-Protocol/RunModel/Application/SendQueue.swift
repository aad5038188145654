package import ClientInterface
package import Tree
internal import Wire

/// The writes and on-disconnect requests of one process of a client on their way to the server.
struct SendQueue {
  /// Plain writes that the server has not answered, by their positions among the calls, in order.
  var writes: [Int] = []
  /// How many of them went out on this connection.
  private var sent = 0
  private var requests = RequestTable<Purpose>()
  /// The calls about disconnection, in order; those before `asked` went out.
  var onDisconnects: [Operation] = []
  private var asked = 0
  /// How many of them were made before the last end of a connection. A client that had them on their
  /// way then may have forgotten them (OND-9).
  private var mayBeLost = 0
  /// How many more answers "ok" the server gave than calls ended without an error.
  private var lead = (writes: 0, onDisconnects: 0)

  enum Purpose {
    case write(Int)
    case onDisconnect
    case credential
  }

  /// The client gives up what has no answer (WRT-30). What went out may still get one.
  ///
  /// - Returns: The plain writes, of which each may have gone out over this connection or an earlier one.
  mutating func purge() -> [Int] {
    defer { writes = [] }
    sent = 0
    onDisconnects.removeSubrange(asked...)
    mayBeLost = min(mayBeLost, asked)
    return writes
  }

  /// An open connection ends.
  mutating func loseConnection() { mayBeLost = onDisconnects.count }

  /// There is no connection, or a new one.
  mutating func clear() {
    sent = 0
    requests.removeAll()
  }

  /// The plain write that is to go out next.
  var next: Int? { sent < writes.count ? writes[sent] : nil }

  /// The plain write that a request without an answer carries.
  func write(carriedBy number: Int) -> Int? {
    if case let .write(write)? = requests[number] { write } else { nil }
  }

  var unsentOnDisconnect: Operation? {
    let first = max(asked, mayBeLost)
    return first < onDisconnects.count ? onDisconnects[first] : nil
  }

  /// A plain write goes out; `isTolerated` says whether it need not be one of those that `calls` of
  /// this process asked for.
  ///
  /// - Returns: Where it stands among them; `nil` if it is the next one, or that is unknown.
  mutating func send(
    _ request: Request, _ number: Int, of calls: [RequestedCall], isTolerated: Bool
  ) -> CallFact.What? {
    let next = writes.dropFirst(sent).firstIndex { calls.isWrite(at: $0, carriedBy: request) }
    if let next, next == sent || !isTolerated {
      let first = writes[sent]
      requests[number] = .write(writes[next])
      defer { sent = next + 1 }
      return next == sent ? nil : .sentBefore(calls[first].call, Self.path(request))
    }
    if isTolerated { return nil }
    let isRepeated = writes.prefix(sent).contains { calls.isWrite(at: $0, carriedBy: request) }
    return isRepeated ? .sentTwice(Self.path(request)) : .sentUnasked(Self.path(request))
  }

  /// An on-disconnect request goes out.
  mutating func send(onDisconnect request: Request, _ number: Int) -> CallFact.What? {
    requests[number] = .onDisconnect
    guard let index = onDisconnects[asked...].firstIndex(where: { $0.isCarried(by: request) })
    else { return .onDisconnectSentAgain(Self.path(request)) }
    defer { asked = index + 1 }
    // Those before may have been on their way when the connection closed (OND-9).
    return index > max(asked, mayBeLost) ? .onDisconnectSentBefore(Self.path(request)) : nil
  }

  private static func path(_ request: Request) -> Path { request.path ?? .root }

  mutating func sendCredential(_ number: Int) { requests[number] = .credential }

  /// Takes an answer of the server.
  ///
  /// - Returns: Whether a credential was accepted; `nil` for the answer to anything else.
  mutating func take(_ response: ServerMessage.Response) -> Bool? {
    let isDone = response.status == "ok"
    guard let purpose = requests.removeValue(forKey: response.request) else { return nil }
    if case .credential = purpose { return isDone }
    if isDone { count(1, for: purpose) }
    if case let .write(write) = purpose, let index = writes.firstIndex(of: write) {
      writes.remove(at: index)
      if index < sent { sent -= 1 }
    }
    return nil
  }

  private mutating func count(_ change: Int, for purpose: Purpose) {
    switch purpose {
    case .write: lead.writes += change
    case .onDisconnect: lead.onDisconnects += change
    case .credential: break
    }
  }

  /// A call has ended.
  ///
  /// - Returns: Whether more of them have succeeded than were answered.
  mutating func end(_ purpose: Purpose, _ completion: Completion) -> Bool {
    if completion.error == nil { count(-1, for: purpose) }
    if lead.writes >= 0, lead.onDisconnects >= 0 { return false }
    lead = (0, 0)
    return true
  }
}

/// What became of a call of an application in one turn of its client, by an output.
package struct CallFact {
  package typealias Call = (id: CallID, operation: Operation)

  /// The event of the output.
  package let sequence: Int
  /// `nil` for a request that goes out.
  package let call: Call?
  package let what: What

  package enum What {
    /// It succeeded, but the server has not accepted the write that it made there.
    case unaccepted(Path, isOfTransaction: Bool)
    case endedAgain
    /// The function of a transaction ran after the call had ended.
    case ranAfterEnd
    /// A plain write that was requested later had ended before.
    case overtaken
    /// More calls have succeeded by now than the server has answered.
    case endedEarly
    /// A transaction committed a value; `input` is what its function was given last.
    case committed(Node, TransactionFunction, input: JSON)
    /// A transaction committed although it ended with an error.
    case failedAndCommitted
    /// A push was answered with a key that does not follow the one before.
    case keyed(String, after: String)
    /// A plain write went out before one that was requested earlier, ...
    case sentBefore(CallID, Path)
    /// ... for the second time on one connection, ...
    case sentTwice(Path)
    /// ... or without having been requested.
    case sentUnasked(Path)
    /// An on-disconnect request went out before one that was requested earlier, ...
    case onDisconnectSentBefore(Path)
    /// ... or again, or without having been requested.
    case onDisconnectSentAgain(Path)
  }
}
