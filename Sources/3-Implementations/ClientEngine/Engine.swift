package import ClientInterface
package import ReferenceClient
package import Tree
internal import Wire

/// What both SDKs are made of: a reference client with the machine around it.
///
/// It decides nothing about the data. It hands calls and messages to the client one at a time,
/// whatever thread they come from, carries out what the client does, and calls the application on
/// its queue in the order in which the client raised its events. Whatever the application calls
/// from there is one more input.
///
/// Unchecked: every stored property is used with `lock` taken, or never changes.
package final class Engine: @unchecked Sendable {
  package let profile: Profile
  /// Where the database is.
  package let address: DatabaseAddress
  package let platform: any Platform

  /// What is called when a call has ended, with what went wrong.
  package typealias EndBlock = (Completion, SyncError?) -> Void

  private let lock = SerialLock()
  private var client: ReferenceClient
  /// Inputs that came while one was handled: from the function of a transaction.
  private var waiting: ArraySlice<ClientInput> = []
  private var isHandling = false

  /// What the application waits with. A block may hold what holds this engine, so an engine that has
  /// ended has none, and takes none.
  private struct Blocks {
    var observations: [ListenerID: Observation] = [:]
    var completions: [CallID: EndBlock] = [:]
    var functions: [CallID: (Node) -> TransactionFunction.Run] = [:]
    /// What waits for the end of what has been written by then.
    var waiters: [(mark: ChangeMark, block: () -> Void)] = []
  }
  private var blocks: Blocks? = Blocks()
  /// Whether it has ended. Nobody who waits is called any more.
  private var isOver: Bool { blocks == nil }

  /// Listeners that are over, and of which the client knows something still.
  private var forgotten: [ListenerID] = []
  private var lastHandle: UInt = 0
  private var lastCall = 0

  private var keys = PushIDGenerator()
  private var random: RandomNumbers
  private var serverTimeOffset = 0.0

  /// Begins, and asks for a connection.
  ///
  /// - Parameters:
  ///   - settings: What it needs to know.
  ///   - platform: The machine.
  ///   - introduce: Receives the engine before it asks the machine for anything.
  package init(
    _ settings: EngineSettings, on platform: any Platform, introduce: (Engine) -> Void
  ) {
    profile = settings.profile
    address = settings.address
    self.platform = platform
    client = ReferenceClient(profile: settings.profile)
    // Another stream than the client's, which draws delays from its own.
    random = RandomNumbers(seed: settings.opening.seed ^ 0x6B65_7973)
    client.functionRunner = { [unowned self] call, node in
      blocks?.functions[call]?(node) ?? .ended(Completion(committed: false, value: node))
    }
    introduce(self)
    handle(.open(settings.opening))
  }

  /// Something happened: to the connection, or a timer is due.
  ///
  /// - Parameters:
  ///   - input: What happened.
  ///   - isCurrent: Whether it still counts, asked while nothing else is handled.
  package func handle(_ input: ClientInput, if isCurrent: () -> Bool = { true }) {
    lock.locked { if isCurrent() { take(input) } }
  }

  /// Ends as the process of a program does: nothing is stored, sent or reported any more.
  package func end() {
    // What ends with a block may call this engine, and finds it unlocked.
    var ended: Blocks?
    lock.locked {
      swap(&ended, &blocks)
      platform.end()
    }
  }

  private func take(_ input: ClientInput) {
    if isOver { return }
    waiting.append(input)
    if isHandling { return }
    isHandling = true
    while let next = waiting.popFirst() {
      var outputs: [ClientOutput] = []
      let wasSignedIn = client.isSignedIn
      client.handle(next, at: platform.now, into: &outputs)
      serverTimeOffset = client.serverTimeOffset
      for listener in forgotten { client.forgetSnapshot(of: listener) }
      forgotten = []
      platform.follow(next, outputs)
      for output in outputs { carryOut(output) }
      platform.commit()
      // What the application calls by itself it knows.
      let isCall = if case .call = next { true } else { false }
      if wasSignedIn, !client.isSignedIn, !isCall { platform.report(.signedOut) }
      callWaiters()
    }
    isHandling = false
  }

  private func carryOut(_ output: ClientOutput) {
    switch output.topic {
    case let .connect(host): platform.connect(to: host)
    case let .send(message): platform.send(message)
    case .disconnect: platform.disconnect()
    case let .timer(timer, (after, purpose)?): platform.setTimer(timer, after: after, purpose)
    case let .timer(timer, nil): platform.cancelTimer(timer)
    case let .listener(_, .event(event)): raise(event)
    case let .listener(listener, .cancelled(code)): cancel(listener, code)
    case let .call(call, .completed(completion)): complete(call, completion)
    case let .call(_, .threw(code)): platform.report(.refusedCall(SyncError(code, "a call")))
    case let .storage(key, text?): platform.store(text, as: key)
    case let .storage(key, nil): platform.erase(key)
    case let .remark(text): platform.log(text)
    // The application has seen the run itself; the others are never among the outputs here.
    case .call(_, .updateRan), .call(_, .answered), .nesting, .uncaught: break
    }
  }
}

// Waiting.

extension Engine {
  /// Calls a block when all writes and transactions that are pending now have ended, those of earlier
  /// processes included.
  package func whenWritten(_ block: @escaping () -> Void) {
    lock.locked {
      blocks?.waiters.append((client.mark, block))
      callWaiters()
    }
  }

  private func callWaiters() {
    while let next = blocks?.waiters.first, client.hasEnded(next.mark) {
      blocks?.waiters.removeFirst()
      platform.callBack { [self] in
        if !lock.locked({ isOver }) { next.block() }
      }
    }
  }
}

// What the application is called with.

extension Engine {
  private func raise(_ event: Event) {
    guard let observation = blocks?.observations[event.listener] else { return }
    if observation.lifetime != .untilRemoved { finish(observation, as: event.listener) }
    platform.callBack { [self] in
      if isDue(observation, as: event.listener) { observation.block(event) }
    }
  }

  private func cancel(_ listener: ListenerID, _ code: ErrorCode) {
    guard let observation = blocks?.observations[listener] else { return }
    finish(observation, as: listener)
    platform.callBack { [self] in
      if isDue(observation, as: listener) { observation.cancelBlock(SyncError(code)) }
    }
  }

  /// Nothing follows what is on its way now; until that is there it can still be removed.
  private func finish(_ observation: Observation, as listener: ListenerID) {
    observation.isOver = true
    forgotten.append(listener)
  }

  /// CBK-6: not if the application has removed it meanwhile.
  private func isDue(_ observation: Observation, as listener: ListenerID) -> Bool {
    lock.locked {
      if observation.isOver { blocks?.observations[listener] = nil }
      return !observation.isRemoved && !isOver
    }
  }

  private func complete(_ call: CallID, _ completion: Completion) {
    // Removed before it ends: what ends with it may call this engine.
    _ = blocks?.functions.removeValue(forKey: call)
    guard let block = blocks?.completions.removeValue(forKey: call) else { return }
    platform.callBack { [self] in
      if !lock.locked({ isOver }) { block(completion, completion.error.map { SyncError($0) }) }
    }
  }

  /// Reports that a call is refused, and has ended with that (ERR-1).
  ///
  /// - Parameters:
  ///   - error: Why.
  ///   - block: What waits for the end of the call.
  func refuse(_ error: SyncError, _ block: ((SyncError) -> Void)?) {
    platform.report(.refusedCall(error))
    guard let block else { return }
    platform.callBack { [self] in
      if !lock.locked({ isOver }) { block(error) }
    }
  }
}

// What the application calls.

extension Engine {
  /// Makes a call that ends with a completion, if at all.
  ///
  /// - Parameters:
  ///   - operation: The call.
  ///   - function: Of a transaction, what computes the new data; it runs on the calling thread, and
  ///     again on that of the connection.
  ///   - completion: Called on the application's queue when the server has answered.
  package func perform(
    _ operation: Operation, function: ((Node) -> TransactionFunction.Run)? = nil,
    completion: EndBlock? = nil
  ) {
    if let refusal = refusal(of: operation) {
      return refuse(
        refusal, completion.map { block in { block(Completion(error: $0.code), $0) } })
    }
    lock.locked {
      lastCall += 1
      let call = CallID(String(lastCall))
      blocks?.completions[call] = completion
      blocks?.functions[call] = function
      take(.call(call, operation))
    }
  }

  /// Signs a user in.
  package func signIn(_ token: String, then block: @escaping (SyncError?) -> Void) {
    perform(.authenticate(token: token), completion: { block($1) })
  }

  /// Signs the user out.
  package func signOut(then block: @escaping (SyncError?) -> Void) {
    perform(.unauthenticate, completion: { block($1) })
  }

  /// What went wrong last with what is to be kept.
  package var persistenceProblem: String? { lock.locked { platform.keepingProblem } }

  /// Begins to listen.
  ///
  /// - Returns: The handle; 0, which none has, for a listen that is refused.
  package func observe(_ observation: Observation) -> UInt {
    let target = observation.target
    if let refusal = refusal(of: .listen("", target, [observation.type])) {
      refuse(refusal, observation.cancelBlock)
      return 0
    }
    return lock.locked {
      lastHandle += 1
      let listener = ListenerID(String(lastHandle))
      blocks?.observations[listener] = observation
      let operation: Operation =
        switch observation.lifetime {
        case .untilRemoved: .listen(listener, target, [observation.type])
        case .once: .once(listener, target, observation.type)
        case .get: .get(listener, target)
        }
      take(.call("", operation))
      return lastHandle
    }
  }

  /// Ends observations, with an operation that removes listeners.
  func remove(_ operation: Operation) {
    guard refusal(of: operation) == nil, let change = operation.listenerChange else { return }
    lock.locked {
      let candidates =
        if case let .unlisten(listener, _) = operation {
          [listener]
        } else {
          blocks.map { Array($0.observations.keys) } ?? []
        }
      for listener in candidates {
        guard let observation = blocks?.observations[listener], observation.lifetime != .get,
          change.removes(listener, at: observation.target)
        else { continue }
        blocks?.observations.removeValue(forKey: listener)?.isRemoved = true
        forgotten.append(listener)
      }
      take(.call("", operation))
    }
  }

  /// A new key, in the order of time (PSH-2).
  package func makeKey() -> Key {
    lock.locked {
      keys.next(at: platform.now.milliseconds + serverTimeOffset, random: &random)
    }
  }

  /// Why a call cannot be made.
  private func refusal(of operation: Operation) -> SyncError? {
    Refusal.first(in: operation).map { refusal in
      let call = "\(operation.name) \(operation.path ?? .root)"
      return SyncError(refusal.code, refusal.reason.map { "\(call): \($0)" } ?? call)
    }
  }
}
