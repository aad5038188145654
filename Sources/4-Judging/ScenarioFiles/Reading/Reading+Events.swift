import ClientInterface
import Document
import Scenario
import Tree

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
    let table = ListenerExpectation.Gap.table
    var gap = ListenerExpectation.Gap(minimum: nil, maximum: nil, growth: nil)
    _ = fields(of: item, "each-gap", keys: ["each-gap"])
    guard let fields = read(node, "each-gap", by: table, into: &gap) else { return nil }
    if fields.entries.isEmpty {
      report(node.position, "each-gap is empty; expected \(alternatives(table.names))")
    }
    if let minimum = gap.minimum, let maximum = gap.maximum {
      _ = ordered(minimum, maximum, "each-gap", at: node.position)
    }
    if let growth = gap.growth, growth <= 0, let node = fields["growth"] {
      report(node.position, "growth is \(node.flowText); expected a number above 0")
    }
    return gap
  }
}

extension ExpectedEvent {
  /// What every kind of event can state.
  static let table = Table<ExpectedEvent>([
    Field(
      "prev", summary: "The key before the child in the new window; `null` for the first.",
      read: { reading, node, event in
        let key = node.isNull ? nil : reading.keyPattern(node, "prev")
        event.previous = node.isNull ? .first : key.map { .key($0) } ?? .unstated
      },
      write: { event in
        switch event.previous {
        case .unstated: nil
        case .first: .word("null")
        case let .key(key): .pattern(key)
        }
      }),
    .time(\.time),
  ])
}

extension ListenerExpectation.Gap {
  static let table = Table<ListenerExpectation.Gap>([
    Field("min", .duration, \.minimum, "The shortest time between an event and the next."),
    Field("max", .duration, \.maximum, "The longest time between an event and the next."),
    Field("growth", .number, \.growth, "How many times as long as the one before each is."),
  ])
}

extension Reading {
  private static let childKinds = ["child_added", "child_changed", "child_moved", "child_removed"]
  private static let eventNames = eventKeys.map(\.name)

  static let eventKeys: [FieldKey] = kindKeys + ExpectedEvent.table.keys

  private static let kindKeys: [FieldKey] = [
    .init("child_added", "The key of a child that is new in the window."),
    .init("child_changed", "The key of a child whose value or priority changed."),
    .init("child_moved", "The key of a child that has another previous key."),
    .init("child_removed", "The key of a child that left the window."),
    .init(
      "value", "The value, in export format or as a pattern; of a removal what was shown last."),
    .init("cancelled", Schema.text, "The error with which the server ended the listener."),
  ]

  private mutating func readEvent(
    _ node: DocumentNode, _ label: Labels.Label
  ) -> ExpectedEvent? {
    guard let fields = fields(of: node, "an event", keys: Self.eventNames) else { return nil }
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
    var event: ExpectedEvent?
    switch kinds.first {
    case let entry? where entry.key == "cancelled": event = cancellation(entry, fields)
    case let entry?: event = childEvent(entry, fields, label)
    case nil: event = valueEvent(fields, label)
    }
    guard var event else { return nil }
    read(fields, by: ExpectedEvent.table, into: &event)
    return event
  }

  private mutating func cancellation(
    _ entry: DocumentNode.Entry, _ fields: Fields
  ) -> ExpectedEvent? {
    refuse(["value", "prev"], in: fields, beside: "cancelled")
    return errorCode(entry.value, "cancelled").map {
      ExpectedEvent(position: fields.position, kind: .cancelled($0))
    }
  }

  private mutating func childEvent(
    _ entry: DocumentNode.Entry, _ fields: Fields, _ label: Labels.Label
  ) -> ExpectedEvent? {
    guard let type = EventType(rawValue: entry.key) else { return nil }
    checkReceived(type, by: label, at: entry.keyPosition)
    if type == .childRemoved { refuse(["prev"], in: fields, beside: entry.key) }
    var event = ExpectedEvent(position: fields.position, kind: .event(type))
    event.key = keyPattern(entry.value, "the key")
    event.value = fields["value"].map { pattern($0, "value") }
    return event
  }

  private mutating func valueEvent(
    _ fields: Fields, _ label: Labels.Label
  ) -> ExpectedEvent? {
    guard let entry = fields.entry("value") else {
      // A misspelt kind has been reported as an unknown key.
      if fields.entries.allSatisfy({ Self.eventNames.contains($0.key) }) {
        let kinds = Self.childKinds + ["value", "cancelled"]
        report(fields.position, "an event has no kind; expected \(alternatives(kinds))")
      }
      return nil
    }
    let isWhole = fields.entries.allSatisfy { Self.eventNames.contains($0.key) }
    guard isWhole else { return nil }
    refuse(["prev"], in: fields, beside: "value")
    checkReceived(.value, by: label, at: entry.keyPosition)
    let value = pattern(entry.value, "value")
    return ExpectedEvent(position: fields.position, kind: .event(.value), value: value)
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
