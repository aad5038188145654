internal import ClientInterface
internal import Scenario
internal import Trace
internal import Tree

/// Follows the listeners of one process of a client: who is registered, and what each was told.
struct ListenerWatch {
  private(set) var listeners: [ListenerID: HeardListener] = [:]
  /// In order of registration, to be walked in.
  private(set) var order: [ListenerID] = []
  let profile: Profile
  /// The input of the last turn in which the client undid something.
  private var lastUndoing = -1
  /// Who heard something in this turn, in order.
  private(set) var touched: [ListenerID] = []

  init(profile: Profile) {
    self.profile = profile
  }

  /// What is known of a turn as a whole.
  struct Circumstances {
    /// Whether all events of the turn belong to one change.
    var isOneChange: Bool
    var undoes: Bool
    /// Whether the client has the server's greeting, at this moment of the turn.
    var isGreeted = false
  }

  /// The listeners that have more to hear.
  var live: [HeardListener] {
    order.compactMap { listeners[$0] }.filter { listener in
      listener.state == .live && !(listener.isOnce && listener.heard > 0)
    }
  }

  subscript(id: ListenerID) -> HeardListener? { listeners[id] }

  /// Takes the input of a turn.
  mutating func begin(_ turn: Turn) {
    for id in touched { listeners[id]?.beginTurn() }
    touched.removeAll(keepingCapacity: true)
    if turn.undoes { lastUndoing = turn.sequence }
    guard case let .call(_, operation) = turn.input, !turn.isRefusal else { return }
    switch operation {
    case let .listen(id, target, types): add(HeardListener(id, target, types, isOnce: false))
    case let .once(id, target, type): add(HeardListener(id, target, [type], isOnce: true))
    case let .unlisten(id, path):
      // OBS-16: the handle of a listener elsewhere is no use.
      if path == nil || path == listeners[id]?.target.path { end(id, .removed) }
    case let .unlistenAll(target):
      for id in order {
        guard let own = listeners[id]?.target, own.path == target.path else { continue }
        if target.query == .all || own.query == target.query { end(id, .removed) }
      }
    default: break
    }
  }

  private mutating func add(_ listener: HeardListener) {
    if listeners.updateValue(listener, forKey: listener.id) == nil { order.append(listener.id) }
  }

  private mutating func end(_ id: ListenerID, _ state: HeardListener.State) {
    if listeners[id]?.state == .live { listeners[id]?.state = state }
  }

  /// A write that may have been all that a listener's value rested on was taken back.
  mutating func doubt(where rests: (Path) -> Bool) {
    for id in order where listeners[id].map({ rests($0.target.path) }) ?? false {
      listeners[id]?.isShown = false
    }
  }

  // Taken out while it is changed, so that nothing is copied.
  private mutating func change(
    _ id: ListenerID, _ body: (inout HeardListener) -> [Finding]
  ) -> [Finding] {
    guard var listener = listeners[id] else { return [] }
    listeners[id] = nil
    defer { listeners[id] = listener }
    return body(&listener)
  }
}

extension ListenerWatch {
  /// Takes an event.
  mutating func take(
    _ event: Event, at sequence: Int, in turn: Turn, _ circumstances: Circumstances
  ) -> [Finding] {
    let (client, profile, lastUndoing) = (turn.client, profile, lastUndoing)
    if touched.last != event.listener, !touched.contains(event.listener) {
      touched.append(event.listener)
    }
    return change(event.listener) { listener in
      var judge = EventJudge(client: client, profile: profile, circumstances, at: sequence)
      judge.mayRepeat = circumstances.undoes || listener.valueTurn <= lastUndoing
      judge.take(event, at: &listener, turn: turn.sequence)
      return judge.findings
    }
  }

  /// Takes the cancellation of a listener.
  mutating func takeCancel(_ id: ListenerID, at sequence: Int, in turn: Turn) -> [Finding] {
    change(id) { listener in
      let about = Finding.About.listener(turn.client, id, listener.target)
      defer {
        listener.heard += 1
        if listener.state == .live { listener.state = .cancelled }
      }
      switch listener.state {
      case .removed:
        return [
          Finding(
            .silentAfterRemoval, about, at: sequence,
            "the listener was cancelled after its removal")
        ]
      case .cancelled:
        return [
          Finding(
            .silentAfterCancel, about, at: sequence, "the listener was cancelled a second time")
        ]
      case .live where listener.isOnce && listener.heard > 0:
        return [
          Finding(
            .onceIsOnce, about, at: sequence,
            "the single read was cancelled although it had its event")
        ]
      case .live: return []
      }
    }
  }

  /// Judges what could not be judged before everything of the turn had happened.
  mutating func finish(_ turn: Turn) -> [Finding] {
    let (touched, profile) = (touched, profile)
    return touched.flatMap { id in
      change(id) { listener in
        guard let mismatch = listener.mismatch else { return [] }
        listener.mismatch = nil
        var judge = EventJudge(
          client: turn.client, profile: profile, .init(isOneChange: false, undoes: turn.undoes),
          at: mismatch.sequence)
        judge.settle(mismatch.event, from: mismatch.sequence, at: &listener, turn: turn.sequence)
        return judge.findings
      }
    }
  }
}
