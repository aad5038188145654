public import ClientInterface
package import Tree
internal import Wire

/// The client that is right by construction.
///
/// It keeps what the server has sent, what the application has written and what is being listened
/// to; after every input it computes again what each listener sees and raises the difference. What
/// is shown is a function of what is known, of the pending writes and, where these leave something
/// open, of what was shown before: see `View`. Other implementations are judged against it.
///
/// A value: a copy is an independent client in the same state.
public struct ReferenceClient: SyncClient, Sendable {
  let profile: Profile
  /// The local copy of the database.
  var tree = LocalTree()
  /// The local copy of `.info`, which no server knows (CON-2).
  var info = LocalTree()
  /// The registration of each listener.
  var listeners: [ListenerID: Listening] = [:]
  /// What each listener was handed, also when it is registered no more.
  var snapshots: [ListenerID: ReceivedEvents] = [:]
  /// What each completion was handed, and the locations of the calls that have not completed.
  var completions: [ReceivedCompletion] = []
  var callPaths: [CallID: Path] = [:]
  /// The host of the database, as the addresses of its locations have it.
  var host = ""

  var link = ClientConnection()
  var requests = RequestLog()
  /// The listens that the server has, or will have once there is a connection.
  var wireListens = PathList<WireListen>()
  var onDisconnects = AcceptedOnDisconnects()
  package internal(set) var transactions: [Transaction] = []
  var nextTransaction = 1
  var pushIDs = PushIDGenerator()
  var random = RandomNumbers(seed: 0)
  var identity = AuthState()
  var memory = PersistenceState()
  /// What is kept synchronised, with the registration that holds it.
  var synchronized: [(target: Operation.Target, holder: Listening)] = []

  /// What it decides. Views that are there go on as they were made.
  package var policy: ClientPolicy {
    get { tree.policy }
    set { tree.policy = newValue }
  }

  /// The client's clock, and what to add to it to get the server's (SRV-5).
  var now = Instant(nanoseconds: 0)
  package var serverTimeOffset = 0.0

  /// Events that are owed and not yet raised.
  var queue: [PendingEvent] = []
  /// What waits for the next turn: a timer of no length.
  var nextTurn: [Deferred] = []
  var outputs: [ClientOutput] = []
  /// Completions that are delivered after everything else (WRT-11).
  var lateCompletions: [ClientOutput] = []

  /// What the application does in callbacks to come.
  var reactions = Reactions()
  /// Runs the functions of transactions where they are code and not data.
  ///
  /// It is called while an input is handled, and must not use the client.
  package var functionRunner: (@Sendable (CallID, Node) -> TransactionFunction.Run)?

  /// Something to be done when everything else of this instant is done.
  enum Deferred {
    case complete(CallID, status: String)
    case stopWatching(Listening)
    /// The server has agreed to it.
    case remember(Request)
  }

  /// A client for a product line, with nothing cached, written or listened to.
  public init(profile: Profile) {
    self.profile = profile
  }

  /// The same for one that decides otherwise.
  package init(profile: Profile, deciding change: (inout ClientPolicy) -> Void) {
    self.init(profile: profile)
    change(&policy)
  }

  /// Handles an input and appends what it causes; frames without a connection are ignored (CON-13).
  public mutating func handle(
    _ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]
  ) {
    if reactions.isEmpty {
      respond(to: input, at: now, into: &outputs)
    } else {
      var caused: [ClientOutput] = []
      respond(to: input, at: now, into: &caused)
      deliver(caused, at: now, into: &outputs)
    }
  }

  /// Handles an input as if nothing were called from inside callbacks.
  mutating func respond(
    to input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]
  ) {
    self.now = now
    swap(&self.outputs, &outputs)
    switch input {
    case let .open(opening): open(opening)
    case let .call(call, operation): perform(operation, as: call)
    case .opened: if link.state == .connecting { opened() }
    case .refused, .closed: if link.isUnderWay { connectionLost() }
    // CON-13: what a closed connection still had to say does not count.
    case let .frame(message):
      guard link.isUp else { break }
      link.receive(at: now)
      receive(message)
    case let .timer(timer): timerFired(timer)
    case .close: break
    }
    if !lateCompletions.isEmpty {
      self.outputs += lateCompletions
      lateCompletions = []
    }
    if memory.keepsData || memory.hasChanges { storeChanges() }
    swap(&self.outputs, &outputs)
  }
}

// MARK: - Raising

extension ReferenceClient {
  /// Raises everything that is owed, oldest first, and `events` after it.
  mutating func raise(_ events: [PendingEvent] = []) {
    queue.add(events)
    while !queue.isEmpty {
      var due: [PendingEvent] = []
      swap(&due, &queue)
      for index in due.indices { raise(index, of: &due) }
    }
  }

  /// Raises one of several events, unless that has been done.
  ///
  /// A single read is over before it is called: removed first, so that a second event of the same
  /// change finds it gone (OBS-9), and called after all other listeners of its location.
  private mutating func raise(_ index: Int, of due: inout [PendingEvent]) {
    guard let output = due[index].output else { return }
    due[index].output = nil
    if due[index].lifetime == .once {
      guard case let .event(raised) = output, listeners[raised.listener]?.token == due[index].token
      else { return }
      stopListening(raised.listener)
      for later in (index + 1)..<due.count where due[later].path == due[index].path {
        raise(later, of: &due)
      }
    }
    // CBK-6: where callbacks make calls, it may be withdrawn before it is delivered.
    if reactions.isEmpty, case let .event(raised) = output { updateSnapshot(with: raised) }
    outputs.append(output)
  }

  /// Keeps what a listener is handed, where it is: taking it out and putting it back takes longer.
  mutating func updateSnapshot(with event: Event) {
    if let index = snapshots.index(forKey: event.listener) { snapshots.values[index].follow(event) }
  }

  mutating func complete(_ call: CallID, _ completion: Completion) {
    if let path = callPaths.removeValue(forKey: call) {
      if completions.count == ReceivedCompletion.limit { completions.removeFirst() }
      completions.append(.init(call: call, path: path, completion: completion))
    }
    switch profile.completions {
    case .immediate: outputs.append(.completed(call, completion))
    case .last: lateCompletions.append(.completed(call, completion))
    }
  }

  /// Ends a write's call with the status that the server gave (WRT-10).
  mutating func complete(_ call: CallID, status: String) {
    complete(call, status == "ok" ? .ok : Completion(error: ErrorCode(status)))
  }

  /// Puts something off until everything else of this instant has happened.
  mutating func inNextTurn(_ deferred: Deferred) {
    if nextTurn.isEmpty { outputs.append(.setTimer(.nextTurn, after: .zero, .other)) }
    nextTurn.append(deferred)
  }

  mutating func timerFired(_ timer: TimerID) {
    switch timer {
    case .backOff: if link.state == .waiting { connect() }
    case .keepAlive: receiveKeepAlive()
    case .nextTurn:
      let turn = nextTurn
      nextTurn = []
      for deferred in turn {
        switch deferred {
        case let .complete(call, status): complete(call, status: status)
        case let .stopWatching(watch): stopListening(watch)
        case let .remember(request): onDisconnects.remember(request)
        }
      }
    default: break
    }
  }
}

extension TimerID {
  static let backOff: TimerID = 1
  static let nextTurn: TimerID = 2
  static let keepAlive: TimerID = 3
}

// MARK: - Calling back

extension ReferenceClient {
  /// Calls the application back, one callback after the other, and makes the calls that it makes
  /// there (CBK-1).
  ///
  /// The input has been handled to its end by then, so that a call from inside a callback is handled
  /// like any other. What it causes waits behind what is due already (CBK-3).
  mutating func deliver(
    _ caused: [ClientOutput], at now: Instant, into outputs: inout [ClientOutput]
  ) {
    var due = caused
    var next = 0
    while next < due.count {
      let output = due[next]
      next += 1
      if case let .event(event) = output { updateSnapshot(with: event) }
      outputs.append(output)
      for call in reactions.calls(in: output) {
        var nested = NestedCall(callback: output, call: call, due: Array(due[next...]))
        make(&nested, at: now, into: &outputs)
        due = nested.due + nested.caused
        next = 0
      }
    }
  }

  private mutating func make(
    _ nested: inout NestedCall, at now: Instant, into outputs: inout [ClientOutput]
  ) {
    let call = nested.call
    outputs.append(.calling(call.id))
    policy.nestedCall?(&nested, .before)
    if nested.isMade {
      var caused: [ClientOutput] = []
      respond(to: .call(call.id, call.operation), at: now, into: &caused)
      // What it returns, or that it was refused at once, comes before it has returned.
      for output in caused {
        switch output {
        case .answered, .threw: outputs.append(output)
        default: nested.caused.append(output)
        }
      }
      nested.withdrawn = nested.due.filter { isWithdrawn($0, by: call.operation) }
      nested.due.removeAll { isWithdrawn($0, by: call.operation) }
      nested.withdrawnEnds = nested.withdrawn.filter {
        $0.event.map { snapshots[$0.listener]?.isOnce == true } ?? true
      }
      policy.nestedCall?(&nested, .after)
    }
    outputs.append(.returned(call.id))
  }

  /// Whether an output calls a listener that an operation has removed (CBK-6, CBK-14).
  private func isWithdrawn(_ output: ClientOutput, by operation: Operation) -> Bool {
    let listener: ListenerID
    switch output {
    case let .event(event): listener = event.listener
    case let .cancelled(cancelled, _): listener = cancelled
    default: return false
    }
    guard var change = operation.listenerChange, let received = snapshots[listener],
      received.isRemovable
    else { return false }
    if case let .removesAll(gone) = change { change = .removesAll(gone.reaching(profile.ranges)) }
    return change.removes(listener, at: received.target)
  }
}

/// Changes a call from inside a callback, or what comes of it.
package typealias NestedCallRewriter = @Sendable (inout NestedCall, NestedCall.Phase) -> Void

/// One call from inside a callback.
package struct NestedCall: Sendable {
  /// The callback from which it is made.
  package let callback: ClientOutput
  package let call: Reaction.Call
  /// What is due already, in order.
  package var due: [ClientOutput]
  /// What was due to listeners that the call has removed.
  package var withdrawn: [ClientOutput] = []
  /// What of it would have ended its listener (CBK-14).
  package var withdrawnEnds: [ClientOutput] = []
  /// What the call causes, apart from what it returns.
  package var caused: [ClientOutput] = []
  /// Whether the client does anything.
  package var isMade = true

  package enum Phase: Hashable, Sendable {
    case before
    case after
  }
}

// MARK: - Looking inside

extension ReferenceClient {
  // What the client holds: for those who explain what it does, never for the client itself.

  package var views: PathList<View> { tree.views }
  /// The pending writes in order of issue.
  package var writes: [PendingWrite] { Array(tree.writes.all) }
  /// Where the client will write by itself if the connection ends now.
  package var onDisconnectPaths: [Path] { onDisconnects.paths }

  /// Keeps what a listener was handed last no longer: for programs that run for long and do not
  /// inspect.
  package mutating func forgetSnapshot(of listener: ListenerID) {
    snapshots.removeValue(forKey: listener)
  }

  /// Whether the server has accepted a credential and has not taken it back.
  package var isSignedIn: Bool { identity.token != nil }

  /// The last of what is pending now, to ask later whether all of it has ended.
  package var mark: ChangeMark {
    ChangeMark(write: tree.writes.all.last?.id ?? 0, transaction: transactions.last?.id ?? 0)
  }

  /// Whether all writes and transactions that were pending at a mark have ended.
  package func hasEnded(_ mark: ChangeMark) -> Bool {
    // Both count up, and a transaction that runs again makes another write.
    (tree.writes.all.first?.id ?? .max) > mark.write
      && (transactions.first?.id ?? .max) > mark.transaction
  }

  /// Takes a transaction out of the queue as if it had never been there, leaves its result pending
  /// for ever, and sends what waited for it.
  ///
  /// No rule asks for that. It lets this client follow a recorded one that has lost a transaction,
  /// so that what the two do afterwards can be compared.
  package mutating func forget(_ call: CallID, into outputs: inout [ClientOutput]) {
    transactions.removeAll { $0.call == call }
    swap(&self.outputs, &outputs)
    sendReadyTransactions()
    swap(&self.outputs, &outputs)
  }
}

/// The last write and the last transaction of a moment; 0 for none.
package struct ChangeMark: Sendable {
  fileprivate let write: Int
  fileprivate let transaction: Int
}
