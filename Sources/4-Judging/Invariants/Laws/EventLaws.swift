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
  /// Reports what breaks an invariant, unless it may look so for a reason.
  private func report(
    _ invariant: Invariant, _ sentence: @autoclosure () -> String, unless doubt: Doubt? = nil,
    at evidence: Int? = nil
  ) {
    findings.pointee.add(
      doubt.map { .unknown($0, of: invariant) } ?? violated(invariant, sentence(), at: evidence))
  }

  /// Judges a child event that the listener asked for.
  func judgeChild() {
    let known = event.key.map { listener.children[$0] } ?? .empty
    // A rerun may have the same raised again that was raised before (TXN-16).
    let doubt = context.reruns || listener.isInconsistent ? Doubt.reruns : nil
    if event.type == .childAdded {
      if listener.reportsPresence, doubt != nil || !known.isEmpty {
        report(
          .addedOnce, "\(event.name) came while the child was there already", unless: doubt)
      }
    } else if listener.types.contains(.childAdded), doubt != nil || known.isEmpty {
      report(.presentChild, "\(event.name) came while the child was not there", unless: doubt)
    }
    if event.type == .childRemoved, listener.reportsContent,
      doubt != nil || !known.isEmpty && known != event.value
    {
      report(
        .lastShownValue, "\(event.name) brought \(event.value), but \(known) was shown last",
        unless: doubt)
    }
    if let before = listener.batch.last?.event, event.type < before.type {
      report(
        .kindsInOrder, "\(event.name) came after \(before.name) of the same change",
        unless: severalChanges)
    }
  }

  /// Why it may not be said what one change did.
  private var severalChanges: Doubt? { context.isOneChange ? nil : .severalChanges }

  /// Judges a value event that the listener asked for.
  func judgeValue() {
    if listener.isLocal { judgeConnected() }
    if let value = listener.value, value == event.value {
      let mayRepeat = context.undoes || listener.valueStep <= turn.lastUndoing
      report(
        .newValue, "\(event.name) came twice in a row with \(value)",
        unless: mayRepeat ? .takenBack : nil)
    }
    if listener.valuesInStep == 1 {
      report(.oneValue, "one change raised \(event.name) twice", unless: severalChanges)
    }
    let query = listener.target.query
    guard query.filters else { return }
    let count = event.value.children.count
    if let limit = query.limit, count > limit.count {
      report(
        .withinLimit, "\(event.name) shows \(count) children, but the limit is \(limit.count)")
    }
    let stray = event.value.children.first {
      query.excludes($0.node, at: $0.key, in: turn.profile)
    }
    if let stray {
      report(
        .withinRange, "\(event.name) shows \(stray.key) = \(stray.node), which is out of range")
    }
  }

  private func judgeConnected() {
    guard listener.target.path == ".info/connected", let value = event.value.scalar else { return }
    if value == .bool(true), !turn.link.hasReceivedHello {
      report(
        .connectedAlternates, "\(event.name) is true, but no connection has had its hello")
    } else if listener.value == event.value {
      report(.connectedAlternates, "\(event.name) is \(event.value) twice in a row")
    }
  }

  /// Judges a value event that child events had not led to, now that those behind it in its turn are
  /// known.
  func judgeUnexpected() {
    // What reruns change is raised before the change that made them run, though it builds on it.
    let doubt = context.reruns ? Doubt.reruns : nil
    let isEarly = listener.children == event.value.children
    if doubt != nil || isEarly {
      report(
        .valueLast, "\(event.name) came before child events of its change", unless: doubt)
    }
    if doubt != nil || !isEarly {
      report(
        .extracted,
        "\(event.name) shows \(event.value), but child events add up to "
          + "\(Node(listener.children))", unless: doubt)
    }
  }

  /// Judges the order that a value event shows to which child events have led: that of a listener
  /// which receives all kinds.
  func judgeOrder(_ keys: [Key]?) {
    guard context.isOneChange, let keys else {
      let doubt = severalChanges ?? .looseOrder
      if !listener.batch.isEmpty { findings.pointee.add(.unknown(doubt, of: .neighbour)) }
      findings.pointee.add(.unknown(doubt, of: .extractedOrder))
      return
    }
    if let (child, sequence, neighbour) = misplaced(among: keys) {
      // A wrong neighbour is the better explanation of a wrong order.
      report(
        .neighbour,
        "\(child.name) names \(child.previous.text) before it, but it is after "
          + neighbour.text, at: sequence)
    } else if listener.isOrderCertain, listener.order != keys {
      report(
        .extractedOrder,
        "\(event.name) lists \(keys.text), but child events give \(listener.order.text)")
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
