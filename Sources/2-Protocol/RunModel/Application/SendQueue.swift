package import ClientInterface
package import Tree
internal import Wire

/// The writes and on-disconnect requests of one process of a client on their way to the server.
struct SendQueue {
  /// Plain writes that the server has not answered, by their positions among the calls, in order.
  private var writes: [(index: Int, call: CallID)] = []
  /// How many of them went out on this connection.
  private var sent = 0
  private var requests = RequestTable<Purpose>()
  /// The calls about disconnection, in order; those before `asked` went out.
  private var onDisconnects: [Operation] = []
  private var asked = 0
  /// How many of them were made before the last end of a connection. A client that had them on their
  /// way then may have forgotten them (OND-9).
  private var mayBeLost = 0
  /// How many answers "ok" the server gave, and how many calls ended without an error.
  private var answers = (writes: 0, onDisconnects: 0)
  private var succeeded = (writes: 0, onDisconnects: 0)
  /// Whether an earlier process may have left writes that this one sends.
  let hasInherited: Bool
  private enum Purpose {
    case write(Int)
    case onDisconnect
    case credential
  }

  init(hasInherited: Bool = false) { self.hasInherited = hasInherited }

  mutating func add(_ write: Int, as call: CallID) { writes.append((write, call)) }

  mutating func add(onDisconnect operation: Operation) { onDisconnects.append(operation) }

  /// A write was refused by the client itself after all.
  mutating func forget(_ write: Int) { writes.removeAll { $0.index == write } }

  /// The client gives up what has no answer (WRT-30). What went out may still get one.
  mutating func purge() {
    writes = []
    sent = 0
    onDisconnects.removeSubrange(asked...)
    mayBeLost = min(mayBeLost, asked)
  }

  /// An open connection ends.
  mutating func loseConnection() { mayBeLost = onDisconnects.count }

  /// There is no connection, or a new one.
  mutating func clear() {
    sent = 0
    requests.removeAll()
  }

  var unsentOnDisconnect: Operation? {
    let first = max(asked, mayBeLost)
    return first < onDisconnects.count ? onDisconnects[first] : nil
  }

  mutating func send(
    _ number: Int, isCarried: (Int) -> Bool, isTolerated: Bool
  ) -> CallFact.WriteOrder {
    if sent < writes.count, isCarried(writes[sent].index) {
      assign(number, to: sent)
      return .inOrder
    }
    if hasInherited || isTolerated { return .inOrder }
    if let later = writes[sent...].firstIndex(where: { isCarried($0.index) }) {
      let first = writes[sent].call
      assign(number, to: later)
      return .before(first)
    }
    return writes[..<sent].contains { isCarried($0.index) } ? .twice : .unasked
  }

  private mutating func assign(_ number: Int, to index: Int) {
    requests[number] = .write(writes[index].index)
    sent = index + 1
  }

  mutating func send(
    onDisconnect request: Request, _ number: Int
  ) -> CallFact.OnDisconnectOrder {
    requests[number] = .onDisconnect
    guard let index = onDisconnects[asked...].firstIndex(where: { $0.isCarried(by: request) })
    else {
      return .again
    }
    defer { asked = index + 1 }
    // Those before may have been on their way when the connection closed (OND-9).
    return index > max(asked, mayBeLost) ? .beforeEarlier : .inOrder
  }

  mutating func sendCredential(_ number: Int) { requests[number] = .credential }

  /// Takes an answer of the server.
  ///
  /// - Returns: Whether a credential was accepted; `nil` for the answer to anything else.
  mutating func take(_ response: ServerMessage.Response) -> Bool? {
    let isDone = response.status == "ok"
    switch requests.removeValue(forKey: response.request) {
    case nil: break
    case .credential?: return isDone
    case .onDisconnect?: if isDone { answers.onDisconnects += 1 }
    case let .write(write)?:
      if isDone { answers.writes += 1 }
      guard let index = writes.firstIndex(where: { $0.index == write }) else { return nil }
      writes.remove(at: index)
      if index < sent { sent -= 1 }
    }
    return nil
  }

  /// A plain write has ended.
  ///
  /// - Returns: Whether more of them have succeeded than were answered.
  mutating func end(write hasSucceeded: Bool) -> Bool {
    if hasSucceeded { succeeded.writes += 1 }
    return isEarly()
  }

  /// The same of an on-disconnect request.
  mutating func end(onDisconnect hasSucceeded: Bool) -> Bool {
    if hasSucceeded { succeeded.onDisconnects += 1 }
    return isEarly()
  }

  private mutating func isEarly() -> Bool {
    guard
      succeeded.writes > answers.writes || succeeded.onDisconnects > answers.onDisconnects
    else { return false }
    succeeded = answers
    return true
  }
}

/// What became of a call of an application in one turn of its client, by an output.
package struct CallFact {
  /// The event of the output.
  package let sequence: Int
  package let what: What

  package enum What {
    case ended(End)
    /// The function of a transaction ran after the call had ended.
    case ranAfterEnd(CallID, Operation)
    /// A push was answered with a key that does not come after the one before.
    case keyed(CallID, Operation, key: String, after: String)
    case sentWrite(Path, WriteOrder)
    case sentOnDisconnect(Path, OnDisconnectOrder)
  }

  /// The end of a call.
  package struct End {
    package let call: CallID
    package let operation: Operation
    package let completion: Completion
    /// Where it wrote, if it succeeded and the server has not accepted that.
    package var unaccepted: Path?
    package var isOfTransaction = false
    /// Whether it had ended before.
    package var isRepeated = false
    /// Whether a plain write that was requested later had ended before.
    package var isOvertaken = false
    /// Whether more calls have succeeded by now than the server has answered.
    package var isEarly = false
    /// Of a transaction that committed: its function and what that was given last.
    package var lastRun: (function: TransactionFunction, input: JSON)?

    /// Whether there is anything in it to be judged: most ends are as they should be.
    var isRemarkable: Bool {
      isRepeated || isOvertaken || isEarly || unaccepted != nil || lastRun != nil
    }
  }

  /// Where a plain write that goes out stands among those that were requested.
  package enum WriteOrder {
    /// It is the next one, or it is unknown.
    case inOrder
    case before(CallID)
    case twice
    case unasked
  }

  /// Where an on-disconnect request that goes out stands among those that were requested.
  package enum OnDisconnectOrder {
    case inOrder
    case beforeEarlier
    case again
  }
}
