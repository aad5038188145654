import ClientInterface
import Document
import Scenario

extension Reading {
  /// `CLIENT.LABEL: [events]`.
  mutating func readListener(
    _ entry: DocumentNode.Entry, _ client: String, _ label: Labels.Label
  ) -> ListenerExpectation? {
    switch label.kind {
    case .listener, .unknown: break
    case .write, .push, .keyOnly, .transaction, .inspection, .credential:
      mismatch(entry.key, entry.value, expected: "the outcome of a call, such as {ok: true}")
      return nil
    }
    guard case let .list(elements) = entry.value.content else {
      mismatch(entry.key, entry.value, expected: "a list of events")
      return nil
    }
    var listener = ListenerExpectation(
      client: client, listener: ListenerID(label.name), position: entry.keyPosition, items: [])
    for element in elements {
      if let node = element["each-gap"] {
        if listener.gap != nil {
          report(element.position, "each-gap is given twice; expected it once for each listener")
        }
        listener.gap = readGap(element, node)
      } else if let item = readItem(element, label) {
        listener.items.append(item)
      }
    }
    return listener
  }

  private mutating func readItem(
    _ node: DocumentNode, _ label: Labels.Label
  ) -> ListenerExpectation.Item? {
    guard let group = node["$unordered"] else {
      return readEvent(node, label).map(ListenerExpectation.Item.event)
    }
    _ = fields(of: node, "a group of events", keys: ["$unordered"])
    let events = list(group, "$unordered", of: "events").compactMap { readEvent($0, label) }
    return .unordered(events)
  }

  /// `each-gap: {min, max, growth}`.
  private mutating func readGap(
    _ item: DocumentNode, _ node: DocumentNode
  ) -> ListenerExpectation.Gap? {
    let keys = ["min", "max", "growth"]
    _ = fields(of: item, "each-gap", keys: ["each-gap"])
    guard let fields = fields(of: node, "each-gap", keys: keys) else { return nil }
    if fields.entries.isEmpty {
      report(node.position, "each-gap is empty; expected \(alternatives(keys))")
    }
    let minimum = fields["min"].flatMap { interval($0, "min") }
    let maximum = fields["max"].flatMap { interval($0, "max") }
    if let minimum, let maximum {
      _ = ordered(minimum, maximum, "each-gap", at: node.position)
    }
    let growth = fields["growth"].flatMap { number($0, "growth") }
    if let growth, growth <= 0, let node = fields["growth"] {
      report(node.position, "growth is \(node.flowText); expected a number above 0")
    }
    return .init(minimum: minimum, maximum: maximum, growth: growth)
  }
}

extension Reading {
  private static let childKinds = ["child_added", "child_changed", "child_moved", "child_removed"]
  private static let eventKeys = childKinds + ["value", "cancelled", "prev", "at", "within"]

  private mutating func readEvent(
    _ node: DocumentNode, _ label: Labels.Label
  ) -> ExpectedEvent? {
    guard let fields = fields(of: node, "an event", keys: Self.eventKeys) else { return nil }
    let kinds = fields.entries.filter {
      Self.childKinds.contains($0.key) || $0.key == "cancelled"
    }
    if kinds.count > 1, let second = kinds.last {
      report(
        second.keyPosition,
        "an event is both \(kinds.map(\.key).joined(separator: " and ")); "
          + "expected one kind in each item")
      return nil
    }
    let time = timeBound(fields)
    switch kinds.first {
    case let entry? where entry.key == "cancelled":
      return cancellation(entry, fields, time)
    case let entry?:
      return childEvent(entry, fields, label, time)
    case nil:
      return valueEvent(fields, label, time)
    }
  }

  private mutating func cancellation(
    _ entry: DocumentNode.Entry, _ fields: Fields, _ time: TimeBound?
  ) -> ExpectedEvent? {
    refuse(["value", "prev"], in: fields, beside: "cancelled")
    return errorCode(entry.value, "cancelled").map {
      ExpectedEvent(position: fields.position, kind: .cancelled($0), time: time)
    }
  }

  private mutating func childEvent(
    _ entry: DocumentNode.Entry, _ fields: Fields, _ label: Labels.Label, _ time: TimeBound?
  ) -> ExpectedEvent? {
    guard let type = EventType(rawValue: entry.key) else { return nil }
    checkReceived(type, by: label, at: entry.keyPosition)
    if type == .childRemoved { refuse(["prev"], in: fields, beside: entry.key) }
    var event = ExpectedEvent(position: fields.position, kind: .event(type), time: time)
    event.key = keyPattern(entry.value, "the key")
    event.value = fields["value"].map { pattern($0, "value") }
    if let node = fields["prev"] {
      event.previous =
        node.isNull ? .first : keyPattern(node, "prev").map { .key($0) } ?? .unstated
    }
    return event
  }

  private mutating func valueEvent(
    _ fields: Fields, _ label: Labels.Label, _ time: TimeBound?
  ) -> ExpectedEvent? {
    guard let entry = fields.entry("value") else {
      // A misspelt kind has been reported as an unknown key.
      if fields.entries.allSatisfy({ Self.eventKeys.contains($0.key) }) {
        let kinds = Self.childKinds + ["value", "cancelled"]
        report(fields.position, "an event has no kind; expected \(alternatives(kinds))")
      }
      return nil
    }
    let isWhole = fields.entries.allSatisfy { Self.eventKeys.contains($0.key) }
    guard isWhole else { return nil }
    refuse(["prev"], in: fields, beside: "value")
    checkReceived(.value, by: label, at: entry.keyPosition)
    let value = pattern(entry.value, "value")
    return ExpectedEvent(position: fields.position, kind: .event(.value), value: value, time: time)
  }

  private mutating func refuse(_ keys: [String], in fields: Fields, beside kind: String) {
    for entry in fields.entries where keys.contains(entry.key) {
      report(entry.keyPosition, "\(kind) has a \(entry.key); expected none with this kind of event")
    }
  }

  /// Reports an event that the listener cannot receive.
  private mutating func checkReceived(
    _ type: EventType, by label: Labels.Label, at position: Position
  ) {
    guard case let .listener(types) = label.kind, !types.contains(type) else { return }
    let received = types.sorted().map(\.rawValue)
    report(
      position,
      "\(label.name) does not receive \(type.rawValue); expected \(alternatives(received))")
  }
}
