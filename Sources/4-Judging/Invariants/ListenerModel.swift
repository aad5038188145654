internal import ClientInterface
internal import Tree

/// A listener, and what its events add up to.
struct ListenerModel {
  let id: ListenerID
  let target: Operation.Target
  let types: Set<EventType>
  let isOnce: Bool
  let isRemovable: Bool
  var state = State.live
  /// How many events and cancellations it received.
  var received = 0

  /// The children that its events have named, and their order by the previous keys.
  var children = Children()
  var order: [Key] = []
  /// Whether `order` must be that of the next value event.
  var isOrderCertain = true
  /// What the last value event showed, and the turn in which it did.
  var value: Node?
  var valueStep = -1
  /// Whether the value stands for everything at the location: a covering write that was taken back
  /// may have left it unknown again.
  var isShown = false

  /// Whether the last it received was raised twice, first with what a rerun had changed and then
  /// without (TXN-16).
  var isInconsistent = false

  /// What was received in this turn since the last value event.
  var batch: [(event: Event, sequence: Int)] = []
  /// Whether anything was received in this turn.
  var isTouched = false
  /// How many value events were received in this turn.
  var valuesInStep = 0
  /// A value event of this turn that does not show what the child events before it add up to.
  var mismatch: (event: Event, sequence: Int)?

  enum State {
    case live
    case removed
    case cancelled
  }

  /// Whether children are known to come and go.
  let reportsPresence: Bool
  /// Whether the content of children is known as well.
  let reportsContent: Bool
  let reportsAll: Bool
  let receivesValue: Bool
  /// Whether it receives what no server knows.
  let isLocal: Bool

  init(_ registration: Operation.Registration) {
    id = registration.listener
    target = registration.target
    types = registration.events
    isOnce = registration.isOnce
    isRemovable = registration.isRemovable
    reportsPresence = types.contains(.childAdded) && types.contains(.childRemoved)
    reportsContent = reportsPresence && types.contains(.childChanged)
    reportsAll = types.count == EventType.allCases.count
    receivesValue = types.contains(.value)
    isLocal = target.path.keys.first == .info
  }

  mutating func beginClientStep() {
    batch.removeAllKeepingStorage()
    isTouched = false
    valuesInStep = 0
    mismatch = nil
  }

  /// Adds a child event to what was raised.
  mutating func fold(_ event: Event) {
    guard let key = event.key else { return }
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

  /// Takes over what a value event shows.
  mutating func adopt(_ event: Event, keys: [Key]?, step: Int) {
    children = event.value.children
    order = reportsAll ? keys ?? [] : []
    isOrderCertain = keys != nil
    value = event.value
    valueStep = step
    isShown = true
    batch.removeAllKeepingStorage()
  }
}

extension Event {
  /// Whether it says where a child stands from now on.
  var setsPosition: Bool { type == .childAdded || type == .childMoved }
}
