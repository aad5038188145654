package import ClientInterface
internal import Scenario
package import Trace
package import Tree

/// Reads the trace of a run as it grows and notices what must not happen in any run.
///
/// One pass: what is local to a client is judged turn by turn, what concerns all when the run has
/// come to rest. Each invariant is told once for each listener, call or client.
package struct InvariantWatch {
  private(set) var findings: [Finding] = []
  private(set) var clients: [ClientWatch]
  private(set) var server: ServerBook
  private(set) var history = History()
  /// What stood at the server at the start.
  let data: Node
  let profile: Profile
  /// The history as it was judged last.
  var judged: Judged?
  private var turn: Turn?
  /// The list of a turn that is over, to be used again.
  private var space: [Turn.Done] = []
  private var position = 0
  private var told: Set<Told> = []

  private struct Told: Hashable {
    var invariant: Invariant
    var about: Finding.About
  }

  package init(clients count: Int, profile: Profile, data: Node) {
    clients = Array(repeating: ClientWatch(profile: profile), count: count)
    server = ServerBook(data: data)
    self.data = data
    self.profile = profile
  }

  /// Takes what was added to the trace since the last call. All turns in it are complete.
  /// `wrongTimes` has what clients were told the time was where that was not so, by the event.
  package mutating func read(_ trace: Trace, wrongTimes: [Int: Instant] = [:]) {
    trace.events.forEach(from: position) { take($0, wrongTimes) }
    position = trace.events.count
    finishTurn()
  }

  /// Takes what was added to the trace, and before some events a turn that is not in it.
  package mutating func read(_ trace: Trace, openingTurns turn: (TraceEvent) -> TraceEvent?) {
    trace.events.forEach(from: position) { event in
      if var opening = turn(event.pointee) { take(&opening, [:]) }
      take(event, [:])
    }
    position = trace.events.count
    finishTurn()
  }

  /// Hands out what was found since the last call.
  package mutating func takeFindings() -> [Finding] {
    defer { findings = [] }
    return findings
  }

  mutating func find(_ finding: Finding) {
    let key = Told(invariant: finding.invariant, about: finding.about)
    if told.insert(key).inserted { findings.append(finding) }
  }

  private mutating func take(_ event: UnsafePointer<TraceEvent>, _ wrongTimes: [Int: Instant]) {
    let sequence = event.pointee.sequence
    switch event.pointee.kind {
    case let .input(client, input):
      finishTurn()
      turn = Turn(
        client, input, sequence: sequence, time: event.pointee.time,
        wrongClock: wrongTimes.isEmpty ? nil : wrongTimes[sequence], space: space)
      space = []
    case let .output(client, output):
      guard turn?.client == client else { return }
      turn?.add(output, sequence: sequence)
    case let .serverWrite(path, node):
      history.noteServerWrite([(path, node)], at: sequence)
      server.take(event.pointee.kind)
    case let .serverUpdate(path, assignments):
      history.noteServerWrite(assignments.sets(below: path), at: sequence)
      server.take(event.pointee.kind)
    case .serverReceived, .serverSent, .serverOpened, .serverClosed, .fault:
      server.take(event.pointee.kind)
    case .step, .lostToServer, .lostToClient: break
    }
  }

  private mutating func finishTurn() {
    guard var turn, clients.indices.contains(turn.client.number) else { return }
    self.turn = nil
    note(turn)
    for finding in clients[turn.client.number].take(turn) { find(finding) }
    space = turn.takeSpace()
    for call in clients[turn.client.number].outbox.takeRepetitions() {
      history.noteRepetition(turn.client, call)
    }
  }

  private mutating func note(_ turn: Turn) {
    if case let .open(opening) = turn.input, !opening.storage.isEmpty {
      history.noteRestart(turn.client)
    }
    if case let .call(call, operation) = turn.input, !turn.isRefusal {
      history.note(turn.client, call, operation, key: turn.answer, at: turn.sequence)
    }
    guard turn.ends || turn.undoesByRunning else { return }
    for done in turn.outputs {
      switch done.output {
      case let .updateRan(call, input): history.noteRun(turn.client, call, input)
      case let .completed(call, completion):
        history.noteEnd(turn.client, call, completion, at: done.sequence)
      default: break
      }
    }
  }
}
