package import ClientInterface
internal import Scenario
package import Trace
package import Tree
internal import Wire

/// Reads the trace of a run as it grows and notices what must not happen in any run.
///
/// One pass: what is local to a client is judged turn by turn, what concerns all when the run has
/// settle. Each invariant is told once for each listener, call or client.
package struct InvariantMonitor {
  private(set) var findings: [InvariantViolation] = []
  private(set) var clients: [ClientMonitor]
  private(set) var server: ServerModel
  private(set) var history = History()
  private var transactionLaws: TransactionLaws
  private var writeLaws: WriteLaws
  /// What stood at the server at the start.
  let data: Node
  let profile: Profile
  /// The history as it was judged last.
  var judged: Judged?
  private var step: ClientStep?
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
    transactionLaws = TransactionLaws(data: data, profile: profile)
    writeLaws = WriteLaws()
    self.data = data
    self.profile = profile
  }

  /// Takes what was added to the trace since the last call. All turns in it are complete.
  /// `wrongTimes` has what clients were told the time was where that was not so, by the event.
  package mutating func read(_ trace: Trace, wrongTimes: [Int: Instant] = [:]) {
    trace.events.forEach(from: position) { take($0, wrongTimes) }
    position = trace.events.count
    finishClientStep()
  }

  /// Takes what was added to the trace, and before some events a turn that is not in it.
  package mutating func read(_ trace: Trace, openingSteps step: (TraceEvent) -> TraceEvent?) {
    trace.events.forEach(from: position) { event in
      if var opening = step(event.pointee) { take(&opening, [:]) }
      take(event, [:])
    }
    position = trace.events.count
    finishClientStep()
  }

  /// Hands out what was found since the last call.
  package mutating func takeFindings() -> [InvariantViolation] {
    defer { findings = [] }
    return findings
  }

  mutating func find(_ finding: InvariantViolation) {
    let key = Reported(invariant: finding.invariant, about: finding.about)
    if reported.insert(key).inserted { findings.append(finding) }
  }

  private mutating func take(_ event: UnsafePointer<TraceEvent>, _ wrongTimes: [Int: Instant]) {
    let sequence = event.pointee.sequence
    if let finding = transactionLaws.take(event.pointee) { find(finding) }
    if let finding = writeLaws.take(event.pointee) { find(finding) }
    switch event.pointee.kind {
    case let .input(client, input):
      finishClientStep()
      step = ClientStep(
        client, input, sequence: sequence, time: event.pointee.time,
        wrongClock: wrongTimes.isEmpty ? nil : wrongTimes[sequence], space: space)
      space = []
    case let .output(client, output):
      guard step?.client == client else { return }
      step?.add(output, sequence: sequence)
    case let .serverWrite(path, node):
      history.noteServerWrite([(path, node)], at: sequence)
      server.take(event.pointee.kind)
    case let .serverUpdate(path, assignments):
      history.noteServerWrite(assignments.sets(below: path), at: sequence)
      server.take(event.pointee.kind)
    case let .serverSent(client, .response(response)):
      if response.status == "ok" { judgeAcceptance(response, client, at: sequence) }
      server.take(event.pointee.kind)
    case .serverReceived, .serverSent, .serverOpened, .serverClosed, .fault:
      server.take(event.pointee.kind)
    case .step, .lostToServer, .lostToClient: break
    }
  }

  /// Judges what the server accepts with a response, before it changes the data.
  private mutating func judgeAcceptance(
    _ response: ServerMessage.Response, _ client: ClientIndex, at sequence: Int
  ) {
    guard let request = server.request(answeredBy: response, to: client) else { return }
    if case let .put(path, node, _?) = request {
      guard server.isCertain else { return }
      let finding = transactionLaws.judgeAcceptance(
        of: response.request, from: client, writing: node, at: path, over: server.tree, sequence)
      if let finding { find(finding) }
    } else {
      let finding = writeLaws.judgeAcceptance(
        of: request, numbered: response.request, from: client, sequence)
      if let finding { find(finding) }
    }
  }

  private mutating func finishClientStep() {
    guard var step, clients.indices.contains(step.client.number) else { return }
    self.step = nil
    note(step)
    for finding in clients[step.client.number].take(step) { find(finding) }
    space = step.takeSpace()
    for call in clients[step.client.number].pendingWrites.takeRepetitions() {
      history.noteRepetition(step.client, call)
    }
  }

  private mutating func note(_ step: ClientStep) {
    if case let .open(opening) = step.input, !opening.storage.isEmpty {
      history.noteRestart(step.client)
    }
    if case let .call(call, operation) = step.input, !step.isRefusal {
      history.note(step.client, call, operation, key: step.answer, at: step.sequence)
    }
    guard step.ends || step.undoesByRunning else { return }
    for done in step.outputs {
      switch done.output {
      case let .updateRan(call, input): history.noteRun(step.client, call, input)
      case let .completed(call, completion):
        history.noteEnd(step.client, call, completion, at: done.sequence)
      default: break
      }
    }
  }
}
