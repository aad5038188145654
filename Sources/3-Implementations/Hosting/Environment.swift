public import ClientInterface
public import Tree

/// What an SDK takes from outside, which here is the kit: connections, time, randomness and
/// storage.
///
/// Unchecked, because everything happens on the kit's one thread: calls of the SDK, callbacks, and
/// tasks on ``taskExecutor`` and ``actorExecutor``. That is what makes it safe to share, although it is
/// not locked; an SDK that has threads or queues of its own must get its work through ``perform(_:)``
/// or ``schedule(after:purpose:_:)`` instead.
public final class Environment: @unchecked Sendable {
  /// What the server speaks.
  public let profile: Profile
  /// The host that the application configured.
  public let host: String
  /// Whether the application wants data kept over the end of the process.
  public let persistence: ClientInput.Persistence?
  /// The time by the client's clock.
  public internal(set) var now: Instant
  /// The SDK's randomness: keys, back-off. The seed of the run decides what it gives.
  public var random: RandomNumbers
  /// What is kept over the end of the process.
  public let storage: Storage

  let executor: Executor
  private(set) var agenda = DeferredWork()
  private(set) var connection: Connection?
  private var outputs: [ClientOutput] = []
  /// Learns that there are outputs to take, where the SDK has a clock of its own.
  package var didEmit: (() -> Void)?
  /// What the application does in callbacks to come, and how it calls the SDK.
  private var reactions = Reactions()
  var makeCall: (Operation, CallID) throws -> Void = { _, _ in }
  /// Whether the process has ended. Nothing comes any more.
  private(set) var isFinished = false
  private var reportedEscapes = 0
  /// How to wake what waits, when the process ends.
  private var deadlines: [Int: () -> Void] = [:]
  private var lastDeadline = 0

  /// So much work in one instant that the SDK must be in a loop.
  static let maxSteps = 100_000

  init(_ profile: Profile, _ opening: ClientInput.Opening, at now: Instant) {
    self.profile = profile
    self.now = now
    host = opening.host
    persistence = opening.persistence
    storage = Storage(opening.storage)
    random = RandomNumbers(seed: opening.seed)
    // Another stream than the SDK's, or drawing a key would change the order of tasks.
    executor = Executor(seed: opening.seed ^ 0x5DEE_CE66_D1CE_4E5B)
    storage.report = { [unowned self] in emit($0) }
  }

  /// Takes what the SDK has done. In a callback the application makes its calls, before the callback
  /// returns to the SDK.
  func emit(_ output: ClientOutput) {
    if isFinished { return }
    outputs.append(output)
    for call in reactions.calls(in: output) {
      outputs.append(.calling(call.id))
      attempt { try makeCall(call.operation, call.id) }
      outputs.append(.returned(call.id))
    }
    didEmit?()
  }

  /// Makes a call of the application; what its callbacks are to do is recorded here.
  func call(_ operation: Operation, as call: CallID) {
    if case let .on(reaction) = operation {
      reactions.add(reaction)
    } else {
      attempt { try makeCall(operation, call) }
    }
  }

  func takeOutputs() -> [ClientOutput] {
    defer { outputs.removeAll(keepingCapacity: true) }
    return outputs
  }
}

// Connections.

extension Environment {
  /// Asks for a connection. One at a time: close the last one first, or wait for its end.
  ///
  /// - Parameters:
  ///   - host: Where to; `nil` for ``host``. Another one where the server has sent the client.
  ///   - receive: Learns of the connection, until it has ended or was closed.
  /// - Returns: The connection, to send over and to close.
  @discardableResult
  public func connect(
    to host: String? = nil, _ receive: @escaping (ConnectionEvent) -> Void
  ) -> Connection {
    let connection = Connection(self, receive)
    self.connection = connection
    if let host, host != self.host { emit(.connectTo(host)) } else { emit(.connect) }
    return connection
  }

  func connectionDid(_ event: ConnectionEvent) {
    guard let connection else { return }
    switch event {
    case .refused, .closed: self.connection = nil
    case .opened, .received: break
    }
    connection.receive(event)
  }

  func close(_ connection: Connection) {
    guard self.connection === connection else { return }
    self.connection = nil
    emit(.disconnect)
  }
}

// Time.

extension Environment {
  /// Does work after an interval, unless it is cancelled before.
  ///
  /// - Parameters:
  ///   - interval: After how long; at once, but not in this instant's order, for less than nothing.
  ///   - purpose: What the timer is for: the kit does not wait for those that keep a connection alive
  ///     or try again.
  ///   - work: What is done then.
  /// - Returns: What cancels it.
  @discardableResult
  public func schedule(
    after interval: Interval, purpose: TimerPurpose = .other,
    _ work: @escaping () throws -> Void
  ) -> DeferredTask {
    let id = agenda.add(work)
    emit(.setTimer(id, after: max(.zero, interval), purpose))
    return DeferredTask(id: id, environment: self)
  }

  /// Does work soon, in the same instant: what an SDK would post to a queue or a run loop.
  public func perform(_ work: @escaping () throws -> Void) { agenda.post(work) }

  func cancel(_ id: TimerID) {
    if agenda.remove(id) != nil { emit(.cancelTimer(id)) }
  }

  func fire(_ id: TimerID) {
    if let work = agenda.remove(id) { attempt(work) }
  }

  /// Does work of the SDK, and reports to the kit what it throws.
  func attempt(_ work: () throws -> Void) {
    do { try work() } catch { fail(uncaught: error) }
  }

  /// Does what belongs to one input, and then everything that can be done without time passing.
  func duringInput(_ work: () -> Void) {
    executor.duringInput {
      work()
      settle()
    }
    let escapes = executor.escapes
    if escapes > reportedEscapes {
      emit(.log("a task came from a thread that is not the kit's; give it the kit's executor"))
      reportedEscapes = escapes
    }
  }

  private func settle() {
    var turns = 0
    while turns < Self.maxSteps {
      turns += 1
      if let work = agenda.takePosted() {
        attempt(work)
      } else if !executor.runOne() {
        break
      }
    }
    if turns == Self.maxSteps {
      emit(.log("the SDK does not settle: \(turns) pieces of work in one instant"))
    }
  }
}

// The end of the process.

extension Environment {
  /// A number for ``atEnd(_:_:)``.
  func nextDeadline() -> Int {
    lastDeadline += 1
    return lastDeadline
  }

  /// Remembers how to wake something that waits, so that it does not wait for ever.
  func atEnd(_ number: Int, _ wake: @escaping () -> Void) { deadlines[number] = wake }

  func forget(_ deadline: Int) { deadlines[deadline] = nil }

  /// Ends what waits. What it does then is not looked at.
  func end() {
    guard !isFinished else { return }
    isFinished = true
    // It holds the SDK, and the SDK holds this.
    makeCall = { _, _ in }
    connection = nil
    agenda = DeferredWork()
    duringInput {
      for (_, wake) in deadlines.sorted(by: { $0.key < $1.key }) { wake() }
      deadlines = [:]
    }
  }
}

// What the glue reports to the kit as reported to the application.

extension Environment {
  /// A listener was called.
  public func raise(_ event: Event) { emit(.event(event)) }

  /// A listener was cancelled, because the server refused or revoked it (ACC-1).
  public func cancel(_ listener: ListenerID, _ error: ErrorCode) {
    emit(.cancelled(listener, error))
  }

  /// A call ended (WRT-10).
  public func complete(_ call: CallID, _ completion: Completion = .ok) {
    emit(.completed(call, completion))
  }

  /// A call has returned something at once: of a push the new key.
  public func answer(_ call: CallID, _ value: JSON) { emit(.answered(call, value)) }

  /// A call was refused at once, because of its arguments (ERR-1).
  public func refuse(_ call: CallID, _ error: ErrorCode) { emit(.threw(call, error)) }

  /// A transaction's function was called with this value (TXN-1).
  public func ranUpdate(_ call: CallID, input: JSON) { emit(.updateRan(call, input: input)) }

  /// The SDK threw an exception that neither it nor the glue has caught (ERR-14).
  public func fail(uncaught error: any Error) {
    emit(.uncaught(UncaughtException("\(error)", type: "\(type(of: error))")))
  }

  /// Something for the developer. Not compared.
  public func log(_ text: String) { emit(.log(text)) }
}
