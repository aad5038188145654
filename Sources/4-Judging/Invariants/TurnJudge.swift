internal import ClientInterface
internal import RunModel
internal import Scenario
internal import Trace
internal import Tree
internal import Wire
internal import WireMonitor

/// What is known of one client of a run: from its application, and from its messages.
struct JudgedClient {
  var application: ApplicationModel
  /// Judges the messages of the present process, and knows its requests and listens.
  var monitor: WireMonitor

  init(_ profile: Profile) {
    application = ApplicationModel(profile)
    monitor = Self.monitor(profile)
  }

  static func monitor(_ profile: Profile) -> WireMonitor {
    WireMonitor(profile.dialect, seenBy: .client, reportsAdvice: false)
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
  var listens: Listens { _read { yield judged.pointee.monitor.wire.listens } }
  var link: Link { _read { yield judged.pointee.application.link } }
  var step: ClientStep { _read { yield turn.pointee } }
  var context: TurnContext { judged.pointee.application.listeners.turn }
  var touched: [Int] { judged.pointee.application.listeners.touched }
  var positions: [ListenerID: Int] { judged.pointee.application.listeners.positions }
  var lastUndoing: Int { judged.pointee.application.listeners.lastUndoing }
  var persists: Bool { judged.pointee.application.persists }
  var client: ClientIndex { turn.pointee.client }
  var profile: Profile { judged.pointee.application.profile }
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
  let findings: UnsafeMutablePointer<Findings>

  var listener: Listener { _read { yield turn.listeners[index] } }
  var context: TurnContext { turn.context }

  func violated(
    _ invariant: Invariant, _ sentence: String, at evidence: Int? = nil
  ) -> Judgement {
    .violated(
      invariant, .listener(turn.client, listener.id, listener.target), at: evidence ?? sequence,
      sentence)
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
  let judgesLaws: Bool

  private var occasion: TurnOccasion { TurnOccasion(judged: UnsafePointer(client), turn: turn) }

  private var now: Instant { Instant(nanoseconds: turn.pointee.time.nanoseconds) }

  /// `write` is the plain write with which the turn began.
  func run(_ write: PlainWrite?) {
    followInput()
    judgeFacts { $0.isLoss(ofTransactions: !isLoose) }
    let isRunning = client.pointee.application.isRunning
    if isRunning { begin(write) }
    for index in 0..<turn.pointee.outputs.count {
      let sequence = turn.pointee.outputs[index].sequence
      followWire(index, sequence)
      if !isRunning { continue }
      take(index, sequence)
      judgeFacts { $0.sequence == sequence && !$0.isLoss(ofTransactions: true) }
    }
    if isRunning { end() }
  }

  private func begin(_ write: PlainWrite?) {
    // What the application writes below a listen is all that the client may know there.
    if let write {
      for set in write.sets { client.pointee.monitor.wire.listens.write(at: set.path) }
    }
    if judgesLaws, let (missing, sequence) = client.pointee.application.reactions.missed {
      findings.pointee.add(
        .violated(
          .madeInCallback, .call(turn.pointee.client, missing.id, missing.operation), at: sequence,
          "the callback came, but \(missing.id.name) was not called from inside it"))
    }
  }

  private func end() {
    for index in client.pointee.application.listeners.touched { settleMismatch(at: index) }
    if judgesLaws, client.pointee.application.isSimpleTurn {
      if turn.pointee.effects.raisesAfterEnd {
        findings.pointee.add(occasion.judgeEnds())
      }
      if !client.pointee.application.calls.pending.isEmpty || turn.pointee.subject == .merge {
        occasion.judgeShown(into: &findings.pointee)
      }
    }
    client.pointee.application.end()
  }

  /// Judges what became of calls.
  private func judgeFacts(where isMeant: (CallFact) -> Bool) {
    if !judgesLaws || client.pointee.application.calls.facts.isEmpty { return }
    for fact in client.pointee.application.calls.facts where isMeant(fact) {
      findings.pointee.add(occasion.judge(fact))
    }
  }
}

extension CallFact {
  /// Whether something was acknowledged that the server has not accepted.
  fileprivate func isLoss(ofTransactions countsTransactions: Bool) -> Bool {
    if case let .unaccepted(_, isOfTransaction) = what {
      countsTransactions || !isOfTransaction
    } else {
      false
    }
  }
}

// MARK: - Messages

extension TurnJudge {
  private func followInput() {
    switch turn.pointee.input {
    case .open:
      client.pointee.monitor = JudgedClient.monitor(client.pointee.application.profile)
    case .opened: client.pointee.monitor.opened()
    case let .frame(message):
      add(client.pointee.monitor.received(message, at: now), at: turn.pointee.sequence)
    case .closed, .refused, .close:
      add(client.pointee.monitor.ended(at: now), at: turn.pointee.sequence)
    case .call, .timer: client.pointee.monitor.interrupted()
    }
  }

  private func followWire(_ index: Int, _ sequence: Int) {
    switch turn.pointee.outputs[index].output {
    case .connect, .connectTo: add(client.pointee.monitor.connecting(), at: sequence)
    case .disconnect: add(client.pointee.monitor.ended(at: now), at: sequence)
    case let .send(message): add(client.pointee.monitor.sent(message, at: now), at: sequence)
    case .setTimer, .cancelTimer, .event, .cancelled, .completed, .answered, .threw, .updateRan,
      .calling, .returned, .store, .erase, .uncaught, .log:
      break
    }
  }

  private func add(_ found: [WireFinding], at sequence: Int) {
    if !found.isEmpty { findings.pointee.add(found, of: turn.pointee.client, at: sequence) }
  }
}

// MARK: - What the application receives

extension TurnJudge {
  private func take(_ index: Int, _ sequence: Int) {
    switch turn.pointee.outputs[index].output {
    case let .event(event):
      let position = client.pointee.application.listeners.positions[event.listener]
      if let position { take(event, at: position, sequence) }
    case let .cancelled(id, _):
      guard let position = client.pointee.application.listeners.positions[id] else { return }
      if judgesLaws {
        findings.pointee.add(occasion.judgeLifetime(nil, at: position, sequence))
      }
      client.pointee.application.listeners.takeCancellation(at: position)
    case .connect, .connectTo, .setTimer, .disconnect, .cancelTimer:
      followLink(turn.pointee.outputs[index].output, sequence)
    case .send, .completed, .answered, .threw, .updateRan, .calling, .returned, .store, .erase,
      .uncaught, .log:
      break
    }
  }

  private func followLink(_ output: ClientOutput, _ sequence: Int) {
    if judgesLaws { findings.pointee.add(occasion.judge(output, at: sequence)) }
    client.pointee.application.link.take(output)
  }

  private func take(_ event: Event, at index: Int, _ sequence: Int) {
    let occasion = EventOccasion(
      turn: occasion, index: index, event: event, sequence: sequence, server: server,
      findings: findings)
    var keys: [Key]??
    if !client.pointee.application.listeners.receive(event, at: index) {
      if judgesLaws {
        findings.pointee.add(occasion.turn.judgeLifetime(event, at: index, sequence))
      }
    } else if event.type == .value {
      keys = judgeValue(occasion)
    } else if judgesLaws {
      occasion.judgeChild()
    }
    client.pointee.application.listeners.take(event, at: index, sequence, keys: keys)
    if judgesLaws { findings.pointee.add(occasion.judgeTruth()) }
  }

  /// - Returns: The keys of the children in their order, as far as that is known, of a value event that
  ///   shows what child events add up to, at a listener that receives all kinds.
  private func judgeValue(_ occasion: EventOccasion) -> [Key]?? {
    if judgesLaws { occasion.judgeValue() }
    // Another value comes at a listener of which one is not explained: nothing that explains it will
    // come any more.
    settleMismatch(at: occasion.index)
    guard occasion.listener.reportsAll,
      occasion.listener.isInconsistent
        || occasion.listener.children == occasion.event.value.children
    else { return nil }
    let keys = occasion.event.keys(
      ordered: occasion.listener.target.query.ordering, in: occasion.turn.profile)
    if judgesLaws { occasion.judgeOrder(keys) }
    return .some(keys)
  }

  private func settleMismatch(at index: Int) {
    guard let mismatch = client.pointee.application.listeners.all[index].mismatch else { return }
    if judgesLaws {
      EventOccasion(
        turn: occasion, index: index, event: mismatch.event, sequence: mismatch.sequence,
        server: nil, findings: findings
      ).judgeUnexpected()
    }
    client.pointee.application.listeners.adoptMismatch(at: index)
  }
}
