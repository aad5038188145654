internal import ClientInterface
internal import Scenario
internal import Trace
internal import Tree

/// Judges one event by what its listener received before.
struct EventJudge {
  private let client: ClientIndex
  private let profile: Profile
  private let context: ListenerMonitor.StepContext
  private let sequence: Int
  /// Whether a value event may show the same as the one before it.
  var mayRepeat = false
  private(set) var findings: [InvariantViolation] = []

  init(
    client: ClientIndex, profile: Profile, _ context: ListenerMonitor.StepContext,
    at sequence: Int
  ) {
    self.client = client
    self.profile = profile
    self.context = context
    self.sequence = sequence
  }

  private mutating func record(
    _ invariant: Invariant, _ listener: ListenerModel, at sequence: Int? = nil, _ sentence: String
  ) {
    let about = InvariantViolation.About.listener(client, listener.id, listener.target)
    findings.append(InvariantViolation(invariant, about, at: sequence ?? self.sequence, sentence))
  }

  mutating func take(_ event: Event, at listener: inout ListenerModel, step: Int) {
    judgeLifetime(event, listener)
    listener.received += 1
    guard listener.state == .live, !listener.isOnce else { return }
    if !listener.types.contains(event.type) {
      let kinds = listener.types.sorted().map(\.rawValue).joined(separator: ", ")
      return record(
        .askedFor, listener, "the listener received \(event.name), but asked for \(kinds)")
    }
    if event.type == .value {
      takeValue(event, at: &listener, step: step)
    } else {
      takeChild(event, at: &listener)
    }
  }

  private mutating func judgeLifetime(_ event: Event, _ listener: ListenerModel) {
    switch listener.state {
    case .removed:
      record(.silentAfterRemoval, listener, "\(event.name) came after the listener's removal")
    case .cancelled:
      record(.silentAfterCancel, listener, "\(event.name) came after the listener's cancellation")
    case .live:
      guard listener.isOnce, listener.received > 0 else { return }
      record(.onceIsOnce, listener, "the single read received \(event.name) after its one event")
    }
  }
}

// Child events.

extension EventJudge {
  private mutating func takeChild(_ event: Event, at listener: inout ListenerModel) {
    guard let key = event.key else { return }
    judgePresence(event, key, listener)
    if context.isOneChange, let before = listener.batch.last?.event, event.type < before.type {
      record(
        .kindsInOrder, listener, "\(event.name) came after \(before.name) of the same change")
    }
    if !context.isOneChange { listener.isOrderCertain = false }
    if !listener.receivesValue {
      listener.isInconsistent =
        context.reruns && listener.batch.contains { $0.event.key == event.key }
    }
    listener.fold(event)
    listener.batch.append((event, sequence))
  }

  private mutating func judgePresence(_ event: Event, _ key: Key, _ listener: ListenerModel) {
    if context.reruns || listener.isInconsistent { return }
    let known = listener.children[key]
    switch event.type {
    case .childAdded:
      guard listener.reportsPresence, !known.isEmpty else { return }
      record(.addedOnce, listener, "\(event.name) came while the child was there already")
    case .childChanged, .childMoved, .childRemoved:
      guard listener.types.contains(.childAdded) else { return }
      if known.isEmpty {
        record(.presentChild, listener, "\(event.name) came while the child was not there")
      } else if event.type == .childRemoved, listener.reportsContent, known != event.value {
        record(
          .lastShownValue, listener,
          "\(event.name) brought \(event.value), but \(known) was shown last")
      }
    case .value: break
    }
  }
}

// Value events.

extension EventJudge {
  private mutating func takeValue(_ event: Event, at listener: inout ListenerModel, step: Int) {
    if listener.isLocal { judgeLocal(event, listener) }
    if let value = listener.value, value == event.value, !mayRepeat {
      record(.newValue, listener, "\(event.name) came twice in a row with \(value)")
    }
    listener.valuesInStep += 1
    let wasInconsistent = listener.isInconsistent
    listener.isInconsistent = context.reruns && listener.valuesInStep > 1
    if context.isOneChange, listener.valuesInStep == 2 {
      record(.oneValue, listener, "one change raised \(event.name) twice")
    }
    judgeWindow(event, listener)
    if let earlier = listener.mismatch {
      listener.mismatch = nil
      settle(earlier.event, from: earlier.sequence, at: &listener, step: step)
    }
    if listener.reportsContent, listener.children != event.value.children, !wasInconsistent {
      // Adopted, or not, when what follows in this turn is known.
      listener.mismatch = (event, sequence)
      return
    }
    let keys = self.keys(of: event, listener)
    if let keys, context.isOneChange { judgeOrder(keys, event, listener) }
    listener.adopt(event, keys: keys, step: step)
  }

  /// Judges a value event that the child events before it did not lead to, now that those behind it
  /// in the same turn are known.
  mutating func settle(
    _ event: Event, from sequence: Int, at listener: inout ListenerModel, step: Int
  ) {
    if context.reruns {
      // What reruns change is raised before the change that made them run, though it builds on it.
    } else if listener.children == event.value.children {
      record(
        .valueLast, listener, at: sequence,
        "\(event.name) came before child events of its change")
    } else {
      record(
        .extracted, listener, at: sequence,
        "\(event.name) shows \(event.value), but child events add up to \(Node(listener.children))")
    }
    listener.adopt(event, keys: keys(of: event, listener), step: step)
  }

  private static let connected: Path = ".info/connected"

  private mutating func judgeLocal(_ event: Event, _ listener: ListenerModel) {
    guard listener.target.path == Self.connected, let value = event.value.scalar else { return }
    if value == .bool(true), !context.hasReceivedHello {
      record(
        .connectedAlternates, listener, "\(event.name) is true, but no connection has had its hello"
      )
    } else if listener.value == event.value {
      record(.connectedAlternates, listener, "\(event.name) is \(event.value) twice in a row")
    }
  }

  /// The children's keys as the client orders them; `nil` where it does not state it and the
  /// profile leaves it open.
  private func keys(of event: Event, _ listener: ListenerModel) -> [Key]? {
    guard listener.reportsAll else { return nil }
    if let keys = event.childKeys { return keys }
    let ordering = listener.target.query.ordering
    guard ordering.isSettled(for: event.value.children, in: profile) else { return nil }
    return ordering.keys(of: event.value.children)
  }

  private mutating func judgeOrder(_ keys: [Key], _ event: Event, _ listener: ListenerModel) {
    // A table costs more than a few searches.
    let positions =
      listener.batch.count > 4 ? Dictionary(zip(keys, keys.indices)) { first, _ in first } : nil
    for (child, sequence) in listener.batch where child.type != .childRemoved {
      guard child.previous != .none, let key = child.key,
        let index = positions.map({ $0[key] }) ?? keys.firstIndex(of: key)
      else { continue }
      let neighbour = Event.Previous(index > 0 ? keys[index - 1] : nil)
      guard child.previous != neighbour else { continue }
      record(
        .neighbour, listener, at: sequence,
        "\(child.name) names \(child.previous.text) before it, but it is after "
          + neighbour.text)
      return
    }
    if listener.isOrderCertain, listener.order != keys {
      record(
        .extractedOrder, listener,
        "\(event.name) lists \(keys.text), but child events give \(listener.order.text)")
    }
  }

  private mutating func judgeWindow(_ event: Event, _ listener: ListenerModel) {
    let query = listener.target.query
    guard query.filters else { return }
    if let limit = query.limit, event.value.children.count > limit.count {
      record(
        .withinLimit, listener,
        "\(event.name) shows \(event.value.children.count) children, but the limit is "
          + "\(limit.count)")
    }
    for child in event.value.children where query.excludes(child.node, at: child.key, in: profile) {
      record(
        .withinRange, listener,
        "\(event.name) shows \(child.key) = \(child.node), which is out of range")
      return
    }
  }
}
