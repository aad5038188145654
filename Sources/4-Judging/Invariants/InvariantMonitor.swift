package import ClientInterface
package import RunModel
internal import Scenario
package import Trace
package import Tree
internal import Wire
package import WireMonitor

/// Follows a run by its trace, and asks the laws about each event, each turn, and what is true when the
/// run has settled.
///
/// One pass, over one model of the run. What a client sends is judged by the monitor of the wire as
/// well. Each invariant is reported once for each listener, call or client.
package struct InvariantMonitor {
  /// Whether laws are asked. Messages are judged anyway.
  package var judgesLaws = true
  private var clients: [JudgedClient]
  private var server: ServerModel
  private var turns = TurnReader()
  private var findings = Findings()
  private var position = 0
  private var reported: Set<Reported> = []
  /// What broke an invariant that the monitor of the wire judges, since it was last asked for.
  private var wireViolations: [InvariantViolation] = []
  /// What was found on the wire whatever else is wrong, since it was last asked for.
  private var breaches: [WireBreach] = []
  private let profile: Profile
  /// Whether it is unknown what a client did because of what: it has a clock of its own.
  private var isLoose = false

  private enum Reported: Hashable {
    case invariant(Int, InvariantViolation.About)
    case check(WireCheck, ClientIndex)
  }

  /// Something that no client, or no server, may do on a connection.
  package struct WireBreach {
    package let client: ClientIndex
    package let finding: WireFinding
    /// The event of the trace.
    package let sequence: Int
  }

  package init(clients count: Int, profile: Profile, data: Node) {
    self.profile = profile
    clients = Array(repeating: JudgedClient(profile), count: count)
    server = ServerModel(data: data)
  }

  /// Hands out the invariants that were found broken since the last call: those of the wire first.
  package mutating func takeFindings() -> [InvariantViolation] {
    if wireViolations.isEmpty, findings.violations.isEmpty { return [] }
    defer { (wireViolations, findings.violations) = ([], []) }
    return wireViolations + findings.violations
  }

  /// Hands out what was found on the wire since the last call.
  package mutating func takeBreaches() -> [WireBreach] {
    if breaches.isEmpty { return [] }
    defer { breaches = [] }
    return breaches
  }

  /// How often laws said nothing so far, and why.
  package var doubts: Doubts { findings.doubts }
}

// MARK: - Reading

extension InvariantMonitor {
  /// Takes what was added to the trace since the last call. All turns in it are complete.
  /// `wrongTimes` has the times that clients were given where they were wrong, by the event.
  package mutating func read(_ trace: Trace, wrongTimes: [Int: Instant] = [:]) {
    trace.events.forEach(from: position) { event in
      if let step = take(event, of: trace, wrongTimes: wrongTimes) { turns.reuse(step) }
    }
    if let step = finish() { turns.reuse(step) }
  }

  /// Takes the next event of a trace.
  ///
  /// - Returns: The turn that was over before it, which has been judged.
  package mutating func take(
    _ event: UnsafePointer<TraceEvent>, of trace: Trace, wrongTimes: [Int: Instant]
  ) -> ClientStep? {
    position = event.pointee.sequence + 1
    let step = turns.take(event, of: trace, wrongTimes: wrongTimes)
    if let step { judge(step) }
    follow(event)
    return step
  }

  /// Ends the present turn, as all that was added to the trace has been taken.
  package mutating func finish() -> ClientStep? {
    let step = turns.finish()
    if let step { judge(step) }
    return step
  }

  /// Takes the list of a turn that is needed no more.
  package mutating func reuse(_ step: consuming ClientStep) { turns.reuse(step) }

  /// Takes what was added to a trace in which it is unknown what a client did because of what: each
  /// thing that it did stands for itself.
  package mutating func readLoosely(_ trace: Trace) {
    isLoose = true
    trace.events.forEach(from: position) { event in
      if case let .output(client, _) = event.pointee.kind {
        let opening = ClientStep(
          client, .timer(TimerID(-1)), sequence: event.pointee.sequence, time: event.pointee.time)
        if let step = turns.begin(opening) { judge(step) }
      }
      _ = take(event, of: trace, wrongTimes: [:])
    }
    _ = finish()
  }

  /// Takes what an event says of the server.
  private mutating func follow(_ event: UnsafePointer<TraceEvent>) {
    switch event.pointee.kind {
    case let .serverSent(client, .response(response)):
      judge(response, to: client, at: event.pointee.sequence)
    case let .serverSent(client, .credentialRevoked):
      if has(client) { clients[client.number].application.calls.loseCredential() }
    case let .serverOpened(client, _), let .serverClosed(client, _):
      if has(client) { clients[client.number].application.calls.beginConnection() }
    case .step, .input, .output, .lostToServer, .lostToClient: return
    case .serverReceived, .serverSent, .serverWrite, .serverUpdate, .fault: break
    }
    server.take(event)
  }

  private func has(_ client: ClientIndex) -> Bool { clients.indices.contains(client.number) }
}

// MARK: - Judging

extension InvariantMonitor {
  /// Judges what the server makes of a request, before it changes the data.
  private mutating func judge(
    _ response: ServerMessage.Response, to client: ClientIndex, at sequence: Int
  ) {
    guard has(client), let request = server.request(answeredBy: response, to: client) else {
      return
    }
    let isDone = response.status == "ok"
    switch request {
    case .put, .merge:
      if isDone || response.status == "datastale" {
        judge(request, response.request, isDone: isDone, of: client, at: sequence)
      }
    case .authenticate:
      if !isDone { clients[client.number].application.calls.loseCredential() }
    case .listen, .unlisten, .get, .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel,
      .stats, .unauthenticate:
      break
    }
  }

  /// Judges a write that the server accepts, or refuses as stale.
  private mutating func judge(
    _ request: Request, _ number: Int, isDone: Bool, of client: ClientIndex, at sequence: Int
  ) {
    let isPlain = request.isPlainWrite
    if !isPlain, isLoose { return }
    let states = server.isCertain ? server.states : []
    let credential = server.credential(of: client)
    var acceptance: Acceptance?
    if isDone {
      acceptance = clients[client.number].application.calls.accept(
        request, number, over: states.last, profile.arrays, as: credential)
    }
    if !judgesLaws || isPlain && credential != nil && acceptance?.isUsual ?? false { return }
    let before = findings.violations.count
    var findings = takeOutFindings()
    withUnsafePointer(to: &clients[client.number]) { judged in
      let occasion = AnswerOccasion(
        judged: judged, client: client, request: request, number: number, acceptance: acceptance,
        states: states, credential: credential, sequence: sequence)
      if !isDone {
        findings.judge(AcceptanceLaws.hashOfInput, occasion)
      } else {
        findings.judge(
          isPlain ? AcceptanceLaws.plainWrites : AcceptanceLaws.transactions, occasion)
      }
    }
    self.findings = findings
    dropRepeated(from: before)
  }

  /// Takes the findings out, to be added to and put back: laws look at the rest of the monitor
  /// meanwhile.
  private mutating func takeOutFindings() -> Findings {
    var taken = Findings()
    swap(&taken, &findings)
    return taken
  }

  /// Judges one turn.
  private mutating func judge(_ step: ClientStep) {
    guard has(step.client) else { return }
    let before = findings.violations.count
    let knowsServer = server.isCertain && server.hasAllStates
    let number = step.client.number
    let write = PlainWrite(beginning: step)
    clients[number].application.begin(step, write)
    let (isLoose, judgesLaws, taken) = (isLoose, judgesLaws, takeOutFindings())
    let (findings, wire) = withUnsafePointer(to: step) { turn in
      withUnsafePointer(to: &server) { server in
        withUnsafeMutablePointer(to: &clients[number]) { client in
          var judge = TurnJudge(
            client: client, turn: turn, server: knowsServer ? server : nil, isLoose: isLoose,
            judgesLaws: judgesLaws, findings: taken)
          judge.run(write)
          return (judge.findings, judge.wire)
        }
      }
    }
    self.findings = findings
    dropRepeated(from: before)
    for found in wire { record(found.finding, of: step.client, at: found.sequence) }
  }

  /// Judges a settled run: nothing is under way, and every client that can be connected is.
  ///
  /// - Parameters:
  ///   - tree: What the server stores.
  ///   - online: The clients that are connected; the others are left out.
  ///   - stranded: Those that are not although nothing keeps them from it.
  package mutating func judgeSettled(
    server tree: Node, online: Set<ClientIndex>, stranded: Set<ClientIndex> = []
  ) {
    let before = findings.violations.count
    for client in stranded.sorted() where clients[client.number].application.shouldComeBack {
      findings.violations.append(
        InvariantViolation(
          .comesBack, .client(client), at: nil,
          "the client is not connected, although its network is up, and does not try"))
    }
    for number in clients.indices where online.contains(ClientIndex(number)) {
      var findings = takeOutFindings()
      withUnsafePointer(to: &clients[number]) { client in
        findings.judgeSettled(
          SettledOccasion(judged: client, client: ClientIndex(number), server: tree))
      }
      self.findings = findings
    }
    server.adopt(tree)
    if !server.isCertain {
      findings.doubts.add(.unclearServer, of: .serverOrder)
    } else if server.tree.fingerprint != tree.fingerprint {
      // Equal data that share nothing take long to compare.
      findings.violations.append(
        InvariantViolation(
          .serverOrder, .server, at: nil,
          "the server has \(tree), but what it accepted results in \(server.tree)"))
    }
    dropRepeated(from: before)
  }

  /// Leaves out violations that were reported before, of what was found last.
  private mutating func dropRepeated(from first: Int) {
    if findings.violations.count == first { return }
    let new = findings.violations[first...].filter {
      reported.insert(.invariant($0.invariant.number, $0.about)).inserted
    }
    findings.violations.replaceSubrange(first..., with: new)
  }

  /// Records what was found on the wire: each check once for each client. What is only advisable is
  /// left out.
  private mutating func record(_ finding: WireFinding, of client: ClientIndex, at sequence: Int) {
    guard isJudged(finding.check),
      reported.insert(.check(finding.check, client)).inserted
    else { return }
    let invariant = finding.check.invariant
    if let invariant {
      wireViolations.append(
        InvariantViolation(invariant, .client(client), at: sequence, finding.text))
    }
    if invariant == nil || finding.check == .helloComesFirst {
      breaches.append(WireBreach(client: client, finding: finding, sequence: sequence))
    }
  }

  /// Whether a check is judged in this profile. The documents of the first edition say nothing
  /// of names that overlap (WRT-25).
  private func isJudged(_ check: WireCheck) -> Bool {
    !check.isNote && (check != .apart || profile != .wilddog1)
  }
}

extension WireCheck {
  /// The invariant that states the same.
  fileprivate var invariant: Invariant? {
    switch self {
    case .helloComesFirst: .helloComesFirst
    case .numbered: .numbered
    case .listensOnce, .tagOnce: .listensOnce
    case .takesBackOwn, .takesBackTag: .takesBackOwn
    default: nil
    }
  }
}
