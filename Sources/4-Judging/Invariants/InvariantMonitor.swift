package import ClientInterface
internal import Scenario
package import Trace
package import Tree
internal import Wire

/// Reads the trace of a run as it grows and notices what must not happen in any run.
///
/// One pass: what is local to a client is judged turn by turn, what concerns all when the run has
/// settle. Each invariant is reported once for each listener, call or client.
package struct InvariantMonitor {
  private(set) var findings: [InvariantViolation] = []
  var clients: [ClientMonitor]
  var server: ServerModel
  private(set) var writeLaws: WriteLaws
  private var step: ClientStep?
  /// The client of the turn, which need not be copied to be compared.
  private var acting: ClientIndex?
  /// The list of a turn that is over, to be used again.
  private var space: [ClientStep.Done] = []
  private var position = 0
  private var reported: Set<Reported> = []

  private struct Reported: Hashable {
    var invariant: Invariant
    var about: InvariantViolation.About
  }

  package init(clients count: Int, profile: Profile, data: Node) {
    clients = Array(repeating: ClientMonitor(profile: profile), count: count)
    server = ServerModel(data: data)
    writeLaws = WriteLaws(clients: count, profile: profile)
  }

  /// States that it is unknown in which order a client saw and did things: it has a clock of its own.
  mutating func judgeLoosely() { writeLaws.judgesTransactions = false }

  /// Takes what was added to the trace since the last call. All turns in it are complete.
  /// `wrongTimes` has the times that clients were given where they were wrong, by the event.
  package mutating func read(_ trace: Trace, wrongTimes: [Int: Instant] = [:]) {
    trace.events.forEach(from: position) { take($0, of: trace, wrongTimes) }
    position = trace.events.count
    finishClientStep()
  }

  /// Takes what was added to the trace, and before some events a turn that is not in it.
  package mutating func read(_ trace: Trace, openingSteps step: (TraceEvent) -> TraceEvent?) {
    trace.events.forEach(from: position) { event in
      if var opening = step(event.pointee) { take(&opening, of: trace, [:]) }
      take(event, of: trace, [:])
    }
    position = trace.events.count
    finishClientStep()
  }

  /// Hands out what was found since the last call.
  package mutating func takeFindings() -> [InvariantViolation] {
    defer { findings = [] }
    return findings
  }

  /// Adds a violation, once for each invariant and what it is about.
  mutating func record(_ finding: InvariantViolation) {
    let key = Reported(invariant: finding.invariant, about: finding.about)
    if reported.insert(key).inserted { findings.append(finding) }
  }

  private mutating func take(
    _ event: UnsafePointer<TraceEvent>, of trace: Trace, _ wrongTimes: [Int: Instant]
  ) {
    switch event.pointee.kind {
    case let .input(client, input):
      var outer: ClientStep?
      if event.pointee.isNestedCall, step != nil {
        outer = step
        step?.complete(from: trace)
      }
      finishClientStep()
      let sequence = event.pointee.sequence
      var next = ClientStep(
        client, input, sequence: sequence, time: event.pointee.time,
        wrongClock: wrongTimes.isEmpty ? nil : wrongTimes[sequence], space: space)
      space = []
      if let outer { next.resume(outer) }
      step = consume next
      acting = client
    case let .output(client, output):
      if client == acting { step?.add(output, sequence: event.pointee.sequence) }
    case let .serverSent(client, .response(response)):
      finishClientStep()
      judge(response, to: client, at: event.pointee.sequence)
      server.take(event)
    case let .serverSent(client, .credentialRevoked):
      writeLaws.loseCredential(of: client)
      server.take(event)
    case let .serverOpened(client, _), let .serverClosed(client, _):
      finishClientStep()
      writeLaws.beginConnection(of: client)
      server.take(event)
    case .serverReceived, .serverSent, .serverWrite, .serverUpdate:
      finishClientStep()
      server.take(event)
    case .fault: server.take(event)
    case .step, .lostToServer, .lostToClient: break
    }
  }

  /// Judges what the server makes of a request, before it changes the data.
  private mutating func judge(
    _ response: ServerMessage.Response, to client: ClientIndex, at sequence: Int
  ) {
    guard let request = server.request(answeredBy: response, to: client),
      clients.indices.contains(client.number)
    else { return }
    let answer = WriteLaws.Answer(
      client: client, number: response.request, request: request,
      states: server.isCertain ? server.states : [], credential: server.credential(of: client),
      sequence: sequence)
    switch request {
    case .put, .merge:
      if response.status == "ok" {
        for finding in writeLaws.judgeAcceptance(answer) { record(finding) }
      } else if response.status == "datastale", let finding = writeLaws.judgeRefusal(answer) {
        record(finding)
      }
    case .authenticate where response.status != "ok":
      writeLaws.loseCredential(of: client)
    case .listen, .unlisten, .get, .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel,
      .stats, .authenticate, .unauthenticate:
      break
    }
  }

  private mutating func finishClientStep() {
    guard let client = acting, var step = step.take() else { return }
    acting = nil
    guard clients.indices.contains(client.number) else { return }
    let write = step.plainWrite
    for finding in writeLaws.take(step, write) { record(finding) }
    var truth: ClientMonitor.Truth?
    // What a call from inside a callback has changed cannot be distinguished from what its turn has.
    if step.raisesEvents, !step.isSplit, server.isCertain, server.hasAllStates {
      truth = .init(states: server.states, ledger: writeLaws.ledgers[step.client.number])
    }
    for finding in clients[step.client.number].take(step, write, truth) { record(finding) }
    space = step.takeSpace()
  }
}

extension ClientStep {
  /// The plain write that an application made with the input, unless the client refused it.
  var plainWrite: PlainWrite? {
    guard case let .call(call, operation) = input, !isRefusal else { return nil }
    return PlainWrite(operation, as: call, number: sequence, key: answer)
  }
}
