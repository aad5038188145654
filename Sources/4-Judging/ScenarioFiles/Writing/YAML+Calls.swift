internal import ClientInterface
import Scenario
internal import Tree
internal import Wire

extension YAML {
  /// `CLIENT.OPERATION: {…}`; the path alone where it says everything.
  static func entry(of call: Action.Call) -> Entry {
    entry(
      of: call.operation, as: call.isNamed ? call.id : nil,
      "\(call.client).\(call.operation.name)")
  }

  private static func entry(
    of operation: ClientInterface.Operation, as id: CallID?, _ key: String
  ) -> Entry {
    if case let .unlisten(listener, nil) = operation {
      return Entry(key, .text(listener.name))
    }
    var fields = fields(of: operation)
    if let id { fields.append(Entry("as", .text(id.name))) }
    if fields.isEmpty { return Entry(key, nil) }
    let only = fields.count == 1 && fields[0].key == "path" ? fields[0].value : nil
    return Entry(key, only ?? .mapping(fields))
  }

  private static func fields(of operation: ClientInterface.Operation) -> [Entry] {
    let given = operation.arguments
    if let inspection = given.inspection { return fields(of: inspection) }
    if let reaction = given.reaction { return fields(of: reaction) }
    var fields: [Entry] = []
    // Other operations name their listener with `as`.
    if operation.kind == .unlisten, let listener = given.listener {
      fields.append(Entry("listener", .text(listener.name)))
    }
    if let path = given.path { fields += pathEntry(path) }
    if let types = given.events { fields += events(types) }
    if let type = given.event, type != .value { fields += events([type]) }
    if let query = given.query { fields += self.query(query) }
    if let value = given.value {
      fields += operation.kind == .push ? pushed(value) : written(value)
    }
    if let changes = given.changes { fields.append(Entry("value", .assignments(changes))) }
    if let priority = given.priority { fields.append(Entry("priority", .value(priority))) }
    if let function = given.function { fields.append(Entry("update", .value(function.json))) }
    if given.localEvents == .hidden { fields.append(Entry("localEvents", .word("false"))) }
    if given.synchronization == .off { fields.append(Entry("on", .word("false"))) }
    if let token = given.token { fields.append(Entry("token", .text(token))) }
    return fields
  }

  /// `value` of a push: null would be no value at all.
  private static func pushed(_ node: Node) -> [Entry] {
    [Entry("value", node.isEmpty ? .mapping([]) : .value(node))]
  }

  static func pathEntry(_ path: Path) -> [Entry] { [Entry("path", .path(path))] }

  /// `value`, and `priority` where it has one.
  static func written(_ node: Node) -> [Entry] {
    guard let priority = node.priority else { return [Entry("value", .value(node))] }
    return [
      Entry("value", .value(node.settingPriority(nil))), Entry("priority", .value(priority)),
    ]
  }

  static func assignments(_ parts: [Assignment]) -> YAML {
    .mapping(
      parts.map { part in
        Entry(part.path.isRoot ? "/" : key(part.path.relativeText), .value(part.node))
      })
  }

  /// The event types of a listener; nothing for all of them, which is the default.
  private static func events(_ types: Set<EventType>) -> [Entry] {
    if types.count == EventType.allCases.count { return [] }
    let names = types.map(\.rawValue).sorted()
    return names.count == 1
      ? [Entry("event", .text(names[0]))] : [Entry("events", .words(names))]
  }

  private static func fields(of reaction: Reaction) -> [Entry] {
    var fields: [Entry] =
      switch reaction.callback {
      case let .event(listener, type):
        [Entry("listener", .text(listener.name))]
          + (type.map { [Entry("event", .text($0.rawValue))] } ?? [])
      case let .cancel(listener): [Entry("cancel", .text(listener.name))]
      case let .completion(call): [Entry("completion", .text(call.name))]
      case let .function(call): [Entry("function", .text(call.name))]
      }
    if reaction.nth != 1 { fields.append(Entry("nth", .word("\(reaction.nth)"))) }
    let calls = reaction.calls.map { call in
      let entry = entry(
        of: call.operation, as: call.isNamed ? call.id : nil, call.operation.name)
      return entry.value == nil ? YAML.word(entry.key) : YAML.mapping([entry])
    }
    return fields + [Entry("do", .list(calls))]
  }

  private static func fields(of inspection: Inspection) -> [Entry] {
    var fields: [Entry] =
      switch inspection.subject {
      case let .reference(path): pathEntry(path)
      case let .address(text): [Entry("url", .text(text))]
      case let .snapshot(listener, nth):
        [Entry("snapshot", .text(listener.name))]
          + (nth.map { [Entry("nth", .word("\($0)"))] } ?? [])
      case let .completion(call): [Entry("completion", .text(call.name))]
      case let .mutableData(value, changes):
        [Entry("mutable", .value(value))]
          + (changes.isEmpty ? [] : [Entry("changes", .value(.array(changes)))])
      case let .query(path, steps): pathEntry(path) + [Entry("query", .value(.array(steps)))]
      }
    if !inspection.part.isRoot { fields.append(Entry("of", .path(inspection.part))) }
    fields.append(Entry("ask", .text(inspection.question)))
    if inspection.argument != .null { fields.append(Entry("with", .value(inspection.argument))) }
    return fields
  }
}

extension YAML {
  /// The fields of a query; nothing for one that selects everything at the location.
  private static func query(_ query: Query) -> [Entry] {
    if query == .all { return [] }
    var fields: [Entry] = []
    switch query.ordering {
    case .key: fields.append(Entry("orderBy", .text(".key")))
    case .value: fields.append(Entry("orderBy", .text(".value")))
    case .priority: break
    case let .child(path): fields.append(Entry("orderBy", .path(path)))
    }
    if let start = query.start, start == query.end, start.edge == .inclusive {
      fields.append(Entry("equalTo", .bound(start)))
    } else {
      if let start = query.start {
        fields.append(Entry(start.edge == .inclusive ? "startAt" : "startAfter", .bound(start)))
      }
      if let end = query.end {
        fields.append(Entry(end.edge == .inclusive ? "endAt" : "endBefore", .bound(end)))
      }
    }
    switch query.limit {
    case let .first(count)?: fields.append(Entry("limitToFirst", .word("\(count)")))
    case let .last(count)?: fields.append(Entry("limitToLast", .word("\(count)")))
    case nil: break
    }
    return [Entry("query", .mapping(fields))]
  }

  private static func bound(_ bound: Query.Bound) -> YAML {
    guard let key = bound.key else { return .value(bound.value) }
    return .mapping([Entry("value", .value(bound.value)), Entry("key", .text(key.string))])
  }
}
