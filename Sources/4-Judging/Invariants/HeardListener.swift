internal import ClientInterface
internal import Tree

/// A listener, and what its events add up to.
struct HeardListener {
  let id: ListenerID
  let target: Operation.Target
  let types: Set<EventType>
  let isOnce: Bool
  var state = State.live
  /// How many events and cancellations it heard.
  var heard = 0

  /// The children that its events have told of, and their order by the previous keys.
  var children = Children()
  var order: [Key] = []
  /// Whether `order` must be that of the next value event.
  var isOrderCertain = true
  /// What the last value event showed, and the turn in which it did.
  var value: Node?
  var valueTurn = -1
  /// Whether the value stands for everything at the place: a covering write that was taken back may
  /// have left it unknown again.
  var isShown = false

  /// Whether the last it heard was told twice, first with what a rerun had changed and then without
  /// (TXN-16).
  var isMuddled = false

  /// What was heard in this turn since the last value event.
  var batch: [(event: Event, sequence: Int)] = []
  /// How many value events were heard in this turn.
  var valuesInTurn = 0
  /// A value event of this turn that does not show what the child events before it add up to.
  var mismatch: (event: Event, sequence: Int)?

  enum State {
    case live
    case removed
    case cancelled
  }

  /// Whether children are known to come and go.
  let tellsPresence: Bool
  /// Whether the content of children is known as well.
  let tellsContent: Bool
  let tellsAll: Bool
  let hearsValue: Bool
  /// Whether it hears what no server knows.
  let isLocal: Bool

  init(_ registration: Operation.Registration) {
    id = registration.listener
    target = registration.target
    types = registration.events
    isOnce = registration.isOnce
    tellsPresence = types.contains(.childAdded) && types.contains(.childRemoved)
    tellsContent = tellsPresence && types.contains(.childChanged)
    tellsAll = types.count == EventType.allCases.count
    hearsValue = types.contains(.value)
    isLocal = target.path.keys.first == .info
  }

  /// Everything that the listener has been told; `nil` when that is not the whole window.
  var view: Node? {
    if hearsValue { return isShown ? value : nil }
    return tellsContent ? Node(children) : nil
  }

  mutating func beginTurn() {
    batch.removeAll(keepingCapacity: true)
    valuesInTurn = 0
    mismatch = nil
  }

  /// Adds a child event to what was told.
  mutating func fold(_ event: Event) {
    guard let key = event.key else { return }
    switch event.type {
    case .childAdded:
      children[key] = event.value
      place(key, after: event.previous)
    case .childChanged: children[key] = event.value
    case .childMoved:
      // EVT-25: what was placed behind this child earlier in the change was placed too early.
      if batch.contains(where: { $0.event.places && $0.event.previous == .key(key) }) {
        isOrderCertain = false
      }
      order.removeAll { $0 == key }
      place(key, after: event.previous)
    case .childRemoved:
      children[key] = .empty
      order.removeAll { $0 == key }
    case .value: break
    }
  }

  private mutating func place(_ key: Key, after previous: Event.Previous) {
    guard tellsAll else { return }
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

  /// Takes over what a value event shows.
  mutating func adopt(_ event: Event, keys: [Key]?, turn: Int) {
    children = event.value.children
    order = tellsAll ? keys ?? [] : []
    isOrderCertain = keys != nil
    value = event.value
    valueTurn = turn
    isShown = true
    batch.removeAll(keepingCapacity: true)
  }
}

extension Event {
  /// Whether it says where a child stands from now on.
  var places: Bool { type == .childAdded || type == .childMoved }
}
