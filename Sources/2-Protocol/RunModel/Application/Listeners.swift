package import ClientInterface
package import Tree

/// The listeners of one process of a client.
package struct Listeners {
  /// In order of registration. Changed where they are: a listener is large.
  package private(set) var all = PathList<Listener>()
  private var positions: [ListenerID: Int] = [:]
  private let profile: Profile
  /// The input of the last turn in which the client undid something.
  package private(set) var lastUndoing = -1
  /// Who received something in this turn, in order.
  package private(set) var touched: [Int] = []

  init(_ profile: Profile) { self.profile = profile }

  /// The positions of the listeners that have more to receive.
  package var live: [Int] {
    var live: [Int] = []
    for index in all.indices where isLive(index) { live.append(index) }
    return live
  }

  /// Whether the listener at this position has more to receive.
  @inline(__always) package func isLive(_ index: Int) -> Bool {
    all[index].state == .live && !(all[index].isOnce && all[index].received > 0)
  }

  package func position(of id: ListenerID) -> Int? { positions[id] }

  /// Takes the input of a turn.
  mutating func begin(_ step: ClientStep) {
    for index in touched { all[index].beginTurn() }
    if step.undoes || step.isRefusedByServer { lastUndoing = step.sequence }
    touched.removeAllKeepingStorage()
    guard step.changesListeners, !step.isRefusal, case let .call(_, operation) = step.input,
      let change = operation.listenerChange
    else { return }
    switch change {
    case let .registers(registration): add(Listener(registration))
    case let .removes(id, _): if let index = positions[id] { end(index, by: change) }
    case let .removesAll(target):
      for index in all.positions(.at, target.path) { end(index, by: change) }
    }
  }

  private mutating func end(_ index: Int, by change: Operation.ListenerChange) {
    guard all[index].isRemovable, all[index].state == .live,
      change.removes(all[index].id, at: all[index].target)
    else { return }
    all[index].state = .removed
  }

  private mutating func add(_ listener: Listener) {
    if let index = positions[listener.id] {
      all.replace(at: index, with: listener, at: listener.target.path)
    } else {
      positions[listener.id] = all.count
      all.append(listener, at: listener.target.path)
    }
  }

  /// Takes an event at the listener with this position.
  package mutating func take(
    _ event: Event, at index: Int, _ sequence: Int, in turn: TurnContext
  ) {
    touch(index)
    let follows = all[index].follows(event)
    all[index].received += 1
    if follows { all[index].take(event, at: sequence, in: turn, profile) }
  }

  /// Takes the cancellation of a listener.
  package mutating func takeCancellation(at index: Int) {
    all[index].received += 1
    if all[index].state == .live { all[index].state = .cancelled }
  }

  /// A value event that child events had not led to is what the listener shows all the same.
  package mutating func adoptMismatch(at index: Int, in turn: TurnContext) {
    all[index].adoptMismatch(in: turn.sequence, profile)
  }

  private mutating func touch(_ index: Int) {
    if all[index].isTouched { return }
    touched.append(index)
    all[index].isTouched = true
  }

  /// A write that may have been all that a listener's value rested on was taken back.
  package mutating func doubt(where rests: (Path) -> Bool) {
    for index in all.indices where rests(all[index].target.path) {
      all[index].isShown = false
    }
  }
}
