package import ClientInterface
package import Tree

/// The listeners of one process of a client.
package struct Listeners {
  /// In order of registration. Changed where they are: a listener is large.
  package private(set) var all = PathList<Listener>()
  /// Where each stands.
  package private(set) var positions = NameTable<ListenerID>()
  private let profile: Profile
  /// The input of the last turn in which the client undid something.
  package private(set) var lastUndoing = -1
  /// Who received something in this turn, in order.
  package private(set) var touched: [Int] = []
  /// What is known of this turn.
  package private(set) var turn = TurnContext(
    sequence: -1, isOneChange: false, undoes: false, reruns: false)

  init(_ profile: Profile) { self.profile = profile }

  /// Takes the input of a turn.
  mutating func begin(_ step: ClientStep, _ turn: TurnContext) {
    self.turn = turn
    for index in touched { all[index].beginTurn() }
    if step.undoes || step.mayTakeBackInherited { lastUndoing = step.sequence }
    touched.removeAllKeepingStorage()
    guard step.subject == .listeners, !step.isRefusal, case let .call(_, operation) = step.input,
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
      positions.append(listener.id)
      all.append(listener, at: listener.target.path)
    }
  }

  /// An event comes at the listener with this position.
  ///
  /// - Returns: Whether the listener asked for it, and it says what the location is like from now on.
  package mutating func receive(_ event: Event, at index: Int) -> Bool {
    let (isFirst, isFollowed) = all[index].receive(event)
    if isFirst { touched.append(index) }
    return isFollowed
  }

  /// Takes an event that was received; `keys` is what `Event.keys` says of a value event that the
  /// listener expects, where that is known.
  package mutating func take(
    _ event: Event, at index: Int, _ sequence: Int, keys: [Key]?? = nil
  ) {
    all[index].take(event, at: sequence, keys, in: turn, profile)
  }

  /// Takes the cancellation of a listener.
  package mutating func takeCancellation(at index: Int) {
    all[index].received += 1
    if all[index].state == .live { all[index].state = .cancelled }
  }

  /// A value event that child events had not led to is what the listener shows all the same.
  package mutating func adoptMismatch(at index: Int) {
    all[index].adoptMismatch(in: turn.sequence, profile)
  }

  /// A write that may have been all that a listener's value rested on was taken back.
  package mutating func doubt(where rests: (Path) -> Bool) {
    for index in all.indices where rests(all[index].target.path) {
      all[index].isShown = false
    }
  }
}

/// A listener, and what its events add up to.
package struct Listener {
  package let id: ListenerID
  package let target: Operation.Target
  package let types: Set<EventType>
  package let isOnce: Bool
  /// Whether the application can remove it: a get ends only by itself.
  package let isRemovable: Bool
  package internal(set) var state = State.live { didSet { isLive = false } }
  /// How many events and cancellations it received.
  package internal(set) var received = 0 { didSet { if isOnce { isLive = false } } }
  /// Whether it has more to receive.
  package private(set) var isLive = true

  /// The children that its events have named, and their order by the previous keys.
  package private(set) var children = Children()
  package private(set) var order: [Key] = []
  /// Whether `order` must be that of the next value event.
  package private(set) var isOrderCertain = true
  /// What the last value event showed, and the turn in which it did.
  package private(set) var value: Node?
  package private(set) var valueStep = -1
  /// Whether the value stands for everything at the location: a covering write that was taken back
  /// may have left it unknown again.
  package internal(set) var isShown = false

  /// Whether the last it received was raised twice, first with what a rerun had changed and then
  /// without (TXN-16).
  package private(set) var isInconsistent = false

  /// What was received in this turn since the last value event.
  package private(set) var batch: [(event: Event, sequence: Int)] = []
  /// Whether anything was received in this turn.
  private var isTouched = false
  /// How many value events were received in this turn.
  package private(set) var valuesInStep = 0
  /// A value event of this turn that does not show what the child events before it add up to: it is
  /// adopted when those behind it are known.
  package private(set) var mismatch: (event: Event, sequence: Int)?

  package enum State {
    case live
    case removed
    case cancelled
  }

  /// Whether children are known to come and go.
  package let reportsPresence: Bool
  /// Whether the content of children is known as well.
  package let reportsContent: Bool
  package let reportsAll: Bool
  package let receivesValue: Bool
  /// Whether it receives what no server knows.
  package let isLocal: Bool

  init(_ registration: Operation.Registration) {
    let types = registration.events
    id = registration.listener
    target = registration.target
    self.types = types
    isOnce = registration.isOnce
    isRemovable = registration.isRemovable
    let reportsPresence = types.contains(.childAdded) && types.contains(.childRemoved)
    self.reportsPresence = reportsPresence
    reportsContent = reportsPresence && types.contains(.childChanged)
    reportsAll = types.count == EventType.allCases.count
    receivesValue = types.contains(.value)
    isLocal = registration.target.path.keys.first == .info
  }
}

// MARK: - What it receives

extension Listener {
  mutating func beginTurn() {
    batch.removeAllKeepingStorage()
    isTouched = false
    valuesInStep = 0
    mismatch = nil
  }

  /// An event comes.
  ///
  /// - Returns: Whether it is the first thing in this turn, and whether the listener follows it.
  fileprivate mutating func receive(_ event: Event) -> (isFirst: Bool, isFollowed: Bool) {
    defer { isTouched = true }
    return (!isTouched, follows(event))
  }

  /// Whether a value event shows what child events add up to, as far as that is known.
  fileprivate func expects(_ value: Event) -> Bool {
    !reportsContent || isInconsistent || children == value.value.children
  }

  /// Whether an event is one that it asked for and that says what the location is like from now on.
  private func follows(_ event: Event) -> Bool {
    state == .live && !isOnce
      && (reportsAll || event.type == .value && receivesValue || types.contains(event.type))
  }

  /// Takes an event that was received.
  fileprivate mutating func take(
    _ event: Event, at sequence: Int, _ keys: [Key]??, in turn: TurnContext, _ profile: Profile
  ) {
    let isFollowed = follows(event)
    received += 1
    if !isFollowed { return }
    if event.type == .value {
      valuesInStep += 1
      let isExpected = keys != nil || expects(event)
      isInconsistent = turn.reruns && valuesInStep > 1
      if isExpected {
        adopt(event, keys, in: turn.sequence, profile)
      } else {
        mismatch = (event, sequence)
      }
    } else if let key = event.key {
      if !turn.isOneChange { isOrderCertain = false }
      if !receivesValue {
        isInconsistent = turn.reruns && batch.contains { $0.event.key == event.key }
      }
      add(event, key)
      batch.append((event, sequence))
    }
  }

  /// Takes over what a value event of this turn shows that child events had not led to.
  mutating func adoptMismatch(in turn: Int, _ profile: Profile) {
    guard let mismatch else { return }
    self.mismatch = nil
    adopt(mismatch.event, nil, in: turn, profile)
  }

  private mutating func adopt(
    _ event: Event, _ keys: [Key]??, in turn: Int, _ profile: Profile
  ) {
    let keys =
      reportsAll ? keys ?? event.keys(ordered: target.query.ordering, in: profile) : nil
    children = event.value.children
    order = keys ?? []
    isOrderCertain = keys != nil
    value = event.value
    valueStep = turn
    isShown = true
    batch.removeAllKeepingStorage()
  }

  private mutating func add(_ event: Event, _ key: Key) {
    switch event.type {
    case .childAdded:
      children[key] = event.value
      insert(key, after: event.previous)
    case .childChanged: children[key] = event.value
    case .childMoved:
      // EVT-25: what was placed behind this child earlier in the change was placed too early.
      if batch.contains(where: { $0.event.setsPosition && $0.event.previous == .key(key) }) {
        isOrderCertain = false
      }
      order.removeAll { $0 == key }
      insert(key, after: event.previous)
    case .childRemoved:
      children[key] = .empty
      order.removeAll { $0 == key }
    case .value: break
    }
  }

  private mutating func insert(_ key: Key, after previous: Event.Previous) {
    guard reportsAll else { return }
    switch previous {
    case .none: isOrderCertain = false
    case .first: order.insert(key, at: 0)
    case let .key(neighbour):
      if order.last == neighbour {
        order.append(key)
      } else if let index = order.firstIndex(of: neighbour) {
        order.insert(key, at: index + 1)
      } else {
        order.append(key)
        isOrderCertain = false
      }
    }
  }
}

extension Event {
  /// The children's keys as the client orders them; `nil` where it does not state it and the
  /// profile leaves it open.
  package func keys(ordered ordering: Query.Ordering, in profile: Profile) -> [Key]? {
    if let childKeys { return childKeys }
    guard ordering.isSettled(for: value.children, in: profile) else { return nil }
    return ordering.keys(of: value.children)
  }

  /// Whether it says where a child stands from now on.
  fileprivate var setsPosition: Bool { type == .childAdded || type == .childMoved }
}

/// What is known of a turn as a whole, while its outputs are looked at one by one.
package struct TurnContext {
  /// The event of the input.
  package let sequence: Int
  /// Whether all events of the turn belong to one change.
  package let isOneChange: Bool
  /// Whether the client may have undone something that it had shown.
  package let undoes: Bool
  /// Whether transactions ran again, whose events come before those that made them run (TXN-16).
  package let reruns: Bool
}
