internal import ClientInterface
internal import Tree
internal import Wire

extension YAML {
  /// `CLIENT.OPERATION: {…}`; the path alone where it says everything.
  static func entry(of call: Action.Call) -> Entry {
    let key = "\(call.client).\(call.operation.name)"
    if case let .unlisten(listener, nil) = call.operation {
      return Entry(key, .text(listener.name))
    }
    var fields = fields(of: call.operation)
    if call.isNamed { fields.append(Entry("as", .text(call.id.name))) }
    if fields.isEmpty { return Entry(key, nil) }
    let only = fields.count == 1 && fields[0].key == "path" ? fields[0].value : nil
    return Entry(key, only ?? .mapping(fields))
  }

  private static func fields(of operation: ClientInterface.Operation) -> [Entry] {
    switch operation {
    case let .listen(_, target, types):
      return place(target.path) + events(types) + query(target.query)
    case let .once(_, target, type):
      let event = type == .value ? [] : events([type])
      return place(target.path) + event + query(target.query)
    case let .unlisten(listener, path):
      return [Entry("listener", .text(listener.name))] + (path.map { place($0) } ?? [])
    case let .unlistenAll(target): return place(target.path) + query(target.query)
    case let .keepSynced(target, state):
      let on = state == .off ? [Entry("on", .word("false"))] : []
      return place(target.path) + query(target.query) + on
    case let .set(path, node), let .onDisconnectSet(path, node):
      return place(path) + written(node)
    case let .remove(path), let .onDisconnectRemove(path), let .onDisconnectCancel(path):
      return place(path)
    case let .setPriority(path, priority):
      return place(path) + [Entry("priority", .value(priority))]
    case let .update(path, parts), let .onDisconnectUpdate(path, parts):
      return place(path) + [Entry("value", .assignments(parts))]
    case let .push(path, node):
      // Null would be no value at all.
      let value = node.map { $0.isEmpty ? YAML.mapping([]) : .value($0) }
      return place(path) + (value.map { [Entry("value", $0)] } ?? [])
    case let .transaction(path, function, local):
      let hidden = local == .hidden ? [Entry("localEvents", .word("false"))] : []
      return place(path) + [Entry("update", .value(function.json))] + hidden
    case let .authenticate(token): return [Entry("token", .text(token))]
    case .unauthenticate, .goOffline, .goOnline: return []
    case let .inspect(inspection): return fields(of: inspection)
    }
  }

  static func place(_ path: Path) -> [Entry] { [Entry("path", .path(path))] }

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

  /// Nothing where every event is heard.
  private static func events(_ types: Set<EventType>) -> [Entry] {
    if types.count == EventType.allCases.count { return [] }
    let names = types.map(\.rawValue).sorted()
    return names.count == 1
      ? [Entry("event", .text(names[0]))] : [Entry("events", .words(names))]
  }

  private static func fields(of inspection: Inspection) -> [Entry] {
    var fields: [Entry] =
      switch inspection.subject {
      case let .reference(path): place(path)
      case let .address(text): [Entry("url", .text(text))]
      case let .snapshot(listener): [Entry("snapshot", .text(listener.name))]
      case let .mutableData(value, changes):
        [Entry("mutable", .value(value))]
          + (changes.isEmpty ? [] : [Entry("changes", .value(.array(changes)))])
      case let .query(path, steps): place(path) + [Entry("query", .value(.array(steps)))]
      }
    if !inspection.part.isRoot { fields.append(Entry("of", .path(inspection.part))) }
    fields.append(Entry("ask", .text(inspection.question)))
    if inspection.argument != .null { fields.append(Entry("with", .value(inspection.argument))) }
    return fields
  }
}

extension YAML {
  /// Nothing for everything at the place.
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
