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

  private let lock = SerialLock()
  private var client: ReferenceClient
  /// Inputs that came while one was handled: from the function of a transaction.
  private var waiting: ArraySlice<ClientInput> = []
  private var isHandling = false
  /// Whether it has ended.
  private var isOver = false

  private var observations: [ListenerID: Observation] = [:]
  /// Listeners that are over, and of which the client knows something still.
  private var forgotten: [ListenerID] = []
  private var completions: [CallID: (Completion) -> Void] = [:]
  private var functions: [CallID: (Node) -> TransactionFunction.Run] = [:]
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
      functions[call]?(node) ?? .ended(Completion(committed: false, value: node))
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
    lock.locked {
      isOver = true
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
      client.handle(next, at: platform.now, into: &outputs)
      serverTimeOffset = client.serverTimeOffset
      for listener in forgotten { client.forgetSnapshot(of: listener) }
      forgotten = []
      for output in outputs { carryOut(output) }
      platform.commit()
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
    case let .call(_, .threw(code)): platform.refuse(Misuse(code, "a call"))
    case let .storage(key, text?): platform.store(text, as: key)
    case let .storage(key, nil): platform.erase(key)
    case let .remark(text): platform.log(text)
    // The application has seen the run itself; the others are never among the outputs here.
    case .call(_, .updateRan), .call(_, .answered), .nesting, .uncaught: break
    }
  }
}

// What the application is called with.

extension Engine {
  private func raise(_ event: Event) {
    guard let observation = observations[event.listener] else { return }
    if observation.lifetime != .untilRemoved { finish(observation, as: event.listener) }
    platform.callBack { [self] in
      if isDue(observation, as: event.listener) { observation.block(event) }
    }
  }

  private func cancel(_ listener: ListenerID, _ code: ErrorCode) {
    guard let observation = observations[listener] else { return }
    finish(observation, as: listener)
    platform.callBack { [self] in
      if isDue(observation, as: listener) { observation.cancelBlock(code) }
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
      if observation.isOver { observations[listener] = nil }
      return !observation.isRemoved && !isOver
    }
  }

  private func complete(_ call: CallID, _ completion: Completion) {
    functions[call] = nil
    guard let block = completions.removeValue(forKey: call) else { return }
    platform.callBack { [self] in
      if !lock.locked({ isOver }) { block(completion) }
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
    completion: ((Completion) -> Void)? = nil
  ) {
    guard check(operation) else { return }
    lock.locked {
      lastCall += 1
      let call = CallID(String(lastCall))
      if let completion { completions[call] = completion }
      if let function { functions[call] = function }
      take(.call(call, operation))
    }
  }

  /// Signs a user in.
  package func signIn(_ token: String, then block: @escaping (SyncError?) -> Void) {
    perform(.authenticate(token: token), completion: { block($0.error.map { SyncError($0) }) })
  }

  /// Signs the user out.
  package func signOut(then block: @escaping (SyncError?) -> Void) {
    perform(.unauthenticate, completion: { block($0.error.map { SyncError($0) }) })
  }

  /// Begins to listen.
  ///
  /// - Returns: The handle; 0, which none has, for a listen that is refused.
  package func observe(_ observation: Observation) -> UInt {
    let target = observation.target
    let trial = Operation.listen("", target, [observation.type])
    guard check(trial) else { return 0 }
    return lock.locked {
      lastHandle += 1
      let listener = ListenerID(String(lastHandle))
      observations[listener] = observation
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
    guard check(operation), let change = operation.listenerChange else { return }
    lock.locked {
      let candidates =
        if case let .unlisten(listener, _) = operation {
          [listener]
        } else {
          Array(observations.keys)
        }
      for listener in candidates {
        guard let observation = observations[listener], observation.lifetime != .get,
          change.removes(listener, at: observation.target)
        else { continue }
        observations.removeValue(forKey: listener)?.isRemoved = true
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

  /// Whether a call can be made; one that cannot is refused as a misuse.
  private func check(_ operation: Operation) -> Bool {
    guard let refusal = Refusal.first(in: operation) else { return true }
    platform.refuse(Misuse(refusal.code, "\(operation.name) \(operation.path ?? .root)"))
    return false
  }
}
