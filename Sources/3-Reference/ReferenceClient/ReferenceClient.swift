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
  /// What it does wrong on purpose: nothing, unless it was asked for.
  let mutationFlags: MutationFlags

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
  var wireListens = WireListens()
  var onDisconnects = AcceptedOnDisconnects()
  var transactions: [Transaction] = []
  var nextTransaction = 1
  var pushIDs = PushIDGenerator()
  var random = RandomNumbers(seed: 0)
  var identity = AuthState()
  var memory = PersistenceState()
  /// What is kept synchronised, with the registration that holds it.
  var synchronized: [(target: Operation.Target, token: Int)] = []

  /// Whether reruns leave out what transactions on their way have made. Never, by the rules: a
  /// replay sets it where a recorded client did so, to go on from the state that client was in
  /// (Specs/accidents.md, 112).
  package var leavesOutSentTransactions = false

  /// Whether one more write is laid over what was shown without a look at the earlier ones. What is
  /// shown does not depend on that; a test compares.
  package var remembersLayers: Bool {
    get { tree.remembersLayers }
    set { tree.remembersLayers = newValue }
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
  /// Changes what comes of calls in callbacks; `nil` for a client that is right.
  var nestedCallRewriter: NestedCallRewriter?

  /// Where a listener is registered.
  struct Listening {
    var token: Int
    var path: Path
    var isLocal: Bool
  }

  /// Something to be done when everything else of this instant is done.
  enum Deferred {
    case finishOnDisconnect(OutstandingOnDisconnect, status: String)
    case complete(CallID, status: String)
    case stopWatching(token: Int)
  }

  /// A client without a defect for a product line, with nothing cached, written or listened to.
  public init(profile: Profile) {
    self.init(profile: profile, mutationFlags: [])
  }

  /// A client that breaks rules: what a kit must notice.
  package init(
    profile: Profile, mutationFlags: MutationFlags, nestedCalls: NestedCallRewriter? = nil
  ) {
    self.profile = profile
    self.mutationFlags = mutationFlags
    nestedCallRewriter = nestedCalls
    tree.mutationFlags = mutationFlags
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
      link.keepAlive.feel(at: now)
      receive(message)
    case let .timer(timer): timerFired(timer)
    case .close: break
    }
    if !lateCompletions.isEmpty {
      self.outputs += lateCompletions
      lateCompletions = []
    }
    if memory.keepsData || memory.needsStoring { storeChanges() }
    swap(&self.outputs, &outputs)
  }
}

// MARK: - Raising

extension ReferenceClient {
  /// Raises everything that is owed, oldest first, and `events` after it.
  mutating func raise(_ events: [PendingEvent] = []) {
    queue.add(events)
    while !queue.isEmpty {
      if queue.count == 1, queue[0].lifetime == .lasting, let event = queue.popLast() {
        if let output = event.output { raise(output) }
        continue
      }
      // Element by element: a list of optionals made by conversion looks at the type of each.
      var unanswered: [PendingEvent?] = []
      unanswered.reserveCapacity(queue.count)
      for index in queue.indices { unanswered.append(queue[index]) }
      queue.removeAll()
      for index in unanswered.indices { raise(index, of: &unanswered) }
    }
  }

  /// Raises one of several events, unless that has been done.
  ///
  /// A single read is over before it is called: removed first, so that a second event of the same
  /// change finds it gone (OBS-9), and called after all other listeners of its location.
  private mutating func raise(_ index: Int, of unanswered: inout [PendingEvent?]) {
    guard let event = unanswered[index], let output = event.output else { return }
    unanswered[index] = nil
    if event.lifetime == .once {
      guard case let .event(raised) = output, listeners[raised.listener]?.token == event.token
      else { return }
      stopListening(raised.listener)
      for later in (index + 1)..<unanswered.count where unanswered[later]?.path == event.path {
        raise(later, of: &unanswered)
      }
    }
    raise(output)
  }

  private mutating func raise(_ output: ClientOutput) {
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
    if timer == .backOff {
      if link.state == .waiting { connect() }
    } else if timer == .keepAlive {
      receiveKeepAlive()
    } else if timer == .nextTurn {
      let turn = nextTurn
      nextTurn = []
      for deferred in turn {
        switch deferred {
        case let .finishOnDisconnect(request, status): finish(request, status: status)
        case let .complete(call, status): complete(call, status: status)
        case let .stopWatching(token): stopWatching(token)
        }
      }
    }
  }
}

extension TimerID {
  static let backOff: TimerID = 1
  static let nextTurn: TimerID = 2
  static let keepAlive: TimerID = 3
}
