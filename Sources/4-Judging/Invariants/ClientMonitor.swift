internal import ClientInterface
internal import Scenario
internal import Tree
internal import Wire

/// Follows one process of a client, turn by turn, and judges what can be seen from there.
struct ClientMonitor {
  let profile: Profile
  var listeners: ListenerMonitor
  var calls: CallMonitor
  var link = ConnectionInvariants()
  var listens = ListenTable()
  var pendingWrites = PendingWriteModel()
  private var reactions = ReactionMonitor()
  /// What is kept synchronised without listeners.
  var synchronized: [Operation.Target] = []
  private(set) var isRunning = false
  private(set) var persists = false
  /// The requests of this connection that say who the client is.
  private var credentials: Set<Int> = []
  /// Whether the server has refused or revoked a credential: of any process, and of this one or an
  /// earlier one since the server accepted one from this process.
  private var wasRefused = (ever: false, lately: false)

  init(profile: Profile) {
    self.profile = profile
    listeners = ListenerMonitor(profile: profile)
    calls = CallMonitor(arrays: profile.arrays)
  }

  /// Whether writes may wait although there is a connection (OFF-21).
  var mayPause: Bool {
    let hasOwn = !calls.pending.isEmpty || !calls.transactions.isEmpty
    return persists && wasRefused.lately && profile.keptWrites == .wait
      && (hasOwn || pendingWrites.hasInherited)
  }

  /// Whether its process is to be connected whenever it can be. Inlined, because a call needs a copy
  /// of the client.
  @inline(__always) var shouldComeBack: Bool { isRunning && link.shouldComeBack }

  /// Takes one turn.
  /// `write` is the plain write that it began with. `truth` is what its events
  /// are compared with, `nil` where there are none.
  mutating func take(
    _ step: ClientStep, _ write: PlainWrite?, _ truth: Truth?
  ) -> [InvariantViolation] {
    if case let .open(opening) = step.input {
      let wasRefused = wasRefused.ever
      self = ClientMonitor(profile: profile)
      isRunning = true
      // An earlier process may have left its pause, also where its storage was rolled back.
      self.wasRefused = (wasRefused, wasRefused)
      persists = opening.persistence != nil
      pendingWrites.hasInherited = !opening.storage.isEmpty
    }
    if case .close = step.input { isRunning = false }
    guard isRunning else { return [] }
    let hadTransactions = !calls.transactions.isEmpty
    begin(step, write)
    let isSimple =
      !hadTransactions && calls.transactions.isEmpty && !step.undoesByRunning && !step.isSplit
    var context = ListenerMonitor.StepContext(
      isOneChange: isSimple && step.input.isOneChange, undoes: step.undoes || hadTransactions,
      reruns: step.reruns)
    var findings: [InvariantViolation] = []
    if let finding = reactions.take(step) { findings.append(finding) }
    for done in step.outputs {
      context.hasReceivedHello = link.hasReceivedHello
      findings.add(take(done, in: step, context, truth))
      findings.add(link.take(done.output, at: done.sequence, in: step))
    }
    findings.add(listeners.finish(step))
    if isSimple {
      if step.ends { findings.add(judgeEnds(step)) }
      findings.add(judgeShown(step))
    }
    if context.undoes { listeners.doubt { calls.covers($0) } }
    return findings
  }

  private mutating func begin(_ step: ClientStep, _ write: PlainWrite?) {
    link.begin(step)
    listeners.begin(step)
    calls.begin(step, write)
    if let write {
      pendingWrites.add(write)
      listens.take(write)
    }
    switch step.input {
    case .closed:
      pendingWrites.endProcess()
      dropConnection()
    case .refused, .opened: dropConnection()
    case let .frame(message):
      listens.take(message)
      if case let .response(response) = message { take(response) }
      if case .credentialRevoked = message { wasRefused = (true, true) }
    case let .call(_, .keepSynced(target, mode)) where !step.isRefusal:
      synchronized.removeAll { $0 == target }
      if mode == .on { synchronized.append(target) }
    case let .call(_, .push(path, node?)) where node.isEmpty: pendingWrites.add(emptyPush: path)
    case let .call(_, operation) where operation.kind.family == .onDisconnect && !step.isRefusal:
      pendingWrites.add(will: operation)
    case .open, .call, .timer, .close: break
    }
  }

  private mutating func take(_ response: ServerMessage.Response) {
    pendingWrites.take(response)
    guard credentials.remove(response.request) != nil else { return }
    wasRefused.lately = response.status != "ok"
    if wasRefused.lately { wasRefused.ever = true }
  }

  private mutating func dropConnection() {
    credentials = []
    listens.clear()
    pendingWrites.clear()
  }

  private mutating func take(
    _ done: ClientStep.Done, in step: ClientStep, _ context: ListenerMonitor.StepContext,
    _ truth: Truth?
  ) -> [InvariantViolation] {
    let sequence = done.sequence
    switch done.output {
    case let .event(event):
      guard let index = listeners.position(of: event.listener) else { return [] }
      let finding = truth.flatMap { judgeValue(event, at: index, $0, step.client, sequence) }
      var findings = listeners.take(event, by: index, at: sequence, in: step, context)
      if let finding { findings.append(finding) }
      return findings
    case let .cancelled(id, _): return listeners.takeCancel(id, at: sequence, in: step)
    case let .completed(call, completion):
      return calls.take(completion, of: call, at: sequence, in: step, pendingWrites.answers)
    case let .updateRan(call, input): return calls.takeRun(call, input, at: sequence, in: step)
    case let .answered(call, key): return calls.takeAnswer(call, key, at: sequence, in: step)
    case let .send(.request(number, request)):
      listens.take(request, numbered: number)
      if case .authenticate = request { credentials.insert(number) }
      return pendingWrites.take(request, numbered: number, at: sequence, in: step)
    case .disconnect:
      dropConnection()
      return []
    case .connect, .connectTo, .send, .setTimer, .cancelTimer, .threw, .calling, .returned, .store,
      .erase, .uncaught, .log:
      return []
    }
  }
}

extension ClientInput {
  /// Whether all that it causes is one change, as far as no transactions are about.
  var isOneChange: Bool {
    switch self {
    case let .call(_, operation):
      operation.registration != nil || operation.kind.family == .writing
    case let .frame(message):
      switch message {
      case .put, .merge, .response: true
      default: false
      }
    case .open, .opened, .refused, .closed, .timer, .close: false
    }
  }
}
