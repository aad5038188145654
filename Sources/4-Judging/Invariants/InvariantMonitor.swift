package import ClientInterface
package import RunModel
internal import Scenario
package import Trace
package import Tree
internal import Wire

/// Follows a run by its trace, and asks the laws about each event, each turn, and what is true when the
/// run has settled.
///
/// One pass, over one model of the run. What a client sends is judged by the monitor of the wire as
/// well.
package struct InvariantMonitor {
  private var clients: [JudgedClient]
  private var server: ServerModel
  private var turns = TurnReader()
  private var findings: Findings
  private var position = 0
  /// Whether it is unknown what a client did because of what: it has a clock of its own.
  private var isLoose = false
  /// What clocks that are right show at the start; `nil` where that is not known.
  private let epoch: Instant?

  /// `data` is what the server has at the start, and `epoch` what clocks that are right show then;
  /// `hasRules` says whether rules are in force.
  package init(
    clients count: Int, profile: Profile, data: Node, epoch: Instant? = nil, hasRules: Bool = false
  ) {
    self.epoch = epoch
    // Each is made, so that none shares what it changes with others.
    clients = (0..<count).map { _ in JudgedClient(profile) }
    server = ServerModel(data: data, hasRules: hasRules)
    findings = Findings(profile)
  }

  /// Whether laws are asked. Messages are judged anyway.
  package var judgesLaws: Bool {
    get { findings.judgesLaws }
    set { findings.judgesLaws = newValue }
  }

  /// Hands out the invariants that were found broken since the last call: those of the wire first.
  package mutating func takeFindings() -> [InvariantViolation] { findings.takeViolations() }

  /// Hands out what was found on the wire since the last call.
  package mutating func takeBreaches() -> [WireBreach] { findings.takeBreaches() }

  /// How often laws said nothing so far, and why.
  package var doubts: Doubts { findings.doubts }
}

// MARK: - Reading

extension InvariantMonitor {
  /// Takes what was added to the trace since the last call. All turns in it are complete.
  package mutating func read(_ trace: Trace) {
    trace.events.forEach(from: position) { event in
      _ = endTurn(before: event, of: trace)
      take(event)
    }
    _ = endTurn()
  }

  /// The turn that was judged last.
  package var turn: ClientStep { turns.step }

  /// Judges the present turn if an event of a trace that comes next is no part of it.
  ///
  /// - Returns: Whether it was over.
  package mutating func endTurn(before event: UnsafePointer<TraceEvent>, of trace: Trace) -> Bool {
    let isOver = turns.end(before: event, of: trace)
    if isOver { judgeTurn() }
    return isOver
  }

  /// Judges the present turn, as all that was added to the trace has been taken.
  ///
  /// - Returns: Whether there was one.
  package mutating func endTurn() -> Bool {
    let isOver = turns.end()
    if isOver { judgeTurn() }
    return isOver
  }

  /// Takes the next event of a trace. `wrongTimes` has the times that clients were given where they were
  /// wrong, by the event.
  package mutating func take(
    _ event: UnsafePointer<TraceEvent>, wrongTimes: [Int: Instant] = [:]
  ) {
    position = event.pointee.sequence + 1
    turns.take(event, wrongTimes: wrongTimes)
    follow(event)
  }

  /// Takes what was added to a trace in which it is unknown what a client did because of what: each
  /// thing that it did stands for itself.
  package mutating func readLoosely(_ trace: Trace) {
    isLoose = true
    trace.events.forEach(from: position) { event in
      if case let .output(client, _) = event.pointee.kind {
        _ = endTurn()
        turns.beginUncaused(event, of: client)
      } else {
        _ = endTurn(before: event, of: trace)
      }
      take(event)
    }
    _ = endTurn()
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
  /// Judges what the server makes of a request, before it changes the data: a write that it accepts,
  /// or refuses as stale.
  private mutating func judge(
    _ response: ServerMessage.Response, to client: ClientIndex, at sequence: Int
  ) {
    guard has(client), let request = server.request(answeredBy: response, to: client) else {
      return
    }
    let isDone = response.status == "ok"
    switch request {
    case .put, .merge: break
    case .authenticate:
      if !isDone { clients[client.number].application.calls.loseCredential() }
      return
    case .listen, .unlisten, .get, .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel,
      .stats, .unauthenticate:
      return
    }
    let isPlain = request.isPlainWrite
    guard isDone || response.status == "datastale", isPlain || !isLoose else { return }
    let states = server.isCertain ? server.states : []
    let credential = server.credential(of: client)
    var acceptance: Acceptance?
    if isDone {
      acceptance = clients[client.number].application.calls.accept(
        request, response.request, over: states.last, findings.profile.arrays, as: credential)
    }
    if !judgesLaws || isPlain && credential != nil && acceptance?.isUsual ?? false { return }
    withUnsafePointer(to: &clients[client.number]) { judged in
      let occasion = AnswerOccasion(
        judged: judged, client: client, request: request, number: response.request,
        acceptance: acceptance, states: states, credential: credential, sequence: sequence)
      findings.judge(AcceptanceLaws.all, occasion)
    }
  }

  /// Judges the turn that has been read.
  private mutating func judgeTurn() {
    let number = turns.step.client.number
    guard clients.indices.contains(number) else { return }
    let knowsServer = server.isCertain && server.hasAllStates
    clients[number].application.begin(turns.step)
    let isLoose = isLoose
    let clock = turns.step.wrongClock ?? epoch.map { $0 + turns.step.time }
    withUnsafePointer(to: &turns.step) { turn in
      withUnsafePointer(to: &server) { server in
        withUnsafeMutablePointer(to: &findings) { findings in
          withUnsafeMutablePointer(to: &clients[number]) { client in
            TurnJudge(
              client: client, turn: turn, server: knowsServer ? server : nil, findings: findings,
              isLoose: isLoose, clock: clock
            ).run()
          }
        }
      }
    }
  }

  /// Judges a settled run: nothing is under way, and every client that can be connected is.
  ///
  /// - Parameters:
  ///   - tree: What the server stores.
  ///   - online: The clients that are connected; the others are left out.
  ///   - stranded: Those that are not although nothing keeps them from it.
  package mutating func judgeSettled(
    server tree: Node, online: [ClientIndex], stranded: [ClientIndex] = []
  ) {
    for client in stranded where clients[client.number].application.shouldComeBack {
      findings.add(
        .violated(
          .client(client), at: nil,
          "the client is not connected, although its network is up, and does not try"),
        of: .comesBack)
    }
    for client in online {
      withUnsafePointer(to: &clients[client.number]) { judged in
        findings.judge(SettledOccasion(judged: judged, client: client, server: tree))
      }
    }
    server.adopt(tree)
    if !server.isCertain {
      findings.add(.unknown(.unclearServer), of: .serverOrder)
    } else if server.tree.fingerprint != tree.fingerprint {
      // Equal data that share nothing take long to compare.
      findings.add(
        .violated(
          .server, at: nil,
          "the server has \(tree), but what it accepted results in \(server.tree)"),
        of: .serverOrder)
    }
  }
}
