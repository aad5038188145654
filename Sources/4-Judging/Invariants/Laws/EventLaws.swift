internal import ClientInterface
internal import RunModel
internal import Scenario
internal import Tree

// What one listener receives: each event is compared with what came before it.

enum EventLaws {
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
}

extension EventOccasion {
  /// Judges a child event that the listener asked for.
  func judgeChild(into findings: inout Findings) {
    let known = event.key.map { listener.children[$0] } ?? .empty
    if event.type == .childAdded {
      if listener.reportsPresence {
        findings.add(
          unlessRepeated(known.isEmpty, "\(event.name) came while the child was there already"),
          of: .addedOnce)
      }
    } else if listener.types.contains(.childAdded) {
      findings.add(
        unlessRepeated(!known.isEmpty, "\(event.name) came while the child was not there"),
        of: .presentChild)
    }
    if event.type == .childRemoved, listener.reportsContent {
      findings.add(
        unlessRepeated(
          known.isEmpty || known == event.value,
          "\(event.name) brought \(event.value), but \(known) was shown last"),
        of: .lastShownValue)
    }
    if let before = listener.batch.last?.event, event.type < before.type {
      findings.add(
        context.isOneChange
          ? violated("\(event.name) came after \(before.name) of the same change")
          : .unknown(.severalChanges),
        of: .kindsInOrder)
    }
  }

  /// A rerun may have the same raised again that was raised before (TXN-16).
  private func unlessRepeated(
    _ isRight: Bool, _ sentence: @autoclosure () -> String
  ) -> Judgement {
    if context.reruns || listener.isInconsistent { return .unknown(.reruns) }
    return isRight ? .holds : violated(sentence())
  }

  /// Judges a value event that the listener asked for.
  func judgeValue(into findings: inout Findings) {
    if listener.isLocal { findings.add(judgeConnected(), of: .connectedAlternates) }
    if let value = listener.value, value == event.value {
      let mayRepeat = context.undoes || listener.valueStep <= turn.lastUndoing
      findings.add(
        mayRepeat
          ? .unknown(.takenBack)
          : violated("\(event.name) came twice in a row with \(value)"),
        of: .newValue)
    }
    if listener.valuesInStep == 1 {
      findings.add(
        context.isOneChange
          ? violated("one change raised \(event.name) twice") : .unknown(.severalChanges),
        of: .oneValue)
    }
    let query = listener.target.query
    guard query.filters else { return }
    let count = event.value.children.count
    if let limit = query.limit, count > limit.count {
      findings.add(
        violated("\(event.name) shows \(count) children, but the limit is \(limit.count)"),
        of: .withinLimit)
    }
    let stray = event.value.children.first {
      query.excludes($0.node, at: $0.key, in: turn.profile)
    }
    if let stray {
      findings.add(
        violated("\(event.name) shows \(stray.key) = \(stray.node), which is out of range"),
        of: .withinRange)
    }
  }

  private func judgeConnected() -> Judgement {
    guard listener.target.path == ".info/connected", let value = event.value.scalar else {
      return .holds
    }
    if value == .bool(true), !turn.link.hasReceivedHello {
      return violated("\(event.name) is true, but no connection has had its hello")
    }
    return listener.value == event.value
      ? violated("\(event.name) is \(event.value) twice in a row") : .holds
  }

  /// Judges a value event that child events had not led to, now that those behind it in its turn are
  /// known.
  func judgeUnexpected(into findings: inout Findings) {
    // What reruns change is raised before the change that made them run, though it builds on it.
    if context.reruns {
      for invariant in [Invariant.valueLast, .extracted] {
        findings.add(.unknown(.reruns), of: invariant)
      }
    } else if listener.children == event.value.children {
      findings.add(
        violated("\(event.name) came before child events of its change"), of: .valueLast)
    } else {
      findings.add(
        violated(
          "\(event.name) shows \(event.value), but child events add up to "
            + "\(Node(listener.children))"),
        of: .extracted)
    }
  }

  /// Judges the order that a value event shows to which child events have led: that of a listener
  /// which receives all kinds.
  func judgeOrder(_ keys: [Key]?, into findings: inout Findings) {
    guard context.isOneChange, let keys else {
      let doubt = context.isOneChange ? Doubt.looseOrder : .severalChanges
      if !listener.batch.isEmpty { findings.add(.unknown(doubt), of: .neighbour) }
      findings.add(.unknown(doubt), of: .extractedOrder)
      return
    }
    if let (child, sequence, neighbour) = misplaced(among: keys) {
      // A wrong neighbour is the better explanation of a wrong order.
      findings.add(
        violated(
          "\(child.name) names \(child.previous.text) before it, but it is after "
            + neighbour.text, at: sequence),
        of: .neighbour)
    } else if listener.isOrderCertain, listener.order != keys {
      findings.add(
        violated(
          "\(event.name) lists \(keys.text), but child events give \(listener.order.text)"),
        of: .extractedOrder)
    }
  }

  /// The first child event of the change whose previous key is not that of the window.
  private func misplaced(
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
