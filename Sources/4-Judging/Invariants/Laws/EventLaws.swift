internal import ClientInterface
internal import RunModel
internal import Scenario
internal import Tree

// What one listener receives: each event is compared with what came before it.

enum EventLaws {
  static let all = children + values + unexpectedValues + expectedValues + truth

  static let lifetimes: [Laws.Decided] = [
    (.silentAfterRemoval, []), (.silentAfterCancel, []), (.onceIsOnce, []), (.askedFor, []),
  ]

  /// What is wrong with something that reaches a listener and is not just what goes on there; `event` is
  /// `nil` where the server ends it.
  static func brokenLifetime(
    _ listener: Listener, _ event: Event?
  ) -> (invariant: Invariant, sentence: String)? {
    switch listener.state {
    case .removed:
      return (
        .silentAfterRemoval,
        event.map { "\($0.name) came after the listener's removal" }
          ?? "the listener was cancelled after its removal"
      )
    case .cancelled:
      return (
        .silentAfterCancel,
        event.map { "\($0.name) came after the listener's cancellation" }
          ?? "the listener was cancelled a second time"
      )
    case .live where listener.isOnce:
      if listener.received == 0 { return nil }
      return (
        .onceIsOnce,
        event.map { "the single read received \($0.name) after its one event" }
          ?? "the single read was cancelled although it had its event"
      )
    case .live:
      guard let event, !listener.types.contains(event.type) else { return nil }
      let kinds = listener.types.sorted().map(\.rawValue).joined(separator: ", ")
      return (.askedFor, "the listener received \(event.name), but asked for \(kinds)")
    }
  }

  /// Of child events that the listener asked for.
  static let children: [Law<EventOccasion>] = [
    Law(.addedOnce, unknown: [.reruns]) {
      guard $0.event.type == .childAdded, $0.listener.reportsPresence else { return .holds }
      if $0.mayBeRaisedTwice { return .unknown(.reruns) }
      if $0.known.isEmpty { return .holds }
      return $0.violated("\($0.event.name) came while the child was there already")
    },
    Law(.presentChild, unknown: [.reruns]) {
      guard $0.event.type != .childAdded, $0.listener.types.contains(.childAdded) else {
        return .holds
      }
      if $0.mayBeRaisedTwice { return .unknown(.reruns) }
      guard $0.known.isEmpty else { return .holds }
      return $0.violated("\($0.event.name) came while the child was not there")
    },
    Law(.lastShownValue, unknown: [.reruns]) {
      guard $0.event.type == .childRemoved, $0.listener.reportsContent else { return .holds }
      if $0.mayBeRaisedTwice { return .unknown(.reruns) }
      let known = $0.known
      if known.isEmpty || known == $0.event.value { return .holds }
      return $0.violated(
        "\($0.event.name) brought \($0.event.value), but \(known) was shown last")
    },
    Law(.kindsInOrder, unknown: [.severalChanges]) {
      guard let before = $0.listener.batch.last?.event, $0.event.type < before.type else {
        return .holds
      }
      if !$0.context.isOneChange { return .unknown(.severalChanges) }
      return $0.violated("\($0.event.name) came after \(before.name) of the same change")
    },
  ]

  /// Of value events that the listener asked for.
  static let values: [Law<EventOccasion>] = [
    Law(.connectedAlternates) { occasion in
      guard occasion.listener.isLocal, occasion.listener.target.path == ".info/connected",
        let value = occasion.event.value.scalar
      else { return .holds }
      if value == .bool(true), !occasion.turn.link.hasReceivedHello {
        return occasion.violated(
          "\(occasion.event.name) is true, but no connection has had its hello")
      }
      guard occasion.listener.value == occasion.event.value else { return .holds }
      return occasion.violated(
        "\(occasion.event.name) is \(occasion.event.value) twice in a row")
    },
    Law(.newValue, unknown: [.takenBack]) { occasion in
      guard let value = occasion.listener.value, value == occasion.event.value else {
        return .holds
      }
      let mayRepeat =
        occasion.context.undoes
        || occasion.listener.valueStep <= occasion.turn.lastUndoing
      if mayRepeat { return .unknown(.takenBack) }
      return occasion.violated("\(occasion.event.name) came twice in a row with \(value)")
    },
    Law(.oneValue, unknown: [.severalChanges]) {
      guard $0.listener.valuesInStep == 1 else { return .holds }
      if !$0.context.isOneChange { return .unknown(.severalChanges) }
      return $0.violated("one change raised \($0.event.name) twice")
    },
    Law(.withinLimit) {
      guard let limit = $0.listener.target.query.limit,
        $0.event.value.children.count > limit.count
      else { return .holds }
      return $0.violated(
        "\($0.event.name) shows \($0.event.value.children.count) children, but the limit is "
          + "\(limit.count)")
    },
    Law(.withinRange) { occasion in
      let query = occasion.listener.target.query
      guard query.filters else { return .holds }
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

  /// Of a value event that child events have led to, or to which nothing is known to lead.
  static let expectedValues: [Law<EventOccasion>] = [
    Law(.neighbour, unknown: [.severalChanges, .looseOrder]) { occasion in
      guard !occasion.listener.batch.isEmpty, occasion.listener.reportsAll else { return .holds }
      if !occasion.context.isOneChange { return .unknown(.severalChanges) }
      guard let keys = occasion.keys else { return .unknown(.looseOrder) }
      guard let (child, sequence, neighbour) = occasion.misplaced(among: keys) else {
        return .holds
      }
      return occasion.violated(
        "\(child.name) names \(child.previous.text) before it, but it is after "
          + neighbour.text, at: sequence)
    },
    Law(.extractedOrder, unknown: [.severalChanges, .looseOrder]) { occasion in
      guard occasion.listener.reportsAll else { return .holds }
      if !occasion.context.isOneChange { return .unknown(.severalChanges) }
      guard let keys = occasion.keys else { return .unknown(.looseOrder) }
      // A wrong neighbour is the better explanation.
      guard occasion.listener.isOrderCertain, occasion.listener.order != keys,
        occasion.misplaced(among: keys) == nil
      else { return .holds }
      return occasion.violated(
        "\(occasion.event.name) lists \(keys.text), but child events give "
          + occasion.listener.order.text)
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
