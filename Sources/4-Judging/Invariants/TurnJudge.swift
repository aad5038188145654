internal import ClientInterface
internal import RunModel
internal import Scenario
internal import Tree
internal import Wire
internal import WireMonitor

/// What laws have said.
struct Findings {
  var violations: [InvariantViolation] = []
  var doubts = Doubts()

  mutating func judge<Occasion>(_ law: Law<Occasion>, _ occasion: Occasion) {
    record(law.check(occasion), of: law)
  }

  mutating func judge<Occasion>(_ laws: [Law<Occasion>], _ occasion: Occasion) {
    for index in laws.indices {
      let judgement = laws[index].check(occasion)
      // Nearly always: then the law itself need not be copied.
      if case .holds = judgement { continue }
      record(judgement, of: laws[index])
    }
  }

  private mutating func record<Occasion>(_ judgement: Judgement, of law: Law<Occasion>) {
    switch judgement {
    case .holds: break
    case let .unknown(doubt): doubts.add(doubt, of: law.invariant)
    case let .violated(found):
      for violation in found {
        var new = InvariantViolation(
          law.invariant, violation.about, at: violation.evidence, violation.sentence)
        new.details = violation.details
        violations.append(new)
      }
    }
  }

  /// Judges a client that is connected in a settled run.
  mutating func judgeSettled(_ client: SettledOccasion) {
    guard client.isRunning else { return }
    let before = violations.count
    judge(SettledLaws.requestedAtAll, client)
    if violations.count > before { return }
    judge(SettledLaws.listens, client)
    let open = violations.count
    judge(SettledLaws.allEnded, client)
    if violations.count > open || client.mayPause { return }
    for index in client.listeners.indices
    where client.listeners[index].isLive && !client.listeners[index].isLocal {
      judge(SettledLaws.listeners, SettledListener(client, index))
    }
  }
}

/// Goes through one turn of a client, output by output: laws compare each with what came before it, and
/// then the model takes it.
struct TurnJudge {
  let client: UnsafeMutablePointer<JudgedClient>
  /// A turn of which the application's half of the model knows all calls.
  let turn: UnsafePointer<ClientStep>
  /// `nil` where it is not certain what the server has.
  let server: UnsafePointer<ServerModel>?
  /// Whether it is unknown what the client did because of what.
  let isLoose: Bool
  let judgesLaws: Bool
  var findings: Findings
  /// What is wrong with the messages of the turn.
  var wire: [(finding: WireFinding, sequence: Int)] = []

  private var occasion: TurnOccasion { TurnOccasion(judged: UnsafePointer(client), turn: turn) }

  private var now: Instant { Instant(nanoseconds: turn.pointee.time.nanoseconds) }

  /// `write` is the plain write with which the turn began.
  mutating func run(_ write: PlainWrite?) {
    note(client.pointee.followWire(turn.pointee.input, at: now), at: turn.pointee.sequence)
    judgeAcknowledgements()
    let count = turn.pointee.outputs.count
    guard client.pointee.application.isRunning else {
      for index in 0..<count { followWire(index) }
      return
    }
    // What the application writes below a listen is all that the client may know there.
    for set in write?.sets ?? [] { client.pointee.monitor.wire.listens.write(at: set.path) }
    if judgesLaws, client.pointee.application.reactions.missed != nil {
      findings.judge(TurnLaws.reactions, occasion)
    }
    var fact = 0
    for index in 0..<count {
      take(index)
      while fact < client.pointee.application.calls.facts.count,
        client.pointee.application.calls.facts[fact].sequence
          == turn.pointee.outputs[index].sequence
      {
        if judgesLaws { judgeCall(client.pointee.application.calls.facts[fact]) }
        fact += 1
      }
    }
    settleMismatches()
    if judgesLaws, client.pointee.application.isSimpleTurn { judgeWhole() }
    client.pointee.application.end()
  }

  private mutating func judgeWhole() {
    if turn.pointee.raisesAfterEnd { findings.judge(TurnLaws.ends, occasion) }
    if !client.pointee.application.calls.pending.isEmpty || turn.pointee.bringsMerge {
      findings.judge(TurnLaws.shown, occasion)
    }
  }

  private mutating func note(_ found: [WireFinding], at sequence: Int) {
    for finding in found { wire.append((finding, sequence)) }
  }

  private mutating func followWire(_ index: Int) {
    note(
      client.pointee.followWire(turn.pointee.outputs[index].output, at: now),
      at: turn.pointee.outputs[index].sequence)
  }

  private mutating func judgeAcknowledgements() {
    guard judgesLaws else { return }
    for fact in client.pointee.application.calls.facts {
      guard case let .ended(end) = fact.what else { continue }
      if isLoose, end.isOfTransaction { continue }
      findings.judge(CallLaws.acknowledged, CallOccasion(turn: occasion, fact: fact))
    }
  }

  private mutating func judgeCall(_ fact: CallFact) {
    findings.judge(CallLaws.all, CallOccasion(turn: occasion, fact: fact))
  }

  private mutating func take(_ index: Int) {
    let sequence = turn.pointee.outputs[index].sequence
    switch turn.pointee.outputs[index].output {
    case let .event(event):
      let position = client.pointee.application.listeners.positions[event.listener]
      if let position { take(event, at: position, sequence) }
    case let .cancelled(id, _):
      guard let position = client.pointee.application.listeners.positions[id] else { return }
      judge(receipt(of: nil, at: position, sequence))
      client.pointee.application.listeners.takeCancellation(at: position)
    case .connect, .connectTo, .setTimer, .disconnect, .cancelTimer:
      followWire(index)
      followLink(turn.pointee.outputs[index].output, sequence)
    default: followWire(index)
    }
  }

  private mutating func followLink(_ output: ClientOutput, _ sequence: Int) {
    if judgesLaws {
      findings.judge(
        LinkLaws.all, LinkOccasion(turn: occasion, output: output, sequence: sequence))
    }
    client.pointee.application.followLink(output, in: turn.pointee)
  }

  private func receipt(of event: Event?, at index: Int, _ sequence: Int) -> ReceiptOccasion {
    ReceiptOccasion(turn: occasion, index: index, event: event, sequence: sequence)
  }

  private mutating func judge(_ receipt: ReceiptOccasion) {
    if judgesLaws { findings.judge(EventLaws.lifetimes, receipt) }
  }

  private mutating func take(_ event: Event, at index: Int, _ sequence: Int) {
    let receipt = receipt(of: event, at: index, sequence)
    let occasion = EventOccasion(receipt: receipt, event: event, server: server)
    let isFollowed = client.pointee.application.listeners.all[index].follows(event)
    if !isFollowed {
      judge(receipt)
    } else if event.type == .value {
      takeValue(occasion)
    } else if judgesLaws {
      findings.judge(EventLaws.children, occasion)
    }
    client.pointee.application.listeners.take(
      event, at: index, sequence, in: client.pointee.application.turn)
    if judgesLaws { findings.judge(EventLaws.truth, occasion) }
  }

  private mutating func takeValue(_ occasion: EventOccasion) {
    if judgesLaws { findings.judge(EventLaws.values, occasion) }
    // Another value comes at a listener of which one is not explained: nothing that explains it will
    // come any more.
    if occasion.listener.mismatch != nil { settleMismatch(at: occasion.receipt.index) }
    if judgesLaws, occasion.listener.reportsAll, occasion.listener.expects(occasion.event) {
      findings.judge(EventLaws.expectedValues, occasion)
    }
  }

  private mutating func settleMismatches() {
    for index in client.pointee.application.listeners.touched
    where client.pointee.application.listeners.all[index].mismatch != nil {
      settleMismatch(at: index)
    }
  }

  private mutating func settleMismatch(at index: Int) {
    guard let mismatch = client.pointee.application.listeners.all[index].mismatch else { return }
    if judgesLaws {
      findings.judge(
        EventLaws.unexpectedValues,
        EventOccasion(
          receipt: receipt(of: mismatch.event, at: index, mismatch.sequence), event: mismatch.event,
          server: nil))
    }
    client.pointee.application.listeners.adoptMismatch(
      at: index, in: client.pointee.application.turn)
  }
}
