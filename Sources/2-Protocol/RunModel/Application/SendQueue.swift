internal import ClientInterface
internal import Wire

/// The writes and on-disconnect requests of one process of a client on their way to the server.
struct SendQueue {
  /// Plain writes that the server has not answered, by their positions among the calls, in order.
  private var writes: [Int] = []
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

  enum Order {
    case inOrder
    case before(Int)
    case twice
    case unasked
  }

  init(hasInherited: Bool = false) { self.hasInherited = hasInherited }

  mutating func add(_ write: Int) { writes.append(write) }

  mutating func add(onDisconnect operation: Operation) { onDisconnects.append(operation) }

  /// A write was refused by the client itself after all.
  mutating func forget(_ write: Int) { writes.removeAll { $0 == write } }

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
  ) -> Order {
    if sent < writes.count, isCarried(writes[sent]) {
      assign(number, to: sent)
      return .inOrder
    }
    if hasInherited || isTolerated { return .inOrder }
    if let later = writes[sent...].firstIndex(where: isCarried) {
      let first = writes[sent]
      assign(number, to: later)
      return .before(first)
    }
    return writes[..<sent].contains(where: isCarried) ? .twice : .unasked
  }

  private mutating func assign(_ number: Int, to index: Int) {
    requests[number] = .write(writes[index])
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
      guard let index = writes.firstIndex(of: write) else { return nil }
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
