internal import ClientInterface
internal import Scenario
internal import Tree
internal import Wire

/// Follows one process of a client, turn by turn, and judges what can be seen from there.
struct ClientWatch {
  let profile: Profile
  var listeners: ListenerWatch
  var calls: CallWatch
  var link = LinkWatch()
  var listens = ListenTable()
  var outbox = Outbox()
  /// What is kept synchronised without listeners.
  var synchronized: [Operation.Target] = []
  private(set) var isRunning = false
  private var persists = false
  /// Whether any process of this client signed in.
  private var hasSignedIn = false

  init(profile: Profile) {
    self.profile = profile
    listeners = ListenerWatch(profile: profile)
    calls = CallWatch(arrays: profile.arrays)
  }

  /// Whether writes may lawfully wait although there is a connection (OFF-21).
  var mayPause: Bool {
    let hasOwn = !calls.pending.isEmpty || !calls.transactions.isEmpty
    return persists && hasSignedIn && profile.keptWrites == .wait
      && (hasOwn || outbox.hasInherited)
  }

  /// Takes one turn.
  mutating func take(_ turn: Turn) -> [Finding] {
    if case let .open(opening) = turn.input {
      let hadSignedIn = hasSignedIn
      self = ClientWatch(profile: profile)
      isRunning = true
      hasSignedIn = hadSignedIn
      persists = opening.persistence != nil
      outbox.hasInherited = !opening.storage.isEmpty
    }
    if turn.input == .close { isRunning = false }
    guard isRunning else { return [] }
    let hadTransactions = !calls.transactions.isEmpty
    begin(turn)
    let isSimple = !hadTransactions && calls.transactions.isEmpty && !turn.undoesByRunning
    var circumstances = ListenerWatch.Circumstances(
      isOneChange: isSimple && turn.input.isOneChange, undoes: turn.undoes || hadTransactions,
      reruns: turn.reruns)
    var findings: [Finding] = []
    for done in turn.outputs {
      circumstances.isGreeted = link.isGreeted
      findings.add(take(done, in: turn, circumstances))
      findings.add(link.take(done.output, at: done.sequence, in: turn))
    }
    findings.add(listeners.finish(turn))
    if isSimple {
      if turn.ends { findings.add(judgeEnds(turn)) }
      findings.add(judgeShown(turn))
    }
    if circumstances.undoes { listeners.doubt { calls.covers($0) } }
    return findings
  }

  private mutating func begin(_ turn: Turn) {
    link.begin(turn)
    listeners.begin(turn)
    let before = calls.pending.count
    calls.begin(turn)
    if calls.pending.count > before, let write = calls.pending.last {
      outbox.add(write)
      listens.take(write)
    }
    switch turn.input {
    case .closed, .refused, .opened: dropConnection()
    case let .frame(message):
      listens.take(message)
      if case let .response(response) = message { outbox.take(response) }
    case let .call(_, .keepSynced(target, mode)) where !turn.isRefusal:
      synchronized.removeAll { $0 == target }
      if mode == .on { synchronized.append(target) }
    case .call(_, .authenticate): hasSignedIn = true
    case let .call(_, operation) where operation.kind.family == .onDisconnect && !turn.isRefusal:
      outbox.add(will: operation)
    case .open, .call, .timer, .close: break
    }
  }

  private mutating func dropConnection() {
    listens.clear()
    outbox.clear()
  }

  private mutating func take(
    _ done: Turn.Done, in turn: Turn, _ circumstances: ListenerWatch.Circumstances
  ) -> [Finding] {
    let sequence = done.sequence
    switch done.output {
    case let .event(event):
      return listeners.take(event, at: sequence, in: turn, circumstances)
    case let .cancelled(id, _): return listeners.takeCancel(id, at: sequence, in: turn)
    case let .completed(call, completion):
      return calls.take(completion, of: call, at: sequence, in: turn, outbox.answers)
    case let .updateRan(call, input): return calls.takeRun(call, input, at: sequence, in: turn)
    case let .answered(call, key): return calls.takeAnswer(call, key, at: sequence, in: turn)
    case let .send(.request(number, request)):
      listens.take(request, numbered: number)
      return outbox.take(request, numbered: number, at: sequence, in: turn)
    case .disconnect:
      dropConnection()
      return []
    case .connect, .connectTo, .send, .setTimer, .cancelTimer, .threw, .store, .erase, .log:
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
