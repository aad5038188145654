import ClientInterface
import Document
import Scenario
import Tree

extension ExpectedEvent {
  /// All that an event can state, in the order of messages.
  static let table = Table<ExpectedEvent>([Field(kinds, \.self), .time(\.time)])

  var yaml: YAML { .mapping(self, by: Self.table) }

  /// The kinds of events. A value by itself is an event too.
  private static let kinds = OneOf<ExpectedEvent>(
    [
      child(.childAdded, "The key of a child that is new in the window."),
      child(.childChanged, "The key of a child whose value or priority changed."),
      child(.childMoved, "The key of a child that has another previous key."),
      child(.childRemoved, "The key of a child that left the window."),
      shown(.value, [value]),
      .init(
        Table([
          Field(
            "cancelled", .errorCode, \.error, "The error with which the server ended the listener.")
        ]),
        from: { ExpectedEvent(position: $1.position, kind: .cancelled(ErrorCode(""))) }, { $0 },
        of: { $0.error == nil ? nil : $0 }),
    ],
    .init(
      none: "an event has no kind; expected",
      several: { found, _ in
        "an event is both \(found.joined(separator: " and ")); expected one kind in each item"
      },
      misplaced: { key, one, _ in "\(one) has a \(key); expected none with this kind of event" }))

  private static func child(_ type: EventType, _ summary: String) -> OneOf<ExpectedEvent>.Case {
    let key = Field<ExpectedEvent>(type.rawValue, .key, \.key, summary)
    return shown(type, type == .childRemoved ? [key, value] : [key, value, previous])
  }

  /// An event of this type, which states these fields.
  private static func shown(
    _ type: EventType, _ fields: [Field<ExpectedEvent>]
  ) -> OneOf<ExpectedEvent>.Case {
    .init(
      Table(fields), from: { ExpectedEvent(position: $1.position, kind: .event(type)) }, { $0 },
      of: { $0.kind == .event(type) ? $0 : nil })
  }

  private static let value = Field<ExpectedEvent>(
    "value", .pattern, \.value,
    "The value, in export format or as a pattern; of a removal what was shown last.")

  private static let previous = Field<ExpectedEvent>(
    "prev", Form.key.schema,
    summary: "The key before the child in the new window; `null` for the first.",
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
    })

  /// With what the listener is cancelled.
  private var error: ErrorCode? {
    get { if case let .cancelled(error) = kind { error } else { nil } }
    set { kind = newValue.map { .cancelled($0) } ?? kind }
  }
}

extension ListenerExpectation {
  /// `CLIENT.LABEL` with the events.
  var yaml: YAML {
    let events = items.map { item -> YAML in
      switch item {
      case let .event(event): event.yaml
      case let .unordered(events): .mapping([.init("$unordered", .list(events.map(\.yaml)))])
      }
    }
    let gap = gap.map { YAML.mapping([.init("each-gap", .mapping($0, by: Gap.table))]) }
    return .list(events + (gap.map { [$0] } ?? []))
  }
}

extension ListenerExpectation.Gap {
  fileprivate static let table = Table<ListenerExpectation.Gap>([
    Field("min", .duration, \.minimum, "The shortest time between an event and the next."),
    Field("max", .duration, \.maximum, "The longest time between an event and the next."),
    Field("growth", .number, \.growth, "How many times as long as the one before each is."),
  ])
}

// MARK: - Reading

extension Reading {
  /// `CLIENT.LABEL: [events]`.
  mutating func readListener(
    _ entry: DocumentNode.Entry, _ client: String, _ label: Labels.Label
  ) -> ListenerExpectation? {
    guard label.kind.canListen else {
      mismatch(entry.key, entry.value, expected: "the outcome of a call, such as {ok: true}")
      return nil
    }
    guard case let .list(elements) = entry.value.content else {
      mismatch(entry.key, entry.value, expected: "a list of events")
      return nil
    }
    observed = label
    var listener = ListenerExpectation(
      client: client, listener: ListenerID(label.name), position: entry.keyPosition, items: [])
    for element in elements {
      if let node = element["each-gap"] {
        if listener.gap != nil {
          report(element.position, "each-gap is given twice; expected it once for each listener")
        }
        listener.gap = readGap(element, node)
      } else if let item = readItem(element) {
        listener.items.append(item)
      }
    }
    return listener
  }

  private mutating func readItem(_ node: DocumentNode) -> ListenerExpectation.Item? {
    guard let group = node["$unordered"] else {
      return readEvent(node).map(ListenerExpectation.Item.event)
    }
    _ = fields(of: node, "a group of events", keys: ["$unordered"])
    let events = list(group, "$unordered", of: "events").compactMap { readEvent($0) }
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

  private mutating func readEvent(_ node: DocumentNode) -> ExpectedEvent? {
    var event = ExpectedEvent(position: node.position, kind: .event(.value))
    let fields = read(node, "an event", by: ExpectedEvent.table, into: &event)
    if let fields { checkReceived(event, fields) }
    return fields == nil ? nil : event
  }

  /// Reports an event that the listener cannot receive.
  private mutating func checkReceived(_ event: ExpectedEvent, _ fields: Fields) {
    guard let observed, case let .listener(types) = observed.kind,
      case let .event(type) = event.kind, !types.contains(type),
      let entry = fields.entry(type.rawValue)
    else { return }
    let received = types.sorted().map(\.rawValue)
    report(
      entry.keyPosition,
      "\(observed.name) does not receive \(type.rawValue); expected \(alternatives(received))")
  }
}
