internal import ClientInterface
internal import RunModel
internal import Scenario
internal import Tree

// What one listener receives: each event is compared with what came before it.

extension TurnOccasion {
  /// What reaches a listener and is not just what goes on there; `event` is `nil` where the server ends
  /// it.
  func judgeLifetime(_ event: Event?, at index: Int, _ sequence: Int) -> Judgement {
    let listener = listeners[index]
    func violated(
      _ invariant: Invariant, _ sentence: (Event) -> String, else cancellation: String
    ) -> Judgement {
      .violated(
        invariant, .listener(client, listener.id, listener.target), at: sequence,
        event.map(sentence) ?? cancellation)
    }
    switch listener.state {
    case .removed:
      return violated(
        .silentAfterRemoval, { "\($0.name) came after the listener's removal" },
        else: "the listener was cancelled after its removal")
    case .cancelled:
      return violated(
        .silentAfterCancel, { "\($0.name) came after the listener's cancellation" },
        else: "the listener was cancelled a second time")
    case .live where listener.isOnce:
      if listener.received == 0 { return .holds }
      return violated(
        .onceIsOnce, { "the single read received \($0.name) after its one event" },
        else: "the single read was cancelled although it had its event")
    case .live:
      guard let event, !listener.types.contains(event.type) else { return .holds }
      let kinds = listener.types.sorted().map(\.rawValue).joined(separator: ", ")
      return violated(
        .askedFor, { "the listener received \($0.name), but asked for \(kinds)" }, else: "")
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
          unlessRepeated(
            known.isEmpty, .addedOnce, "\(event.name) came while the child was there already"))
      }
    } else if listener.types.contains(.childAdded) {
      findings.add(
        unlessRepeated(
          !known.isEmpty, .presentChild, "\(event.name) came while the child was not there"))
    }
    if event.type == .childRemoved, listener.reportsContent {
      findings.add(
        unlessRepeated(
          known.isEmpty || known == event.value, .lastShownValue,
          "\(event.name) brought \(event.value), but \(known) was shown last"))
    }
    if let before = listener.batch.last?.event, event.type < before.type {
      findings.add(
        context.isOneChange
          ? violated(
            .kindsInOrder, "\(event.name) came after \(before.name) of the same change")
          : .unknown(.severalChanges, of: .kindsInOrder))
    }
  }

  /// A rerun may have the same raised again that was raised before (TXN-16).
  private func unlessRepeated(
    _ isRight: Bool, _ invariant: @autoclosure () -> Invariant,
    _ sentence: @autoclosure () -> String
  ) -> Judgement {
    if context.reruns || listener.isInconsistent { return .unknown(.reruns, of: invariant()) }
    return isRight ? .holds : violated(invariant(), sentence())
  }

  /// Judges a value event that the listener asked for.
  func judgeValue(into findings: inout Findings) {
    if listener.isLocal { findings.add(judgeConnected()) }
    if let value = listener.value, value == event.value {
      let mayRepeat = context.undoes || listener.valueStep <= turn.lastUndoing
      findings.add(
        mayRepeat
          ? .unknown(.takenBack, of: .newValue)
          : violated(.newValue, "\(event.name) came twice in a row with \(value)"))
    }
    if listener.valuesInStep == 1 {
      findings.add(
        context.isOneChange
          ? violated(.oneValue, "one change raised \(event.name) twice")
          : .unknown(.severalChanges, of: .oneValue))
    }
    let query = listener.target.query
    guard query.filters else { return }
    let count = event.value.children.count
    if let limit = query.limit, count > limit.count {
      findings.add(
        violated(
          .withinLimit,
          "\(event.name) shows \(count) children, but the limit is \(limit.count)"))
    }
    let stray = event.value.children.first {
      query.excludes($0.node, at: $0.key, in: turn.profile)
    }
    if let stray {
      findings.add(
        violated(
          .withinRange,
          "\(event.name) shows \(stray.key) = \(stray.node), which is out of range"))
    }
  }

  private func judgeConnected() -> Judgement {
    guard listener.target.path == ".info/connected", let value = event.value.scalar else {
      return .holds
    }
    if value == .bool(true), !turn.link.hasReceivedHello {
      return violated(
        .connectedAlternates, "\(event.name) is true, but no connection has had its hello")
    }
    return listener.value == event.value
      ? violated(.connectedAlternates, "\(event.name) is \(event.value) twice in a row") : .holds
  }

  /// Judges a value event that child events had not led to, now that those behind it in its turn are
  /// known.
  func judgeUnexpected(into findings: inout Findings) {
    // What reruns change is raised before the change that made them run, though it builds on it.
    if context.reruns {
      for invariant in [Invariant.valueLast, .extracted] {
        findings.add(.unknown(.reruns, of: invariant))
      }
    } else if listener.children == event.value.children {
      findings.add(
        violated(.valueLast, "\(event.name) came before child events of its change"))
    } else {
      findings.add(
        violated(
          .extracted,
          "\(event.name) shows \(event.value), but child events add up to "
            + "\(Node(listener.children))"))
    }
  }

  /// Judges the order that a value event shows to which child events have led: that of a listener
  /// which receives all kinds.
  func judgeOrder(_ keys: [Key]?, into findings: inout Findings) {
    guard context.isOneChange, let keys else {
      let doubt = context.isOneChange ? Doubt.looseOrder : .severalChanges
      if !listener.batch.isEmpty { findings.add(.unknown(doubt, of: .neighbour)) }
      findings.add(.unknown(doubt, of: .extractedOrder))
      return
    }
    if let (child, sequence, neighbour) = misplaced(among: keys) {
      // A wrong neighbour is the better explanation of a wrong order.
      findings.add(
        violated(
          .neighbour,
          "\(child.name) names \(child.previous.text) before it, but it is after "
            + neighbour.text, at: sequence))
    } else if listener.isOrderCertain, listener.order != keys {
      findings.add(
        violated(
          .extractedOrder,
          "\(event.name) lists \(keys.text), but child events give \(listener.order.text)"))
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
