package import ClientInterface
internal import Tree
internal import Wire

/// What the applications of one client asked for, and what the client let them see, turn by turn.
///
/// It knows nothing of the server: the inputs and outputs of a client are enough to follow it.
package struct ApplicationModel {
  package let profile: Profile
  package var listeners: Listeners
  package var calls = Calls()
  package var link = Link()
  package private(set) var reactions = DueReactions()
  /// What is kept synchronised without listeners.
  package private(set) var synchronized: [Operation.Target] = []
  package private(set) var isRunning = false
  package private(set) var persists = false
  /// Whether the present turn has nothing to do with transactions, and is in one piece.
  package private(set) var isSimpleTurn = false

  package init(_ profile: Profile) {
    self.profile = profile
    listeners = Listeners(profile)
  }

  /// Begins a turn, all of which has happened: calls are followed to its end.
  package mutating func begin(_ step: ClientStep) {
    if case let .open(opening) = step.input { open(opening) }
    calls.take(step)
    if case .close = step.input { isRunning = false }
    guard isRunning else { return }
    let had = calls.transactionWasOpen
    isSimpleTurn = !had.before && !had.begun && !step.effects.runs && !step.isSplit
    link.begin(step)
    // Giving up the connection, as for a refused credential, does what was left for its end (OND-8).
    let isOneChange = isSimpleTurn && step.input.isOneChange && !step.disconnects
    listeners.begin(
      step,
      TurnContext(
        sequence: step.sequence, isOneChange: isOneChange,
        undoes: step.undoes || had.before, reruns: step.effects.reruns))
    reactions.take(step)
    if case let .call(_, .keepSynced(target, mode)) = step.input, !step.isRefusal {
      synchronized.removeAll { $0 == target }
      if mode == .on { synchronized.append(target) }
    }
  }

  private mutating func open(_ opening: ClientInput.Opening) {
    listeners = Listeners(profile)
    link = Link()
    reactions = DueReactions()
    synchronized = []
    isRunning = true
    persists = opening.persistence != nil
  }

  /// Ends the turn.
  package mutating func end() {
    if listeners.turn.undoes { listeners.doubt { calls.covered.has(.atOrAbove, $0) } }
  }

  /// Whether writes may wait although there is a connection (OFF-21).
  package var mayPause: Bool {
    persists && calls.refusedCredential.lately && profile.keptWrites == .wait
      && (!calls.isIdle || calls.hasInherited)
  }

  /// Whether its process is to be connected whenever it can be.
  package var shouldComeBack: Bool { isRunning && link.shouldComeBack }
}

extension ClientInput {
  /// Whether all that it causes is one change, as far as no transactions are about.
  fileprivate var isOneChange: Bool {
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

/// What an application does in its callbacks: each call is made where it was stated.
package struct DueReactions {
  private var reactions = Reactions()
  /// The calls whose callback has come, in the order in which they are to be made.
  private var due: [Reaction.Call] = []
  /// The first call that was not made although its callback came in the last turn, or part of one,
  /// with the last event of that.
  package private(set) var missed: (call: Reaction.Call, sequence: Int)?

  /// Takes one turn, or a part of it.
  mutating func take(_ step: ClientStep) {
    if missed != nil { missed = nil }
    if step.subject == .reaction {
      if case let .call(_, .on(reaction)) = step.input { reactions.add(reaction) }
    } else if reactions.isEmpty, due.isEmpty {
      return
    }
    for done in step.outputs {
      if case let .calling(call) = done.output {
        due.removeAll { $0.id == call }
      } else {
        due += reactions.calls(in: done.output)
      }
    }
    guard let last = step.outputs.last, let missing = due.first else { return }
    // The turn goes on with the call.
    if case .calling = last.output { return }
    due = []
    missed = (missing, last.sequence)
  }
}
