internal import ClientInterface
internal import RunModel
internal import Scenario
internal import Trace
internal import Tree
internal import Wire

// What one listener receives: each event is compared with what came before it.

enum EventLaws {
  static let all =
    [
      addedOnce, presentChild, lastShownValue, noneBefore, kindsInOrder, connectedAlternates, truth,
    ]
    + values + windows + unexpectedValues + expectedValues + [answerOfServer]

  /// Of what reaches a listener and may be more than just what goes on there.
  static let lifetimes: [Law<ReceiptOccasion>] = [
    Law(.silentAfterRemoval, unknown: [.severalChanges]) {
      guard $0.listener.state == .removed else { return .holds }
      // CBK-14: it may have ended before a callback of the same turn removed it.
      if $0.turn.step.isSplit, $0.event == nil || $0.listener.isOnce {
        return .unknown(.severalChanges)
      }
      return $0.violated(
        $0.event.map { "\($0.name) came after the listener's removal" }
          ?? "the listener was cancelled after its removal")
    },
    Law(.silentAfterCancel) {
      guard $0.listener.state == .cancelled else { return .holds }
      return $0.violated(
        $0.event.map { "\($0.name) came after the listener's cancellation" }
          ?? "the listener was cancelled a second time")
    },
    Law(.onceIsOnce) {
      guard $0.listener.state == .live, $0.listener.isOnce, $0.listener.received > 0 else {
        return .holds
      }
      return $0.violated(
        $0.event.map { "the single read received \($0.name) after its one event" }
          ?? "the single read was cancelled although it had its event")
    },
    Law(.askedFor) {
      guard let event = $0.event, $0.listener.state == .live, !$0.listener.isOnce,
        !$0.listener.types.contains(event.type)
      else { return .holds }
      let kinds = $0.listener.types.sorted().map(\.rawValue).joined(separator: ", ")
      return $0.violated("the listener received \(event.name), but asked for \(kinds)")
    },
  ]
}

extension EventLaws {
  /// Of an event at a listener that does not go on, in a turn in which the server answers a get.
  static let answerOfServer = Law<EventOccasion>(.answerOfServer) {
    guard let (get, data) = $0.turn.judged.pointee.answered, !$0.listener.isRemovable,
      get.reads($0.listener.target.path, $0.listener.target.query), $0.event.value != data
    else { return .holds }
    return $0.violated("the get ends with \($0.event.value), but the server answered \(data)")
  }
}

// MARK: - Child events

extension EventLaws {
  // Of child events that the listener asked for, by their kind.
  static let additions = [addedOnce, kindsInOrder]
  static let removals = [presentChild, lastShownValue, noneBefore, kindsInOrder]
  static let changes = [presentChild, kindsInOrder]

  static let addedOnce = Law<EventOccasion>(.addedOnce, unknown: [.reruns]) {
    if !$0.listener.reportsPresence { return .holds }
    if $0.mayBeRaisedTwice { return .unknown(.reruns) }
    if $0.known.isEmpty { return .holds }
    return $0.violated("\($0.event.name) came while the child was there already")
  }

  static let presentChild = Law<EventOccasion>(.presentChild, unknown: [.reruns]) {
    if !$0.listener.types.contains(.childAdded) { return .holds }
    if $0.mayBeRaisedTwice { return .unknown(.reruns) }
    guard $0.known.isEmpty else { return .holds }
    return $0.violated("\($0.event.name) came while the child was not there")
  }

  static let lastShownValue = Law<EventOccasion>(.lastShownValue, unknown: [.reruns]) {
    if !$0.listener.reportsContent { return .holds }
    if $0.mayBeRaisedTwice { return .unknown(.reruns) }
    let known = $0.known
    if known.isEmpty || known == $0.event.value { return .holds }
    return $0.violated("\($0.event.name) brought \($0.event.value), but \(known) was shown last")
  }

  static let noneBefore = Law<EventOccasion>(.noneBefore) {
    guard case let .key(key) = $0.event.previous else { return .holds }
    return $0.violated("\($0.event.name) names \(key) as the child before it")
  }

  static let kindsInOrder = Law<EventOccasion>(.kindsInOrder, unknown: [.severalChanges]) {
    guard let before = $0.listener.batch.last?.event, $0.event.type < before.type else {
      return .holds
    }
    if !$0.context.isOneChange { return .unknown(.severalChanges) }
    return $0.violated("\($0.event.name) came after \(before.name) of the same change")
  }
}

// MARK: - Value events

extension EventLaws {
  /// Of a value event at a listener of what no server knows.
  static let connectedAlternates = Law<EventOccasion>(.connectedAlternates) {
    guard $0.listener.target.path == ".info/connected", let value = $0.event.value.scalar else {
      return .holds
    }
    if value == .bool(true), !$0.turn.link.hasReceivedHello {
      return $0.violated("\($0.event.name) is true, but no connection has had its hello")
    }
    guard $0.listener.value == $0.event.value else { return .holds }
    return $0.violated("\($0.event.name) is \($0.event.value) twice in a row")
  }

  /// Of value events that the listener asked for.
  static let values: [Law<EventOccasion>] = [
    Law(.newValue, unknown: [.takenBack]) {
      guard let value = $0.listener.value, value == $0.event.value else { return .holds }
      if $0.context.undoes || $0.listener.valueStep <= $0.turn.lastUndoing {
        return .unknown(.takenBack)
      }
      return $0.violated("\($0.event.name) came twice in a row with \(value)")
    },
    Law(.oneValue, unknown: [.severalChanges]) {
      guard $0.listener.valuesInStep == 1 else { return .holds }
      if !$0.context.isOneChange { return .unknown(.severalChanges) }
      return $0.violated("one change raised \($0.event.name) twice")
    },
  ]

  /// Of value events at listeners with a query that leaves something out.
  static let windows: [Law<EventOccasion>] = [
    Law(.withinLimit) {
      let count = $0.event.value.children.count
      guard let limit = $0.listener.target.query.limit, count > limit.count else {
        return .holds
      }
      return $0.violated(
        "\($0.event.name) shows \(count) children, but the limit is \(limit.count)")
    },
    Law(.withinRange) { occasion in
      let query = occasion.listener.target.query
      let stray = occasion.event.value.children.first {
        query.excludes($0.node, at: $0.key, in: occasion.turn.profile)
      }
      guard let stray else { return .holds }
      return occasion.violated(
        "\(occasion.event.name) shows \(stray.key) = \(stray.node), which is out of range")
    },
  ]

  /// Of a value event that child events had not led to, now that those behind it in its turn are
  /// known.
  static let unexpectedValues: [Law<EventOccasion>] = [
    Law(.valueLast, unknown: [.reruns]) {
      // What reruns change is raised before the change that made them run, though it builds on it.
      if $0.context.reruns { return .unknown(.reruns) }
      guard $0.listener.children == $0.event.value.children else { return .holds }
      return $0.violated("\($0.event.name) came before child events of its change")
    },
    Law(.extracted, unknown: [.reruns]) {
      if $0.context.reruns { return .unknown(.reruns) }
      if $0.listener.children == $0.event.value.children { return .holds }
      return $0.violated(
        "\($0.event.name) shows \($0.event.value), but child events add up to "
          + "\(Node($0.listener.children))")
    },
  ]

  /// Of a value event that child events have led to, at a listener that receives all kinds.
  static let expectedValues: [Law<EventOccasion>] = [
    Law(.neighbour, unknown: [.severalChanges, .looseOrder]) {
      if $0.listener.batch.isEmpty { return .holds }
      if !$0.context.isOneChange { return .unknown(.severalChanges) }
      guard let keys = $0.keys else { return .unknown(.looseOrder) }
      guard let (child, sequence, neighbour) = $0.misplaced(among: keys) else { return .holds }
      return $0.violated(
        "\(child.name) names \(child.previous.text) before it, but it is after "
          + neighbour.text, at: sequence)
    },
    Law(.extractedOrder, unknown: [.severalChanges, .looseOrder]) {
      if !$0.context.isOneChange { return .unknown(.severalChanges) }
      guard let keys = $0.keys else { return .unknown(.looseOrder) }
      // A wrong neighbour is the better explanation.
      guard $0.listener.isOrderCertain, $0.listener.order != keys,
        $0.misplaced(among: keys) == nil
      else { return .holds }
      return $0.violated(
        "\($0.event.name) lists \(keys.text), but child events give "
          + $0.listener.order.text)
    },
  ]
}

extension EventOccasion {
  /// What the listener has been shown of the child.
  fileprivate var known: Node { event.key.map { listener.children[$0] } ?? .empty }

  /// Whether a rerun may have the same raised again that was raised before (TXN-16).
  fileprivate var mayBeRaisedTwice: Bool { context.reruns || listener.isInconsistent }

  /// The first child event of the change whose previous key is not that of the window.
  fileprivate func misplaced(
    among keys: [Key]
  ) -> (child: Event, sequence: Int, neighbour: Event.Previous)? {
    let batch = listener.batch
    // A table costs more than a few searches.
    let positions =
      batch.count > 4 ? Dictionary(zip(keys, keys.indices)) { first, _ in first } : nil
    for (child, sequence) in batch where child.type != .childRemoved {
      guard child.previous != .none, let key = child.key,
        let index = positions.map({ $0[key] }) ?? keys.firstIndex(of: key)
      else { continue }
      let neighbour = Event.Previous(index > 0 ? keys[index - 1] : nil)
      if child.previous != neighbour { return (child, sequence, neighbour) }
    }
    return nil
  }
}
