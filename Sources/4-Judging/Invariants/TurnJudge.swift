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
    if client.mayPause {
      doubts.add(.pausedWrites, of: .allEnded)
      return
    }
    let open = violations.count
    judge(SettledLaws.allEnded, client)
    if violations.count > open { return }
    for index in client.listeners.live where !client.listeners.all[index].isLocal {
      judge(SettledLaws.listeners, SettledListener(client, index))
    }
  }
}

/// Goes through one turn of a client, output by output: laws compare each with what came before it, and
/// then the model takes it.
struct TurnJudge {
  private let client: UnsafeMutablePointer<JudgedClient>
  private let turn: UnsafePointer<ClientStep>
  private let server: UnsafePointer<ServerModel>?
  /// Whether it is unknown what the client did because of what.
  private let isLoose: Bool
  private let judgesLaws: Bool
  private(set) var findings: Findings
  /// What is wrong with the messages of the turn.
  private(set) var wire: [(finding: WireFinding, sequence: Int)] = []

  /// Of a turn of which the application's half of the model knows all calls. The server is `nil` where
  /// it is not certain what it has.
  init(
    _ client: UnsafeMutablePointer<JudgedClient>, _ turn: UnsafePointer<ClientStep>,
    _ server: UnsafePointer<ServerModel>?, isLoose: Bool, judgesLaws: Bool,
    _ findings: consuming Findings
  ) {
    self.client = client
    self.turn = turn
    self.server = server
    self.isLoose = isLoose
    self.judgesLaws = judgesLaws
    self.findings = findings
  }

  private var occasion: TurnOccasion { TurnOccasion(client, turn) }

  private var now: Instant { Instant(nanoseconds: turn.pointee.time.nanoseconds) }

  mutating func run() {
    note(client.pointee.followWire(turn.pointee.input, at: now), at: turn.pointee.sequence)
    judgeAcknowledgements()
    guard client.pointee.application.isRunning else {
      for done in turn.pointee.outputs { followWire(done) }
      return
    }
    followOwnWrites()
    if judgesLaws { findings.judge(TurnLaws.reactions, occasion) }
    var fact = 0
    for done in turn.pointee.outputs {
      take(done)
      while fact < client.pointee.application.calls.facts.count,
        client.pointee.application.calls.facts[fact].sequence == done.sequence
      {
        if judgesLaws { judgeCall(client.pointee.application.calls.facts[fact]) }
        fact += 1
      }
      if judgesLaws { judgeLink(done) }
      client.pointee.application.followLink(done.output, in: turn.pointee)
    }
    settleMismatches()
    if judgesLaws, client.pointee.application.isSimpleTurn {
      if turn.pointee.ends { findings.judge(TurnLaws.ends, occasion) }
      findings.judge(TurnLaws.shown, occasion)
    }
    client.pointee.application.end()
  }

  private mutating func note(_ found: [WireFinding], at sequence: Int) {
    for finding in found { wire.append((finding, sequence)) }
  }

  private mutating func followWire(_ done: ClientStep.Done) {
    note(client.pointee.followWire(done.output, at: now), at: done.sequence)
  }

  /// What the application writes below a listen is all that the client may know there.
  private func followOwnWrites() {
    guard case let .call(call, _) = turn.pointee.input,
      let write = client.pointee.application.calls.requested.last?.write, write.call == call,
      write.number == turn.pointee.sequence
    else { return }
    for set in write.sets { client.pointee.monitor.wire.listens.write(at: set.path) }
  }

  private mutating func judgeAcknowledgements() {
    guard judgesLaws else { return }
    for fact in client.pointee.application.calls.facts {
      guard case let .ended(end) = fact.what else { continue }
      if isLoose, end.requested?.isTransaction ?? false { continue }
      findings.judge(CallLaws.acknowledged, CallOccasion(turn: occasion, fact: fact))
    }
  }

  private mutating func judgeCall(_ fact: CallFact) {
    findings.judge(CallLaws.all, CallOccasion(turn: occasion, fact: fact))
  }

  private mutating func judgeLink(_ done: ClientStep.Done) {
    switch done.output {
    case .connect, .connectTo, .setTimer:
      findings.judge(
        LinkLaws.all, LinkOccasion(turn: occasion, output: done.output, sequence: done.sequence))
    default: break
    }
  }

  private mutating func take(_ done: ClientStep.Done) {
    switch done.output {
    case let .event(event):
      let position = client.pointee.application.listeners.position(of: event.listener)
      if let position { take(event, at: position, done.sequence) }
    case let .cancelled(id, _):
      if let position = client.pointee.application.listeners.position(of: id) {
        if judgesLaws {
          findings.judge(
            CancellationLaws.all,
            CancellationOccasion(turn: occasion, index: position, sequence: done.sequence))
        }
        client.pointee.application.listeners.takeCancellation(at: position)
      }
    default: followWire(done)
    }
  }

  private mutating func take(_ event: Event, at index: Int, _ sequence: Int) {
    guard judgesLaws else {
      adoptMismatch(at: index, before: event)
      client.pointee.application.listeners.take(
        event, at: index, sequence, in: client.pointee.application.turn)
      return
    }
    let occasion = EventOccasion(
      turn: occasion, index: index, event: event, sequence: sequence, server: server)
    findings.judge(EventLaws.lifetimes, occasion)
    if occasion.listener.follows(event) {
      if event.type == .value {
        findings.judge(EventLaws.values, occasion)
        adoptMismatch(at: index, before: event)
        if occasion.listener.expects(event) { findings.judge(EventLaws.expectedValues, occasion) }
      } else {
        findings.judge(EventLaws.children, occasion)
      }
    }
    client.pointee.application.listeners.take(
      event, at: index, sequence, in: client.pointee.application.turn)
    findings.judge(EventLaws.truth, occasion)
  }

  /// Another value comes at a listener of which one is not explained: nothing that explains it will
  /// come any more.
  private mutating func adoptMismatch(at index: Int, before event: Event) {
    guard event.type == .value, client.pointee.application.listeners.all[index].mismatch != nil
    else { return }
    settleMismatch(at: index)
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
          turn: occasion, index: index, event: mismatch.event, sequence: mismatch.sequence,
          server: nil))
    }
    client.pointee.application.listeners.adoptMismatch(
      at: index, in: client.pointee.application.turn)
  }
}
