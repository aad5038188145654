internal import ClientInterface
internal import RunModel
internal import Scenario
internal import Trace
internal import Tree
internal import Wire

/// What is known of one client of a run: from its application, and from its messages.
struct JudgedClient {
  var application: ApplicationModel
  /// Judges the messages of the present process, and knows its requests and listens.
  var monitor: WireMonitor
  /// What keys are made of: how far the server's clock is ahead, as its last hello showed, and the time
  /// in the last key, in milliseconds.
  var keys: (offset: Double?, last: Double?) = (nil, nil)
  /// What the server has with many pending writes on top.
  var laid = LaidWrites()
  /// The get that the server answers in this turn, with what it has.
  var answered: (get: Request, data: Node)?

  init(_ profile: Profile) {
    application = ApplicationModel(profile)
    monitor = Self.monitor(profile)
  }

  static func monitor(_ profile: Profile) -> WireMonitor {
    WireMonitor(profile.dialect, seenBy: .client, reportsAdvice: false)
  }
}

extension UnsafePointer<JudgedClient> {
  var calls: UnsafePointer<Calls> {
    withUnsafeMutablePointer(
      to: &UnsafeMutablePointer(mutating: self).pointee.application.calls
    ) { UnsafePointer<Calls>($0) }
  }

  /// Where the listens are.
  var listens: UnsafePointer<Listens> {
    withUnsafeMutablePointer(
      to: &UnsafeMutablePointer(mutating: self).pointee.monitor.wire.listens
    ) { UnsafePointer<Listens>($0) }
  }

  /// Whether a listen serves a listener, what is kept synchronised, or a transaction that waits, or may
  /// have been dropped where a revocation crossed it.
  ///
  /// Asked of the parts of the model, where they are: to ask the whole would copy it.
  func needs(_ listen: Listens.Entry) -> Bool {
    if listen.isCrossed { return true }
    let served = pointee.application.listeners.all.first(.at, listen.path) {
      pointee.application.listeners.all[$0].isLive
        && listen.isFor(pointee.application.listeners.all[$0].target)
    }
    return served != nil
      || pointee.application.synchronized.contains(where: listen.isFor)
      || listen.filter == nil
        && pointee.application.calls.openTransactions.contains { $0.path == listen.path }
  }
}

/// A turn of a client that is judged, where the model of it is: nothing of a run is copied to judge
/// it.
struct TurnOccasion {
  // The pointers are valid while the occasion is.
  let judged: UnsafePointer<JudgedClient>
  let turn: UnsafePointer<ClientStep>

  // Each yields the part itself: a part of what is yielded would be copied.
  var calls: Calls { _read { yield judged.pointee.application.calls } }
  var listeners: PathList<Listener> { _read { yield judged.pointee.application.listeners.all } }
  var listens: UnsafePointer<Listens> { judged.listens }
  var link: Link { _read { yield judged.pointee.application.link } }
  var step: ClientStep { _read { yield turn.pointee } }
  var context: TurnContext { judged.pointee.application.listeners.turn }
  var touched: [Int] { judged.pointee.application.listeners.touched }
  var positions: NameTable<ListenerID> {
    _read { yield judged.pointee.application.listeners.positions }
  }
  var lastUndoing: Int { judged.pointee.application.listeners.lastUndoing }
  /// What the server has with many pending writes on top, as it was worked out for an event of the turn.
  var laid: Node? { judged.pointee.laid.tree(in: turn.pointee.sequence) }
  var persists: Bool { judged.pointee.application.persists }
  var client: ClientIndex { turn.pointee.client }
  var profile: Profile { judged.pointee.application.profile }
}

/// What reaches a listener, which the model has not taken yet.
struct ReceiptOccasion {
  let turn: TurnOccasion
  /// The position of the listener.
  let index: Int
  /// The event; `nil` where the server ends the listener.
  let event: Event?
  /// The event of the trace.
  let sequence: Int

  var listener: Listener { _read { yield turn.listeners[index] } }

  func violated(_ sentence: String) -> Judgement {
    .violated(.listener(turn.client, listener.id, listener.target), at: sequence, sentence)
  }
}

/// An event at a listener, which the model has not taken yet.
struct EventOccasion {
  let turn: TurnOccasion
  /// The position of the listener.
  let index: Int
  let event: Event
  /// The event of the trace.
  let sequence: Int
  /// What the server has had; `nil` where that is not certain.
  let server: UnsafePointer<ServerModel>?
  /// Of a value event that child events have led to: the keys of the children in their order, as
  /// far as that is known.
  var keys: [Key]?

  var listener: Listener { _read { yield turn.listeners[index] } }
  var context: TurnContext { turn.context }

  func violated(_ sentence: String, at evidence: Int? = nil) -> Judgement {
    .violated(
      .listener(turn.client, listener.id, listener.target), at: evidence ?? sequence, sentence)
  }
}

/// Goes through one turn of a client, output by output: laws compare each with what came before it, and
/// then the model takes it. All of it is where it stays: to judge copies nothing of a run.
struct TurnJudge {
  let client: UnsafeMutablePointer<JudgedClient>
  /// A turn of which the application's half of the model knows all calls.
  let turn: UnsafePointer<ClientStep>
  /// `nil` where it is not certain what the server has.
  let server: UnsafePointer<ServerModel>?
  let findings: UnsafeMutablePointer<Findings>
  /// Whether it is unknown what the client did because of what.
  let isLoose: Bool
  /// What the client's clock shows; `nil` where that is not known.
  let clock: Instant?

  private var occasion: TurnOccasion { TurnOccasion(judged: UnsafePointer(client), turn: turn) }

  private var now: Instant { Instant(nanoseconds: turn.pointee.time.nanoseconds) }

  func run() {
    followInput()
    judgeFacts(at: nil)
    let isRunning = client.pointee.application.isRunning
    if isRunning {
      // What the application writes below a listen is all that the client may know there.
      for set in client.pointee.application.calls.begun {
        client.pointee.monitor.wire.listens.write(at: set.path)
      }
      findings.pointee.judge(TurnLaws.reactions, occasion)
    }
    for index in 0..<turn.pointee.outputs.count {
      let sequence = turn.pointee.outputs[index].sequence
      followWire(index, sequence)
      if !isRunning { continue }
      take(index, sequence)
      judgeFacts(at: sequence)
    }
    if isRunning { end() }
  }

  private func end() {
    for index in client.pointee.application.listeners.touched { settleMismatch(at: index) }
    if client.pointee.application.isSimpleTurn {
      if turn.pointee.effects.raisesAfterEnd { findings.pointee.judge(TurnLaws.ends, occasion) }
      if !client.pointee.application.calls.pending.isEmpty || turn.pointee.subject == .merge {
        findings.pointee.judge(TurnLaws.shown, occasion)
      }
    }
    client.pointee.application.end()
    // What no listener needs may be given up.
    if client.pointee.monitor.wire.listens.hasLost {
      client.pointee.monitor.wire.listens.giveUp { !occasion.judged.needs($0) }
    }
  }

  private func layWrites() {
    guard client.pointee.application.calls.pending.count >= LaidWrites.usefulCount, let server
    else { return }
    client.pointee.laid.follow(
      UnsafePointer(client).calls, over: server, in: turn.pointee.sequence)
  }

  /// Judges what became of calls: at an output or, before all of them, what was acknowledged that
  /// the server has not accepted.
  private func judgeFacts(at sequence: Int?) {
    if client.pointee.application.calls.facts.isEmpty { return }
    for fact in client.pointee.application.calls.facts {
      if case let .unaccepted(_, isOfTransaction) = fact.what {
        if sequence != nil || isOfTransaction && isLoose { continue }
      } else if fact.sequence != sequence {
        continue
      }
      findings.pointee.judge(CallLaws.all, CallOccasion(turn: occasion, fact: fact))
    }
  }
}

// MARK: - Messages

extension TurnJudge {
  private func followInput() {
    client.pointee.answered = nil
    switch turn.pointee.input {
    case .open:
      client.pointee.monitor = JudgedClient.monitor(client.pointee.application.profile)
      client.pointee.keys = (nil, nil)
    case .opened: client.pointee.monitor.opened()
    case let .frame(message):
      if case let .hello(hello) = message {
        client.pointee.keys.offset = clock.map { hello.timestamp - $0.milliseconds }
      } else if case let .response(response) = message, response.status == "ok",
        case let .request(request)? = client.pointee.monitor.wire.requests[response.request]?
          .subject,
        request.got != nil
      {
        client.pointee.answered = (request, Node(json: response.payload))
      }
      add(client.pointee.monitor.received(message, at: now), at: turn.pointee.sequence)
    case .closed, .refused, .close:
      add(client.pointee.monitor.ended(at: now), at: turn.pointee.sequence)
    case .call, .timer: client.pointee.monitor.interrupted()
    }
  }

  private func followWire(_ index: Int, _ sequence: Int) {
    switch turn.pointee.outputs[index].output.topic {
    case .connect: add(client.pointee.monitor.connecting(), at: sequence)
    case .disconnect: add(client.pointee.monitor.ended(at: now), at: sequence)
    case let .send(message):
      judgeRestored(message, at: sequence)
      judgeVouching(message, at: sequence)
      add(client.pointee.monitor.sent(message, at: now), at: sequence)
    case .timer, .storage, .listener, .call, .nesting, .uncaught, .remark: break
    }
  }

  private func judgeRestored(_ message: ClientMessage, at sequence: Int) {
    guard case let .request(_, .listen(listen)) = message, !listen.hash.isEmpty,
      let data = occasion.listens.pointee.claim(at: listen.path, listen.query)
    else { return }
    findings.pointee.judge(
      ListenLaws.restoredClaim,
      ListenOccasion(turn: occasion, listen: listen, sequence: sequence, data: data))
  }

  private func judgeVouching(_ message: ClientMessage, at sequence: Int) {
    guard case let .request(number, .put(path, _, hash?)) = message,
      let data = client.pointee.monitor.wire.listens.data(at: path)
    else { return }
    findings.pointee.judge(
      VouchingLaws.sentHash,
      VouchingOccasion(
        turn: occasion, number: number, path: path, hash: hash, sequence: sequence, data: data))
  }

  private func add(_ found: [WireFinding], at sequence: Int) {
    if !found.isEmpty { findings.pointee.add(found, of: turn.pointee.client, at: sequence) }
  }
}

// MARK: - What the application receives

extension TurnJudge {
  private func take(_ index: Int, _ sequence: Int) {
    switch turn.pointee.outputs[index].output.topic {
    case let .listener(id, receipt):
      guard let position = client.pointee.application.listeners.positions[id] else { return }
      switch receipt {
      case let .event(event): take(event, at: position, sequence)
      case .cancelled:
        judgeLifetime(nil, at: position, sequence)
        client.pointee.application.listeners.takeCancellation(at: position)
      }
    case .connect: followLink(index, LinkLaws.staysOffline)
    case .timer(_, _?): followLink(index, LinkLaws.boundedBackOff)
    case .disconnect, .timer:
      client.pointee.application.link.take(turn.pointee.outputs[index].output)
    case let .call(call, .answered(answer)): judgeKey(answer, of: call, sequence)
    case .send, .storage, .call, .nesting, .uncaught, .remark: break
    }
  }

  private func judgeKey(_ answer: JSON, of call: CallID, _ sequence: Int) {
    guard case .push? = occasion.calls.operation(of: call),
      let key = answer.string
    else { return }
    let keys = client.pointee.keys
    client.pointee.keys.last = KeyLaws.pushIDTime(in: key) ?? keys.last
    guard let clock, !turn.pointee.isSplit else { return }
    findings.pointee.judge(
      KeyLaws.timeInKey,
      KeyOccasion(
        turn: occasion, call: call, key: key, sequence: sequence, clock: clock.milliseconds,
        offset: keys.offset, last: keys.last))
  }

  private func followLink(_ index: Int, _ law: borrowing Law<LinkOccasion>) {
    let done = turn.pointee.outputs[index]
    findings.pointee.judge(law, LinkOccasion(turn: occasion, done: done))
    client.pointee.application.link.take(done.output)
  }

  /// `event` is `nil` where the server ends the listener.
  private func judgeLifetime(_ event: Event?, at index: Int, _ sequence: Int) {
    findings.pointee.judge(
      EventLaws.lifetimes,
      ReceiptOccasion(turn: occasion, index: index, event: event, sequence: sequence))
  }

  private func take(_ event: Event, at index: Int, _ sequence: Int) {
    var occasion = EventOccasion(
      turn: occasion, index: index, event: event, sequence: sequence, server: server)
    var keys: [Key]??
    if !client.pointee.application.listeners.receive(event, at: index) {
      judgeLifetime(event, at: index, sequence)
      findings.pointee.judge(EventLaws.answerOfServer, occasion)
    } else {
      switch event.type {
      case .value: keys = judgeValue(&occasion)
      case .childAdded: findings.pointee.judge(EventLaws.additions, occasion)
      case .childRemoved: findings.pointee.judge(EventLaws.removals, occasion)
      case .childChanged, .childMoved: findings.pointee.judge(EventLaws.changes, occasion)
      }
    }
    client.pointee.application.listeners.take(event, at: index, sequence, keys: keys)
    layWrites()
    findings.pointee.judge(EventLaws.truth, occasion)
  }

  /// - Returns: The keys of the children in their order, as far as that is known, of a value event that
  ///   shows what child events add up to, at a listener that receives all kinds.
  private func judgeValue(_ occasion: inout EventOccasion) -> [Key]?? {
    if occasion.listener.isLocal {
      findings.pointee.judge(EventLaws.connectedAlternates, occasion)
    }
    findings.pointee.judge(EventLaws.values, occasion)
    if occasion.listener.target.query.filters {
      findings.pointee.judge(EventLaws.windows, occasion)
    }
    // Another value comes at a listener of which one is not explained: nothing that explains it will
    // come any more.
    settleMismatch(at: occasion.index)
    guard occasion.listener.reportsAll,
      occasion.listener.isInconsistent
        || occasion.listener.children == occasion.event.value.children
    else { return nil }
    occasion.keys = occasion.event.keys(
      ordered: occasion.listener.target.query.ordering, in: occasion.turn.profile)
    findings.pointee.judge(EventLaws.expectedValues, occasion)
    return .some(occasion.keys)
  }

  private func settleMismatch(at index: Int) {
    guard let mismatch = client.pointee.application.listeners.all[index].mismatch else { return }
    findings.pointee.judge(
      EventLaws.unexpectedValues,
      EventOccasion(
        turn: occasion, index: index, event: mismatch.event, sequence: mismatch.sequence,
        server: nil))
    client.pointee.application.listeners.adoptMismatch(at: index)
  }
}
