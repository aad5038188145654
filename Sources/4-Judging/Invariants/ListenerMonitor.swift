internal import ClientInterface
internal import Scenario
internal import Trace
internal import Tree

/// Follows the listeners of one process of a client: who is registered, and what each received.
struct ListenerMonitor {
  /// In order of registration. Changed where they are: a listener is large.
  private(set) var listeners = PathList<ListenerModel>()
  private var positions: [ListenerID: Int] = [:]
  let profile: Profile
  /// The input of the last turn in which the client undid something.
  private var lastUndoing = -1
  /// Who received something in this turn, in order.
  private(set) var touched: [Int] = []

  init(profile: Profile) {
    self.profile = profile
  }

  /// What is known of a turn as a whole.
  struct StepContext {
    /// Whether all events of the turn belong to one change.
    var isOneChange: Bool
    var undoes: Bool
    /// Whether transactions ran again, whose events come before those that made them run (TXN-16).
    var reruns: Bool
    /// Whether the client has the server's hello, at this moment of the turn.
    var hasReceivedHello = false
  }

  /// The positions of the listeners that have more to receive.
  var live: [Int] {
    var live: [Int] = []
    for index in listeners.indices where isLive(index) { live.append(index) }
    return live
  }

  /// Whether the listener at this position has more to receive.
  @inline(__always) func isLive(_ index: Int) -> Bool {
    listeners[index].state == .live && !(listeners[index].isOnce && listeners[index].received > 0)
  }

  subscript(id: ListenerID) -> ListenerModel? { positions[id].map { listeners[$0] } }

  func position(of id: ListenerID) -> Int? { positions[id] }

  /// Takes the input of a turn.
  mutating func begin(_ step: ClientStep) {
    for index in touched { listeners[index].beginClientStep() }
    if step.undoes || step.isRefusedByServer { lastUndoing = step.sequence }
    touched.removeAllKeepingStorage()
    guard step.changesListeners, !step.isRefusal, case let .call(_, operation) = step.input,
      let change = operation.listenerChange
    else { return }
    switch change {
    case let .registers(registration): add(ListenerModel(registration))
    case let .removes(id, _): if let index = positions[id] { end(index, by: change) }
    case let .removesAll(target):
      for index in listeners.positions(.at, target.path) { end(index, by: change) }
    }
  }

  private mutating func end(_ index: Int, by change: Operation.ListenerChange) {
    guard listeners[index].isRemovable, listeners[index].state == .live,
      change.removes(listeners[index].id, at: listeners[index].target)
    else { return }
    listeners[index].state = .removed
  }

  private mutating func add(_ listener: ListenerModel) {
    if let index = positions[listener.id] {
      listeners.replace(at: index, with: listener, at: listener.target.path)
    } else {
      positions[listener.id] = listeners.count
      listeners.append(listener, at: listener.target.path)
    }
  }

  /// A write that may have been all that a listener's value rested on was taken back.
  mutating func doubt(where rests: (Path) -> Bool) {
    for index in listeners.indices where rests(listeners[index].target.path) {
      listeners[index].isShown = false
    }
  }
}

extension ListenerMonitor {
  /// Takes an event at the listener with this position.
  mutating func take(
    _ event: Event, by index: Int, at sequence: Int, in step: ClientStep, _ context: StepContext
  ) -> [InvariantViolation] {
    if !listeners[index].isTouched { touched.append(index) }
    listeners[index].isTouched = true
    var judge = EventJudge(client: step.client, profile: profile, context, at: sequence)
    judge.mayRepeat = context.undoes || listeners[index].valueStep <= lastUndoing
    judge.take(event, at: &listeners[index], step: step.sequence)
    return judge.findings
  }

  /// Takes the cancellation of a listener.
  mutating func takeCancel(
    _ id: ListenerID, at sequence: Int, in step: ClientStep
  ) -> [InvariantViolation] {
    guard let index = positions[id] else { return [] }
    let listener = listeners[index]
    listeners[index].received += 1
    if listener.state == .live { listeners[index].state = .cancelled }
    let about = InvariantViolation.About.listener(step.client, id, listener.target)
    switch listener.state {
    case .removed:
      return [
        InvariantViolation(
          .silentAfterRemoval, about, at: sequence,
          "the listener was cancelled after its removal")
      ]
    case .cancelled:
      return [
        InvariantViolation(
          .silentAfterCancel, about, at: sequence, "the listener was cancelled a second time")
      ]
    case .live where listener.isOnce && listener.received > 0:
      return [
        InvariantViolation(
          .onceIsOnce, about, at: sequence,
          "the single read was cancelled although it had its event")
      ]
    case .live: return []
    }
  }

  /// Judges what could not be judged before everything of the turn had happened.
  mutating func finish(_ step: ClientStep) -> [InvariantViolation] {
    var findings: [InvariantViolation] = []
    for index in touched {
      guard let mismatch = listeners[index].mismatch else { continue }
      listeners[index].mismatch = nil
      var judge = EventJudge(
        client: step.client, profile: profile,
        .init(isOneChange: false, undoes: step.undoes, reruns: step.reruns),
        at: mismatch.sequence)
      judge.settle(
        mismatch.event, from: mismatch.sequence, at: &listeners[index], step: step.sequence)
      findings += judge.findings
    }
    return findings
  }
}
