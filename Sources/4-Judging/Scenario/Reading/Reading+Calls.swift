import ClientInterface
import Document
import Tree
import Wire

/// What a client can be asked to do, by its name in scenarios, and the arguments that it takes.
enum Verb: String, CaseIterable {
  case listen, once, unlisten
  case unlistenAll = "unlisten-all"
  case set, remove
  case setPriority = "set-priority"
  case update, push, transaction
  case onDisconnectSet = "on-disconnect-set"
  case onDisconnectRemove = "on-disconnect-remove"
  case onDisconnectUpdate = "on-disconnect-update"
  case onDisconnectCancel = "on-disconnect-cancel"
  case goOffline = "go-offline"
  case goOnline = "go-online"
  case inspect
  case keepSynced = "keep-synced"
  case auth, unauth

  /// Parts of the format that the kit does not do yet.
  static let unsupported = ["get"]

  var required: [String] {
    switch self {
    case .set, .update, .onDisconnectSet, .onDisconnectUpdate: ["path", "value"]
    case .setPriority: ["path", "priority"]
    case .transaction: ["path", "update"]
    case .inspect: ["ask", "as"]
    case .auth: ["token"]
    case .listen, .once, .unlistenAll, .remove, .push, .onDisconnectRemove, .onDisconnectCancel,
      .keepSynced:
      ["path"]
    case .unlisten, .goOffline, .goOnline, .unauth: []
    }
  }

  var keys: [String] {
    switch self {
    case .listen: ["path", "event", "events", "query", "as"]
    case .once: ["path", "event", "query", "as"]
    case .unlistenAll: ["path", "query"]
    case .keepSynced: ["path", "query", "on"]
    case .set, .onDisconnectSet: ["path", "value", "priority", "as"]
    case .push: ["path", "value", "as"]
    case .transaction: ["path", "update", "localEvents", "as"]
    case .inspect: Reading.inspectionKeys
    case .remove, .update, .setPriority, .onDisconnectRemove, .onDisconnectUpdate,
      .onDisconnectCancel, .auth, .unauth:
      required + ["as"]
    case .unlisten, .goOffline, .goOnline: []
    }
  }
}

extension Reading {
  /// `CLIENT.OPERATION: {…}`.
  mutating func call(
    of client: String, _ word: String, _ entry: DocumentNode.Entry
  ) -> Action.Call? {
    guard clients.contains(client) else {
      unknown("client", client, at: entry.keyPosition, among: clients + ["network", "server"])
      for meant in suggestions(for: client, among: clients) { keepLabel(of: entry, for: meant) }
      return nil
    }
    guard
      isSupported(
        "operation", word, entry, Verb.allCases.map(\.rawValue) + Self.processVerbs,
        not: Verb.unsupported),
      let verb = Verb(rawValue: word)
    else {
      keepLabel(of: entry, for: client)
      return nil
    }
    checkRunning(client, entry)
    switch verb {
    case .goOffline, .goOnline:
      checkNoArguments(entry)
      return unnamed(client, verb == .goOffline ? .goOffline : .goOnline)
    case .unlisten:
      return unlisten(client, entry)
    default:
      let fields = withPath(entry, keys: verb.keys, required: verb.required)
      guard let fields else { return nil }
      return call(of: client, verb, fields)
    }
  }

  /// The fields of an argument that may be a plain path where nothing but a path is required.
  mutating func withPath(
    _ entry: DocumentNode.Entry, keys: [String], required: [String]
  ) -> Fields? {
    if case .string = entry.value.content, required == ["path"] {
      let path = DocumentNode.Entry(
        key: "path", keyPosition: entry.value.position, value: entry.value)
      return Fields(position: entry.value.position, entries: [path])
    }
    if entry.value.isNull, required.isEmpty { return Fields(position: entry.keyPosition) }
    return fields(of: entry.value, entry.key, keys: keys, required: required)
  }

  private mutating func call(
    of client: String, _ verb: Verb, _ fields: Fields
  ) -> Action.Call? {
    switch verb {
    case .listen, .once: return listener(client, verb, fields)
    case .unlistenAll: return target(fields).map { unnamed(client, .unlistenAll($0)) }
    case .keepSynced:
      let isOn = fields["on"].flatMap { bool($0, "on") } ?? true
      return target(fields).map { unnamed(client, .keepSynced($0, isOn ? .on : .off)) }
    default: break
    }
    let name = register(fields, client, kind(of: verb, fields))
    let operation =
      verb == .inspect
      ? inspection(fields, of: client).map { .inspect($0) } : operation(verb, fields)
    guard let operation else { return nil }
    return Action.Call(
      client: client, id: CallID(name ?? labels.nextCall(of: client)), isNamed: name != nil,
      operation: operation)
  }

  private mutating func unnamed(
    _ client: String, _ operation: ClientInterface.Operation
  ) -> Action.Call {
    Action.Call(
      client: client, id: CallID(labels.nextCall(of: client)), isNamed: false,
      operation: operation)
  }

  private func kind(of verb: Verb, _ fields: Fields) -> Labels.Kind {
    switch verb {
    case .transaction: .transaction
    case .inspect: .inspection
    case .auth, .unauth: .credential
    case .push: fields["value"].map { $0.isNull ? .keyOnly : .push } ?? .keyOnly
    default: .write
    }
  }
}

extension Reading {
  private mutating func listener(
    _ client: String, _ verb: Verb, _ fields: Fields
  ) -> Action.Call? {
    let events = eventTypes(fields, verb)
    let automatic = labels.nextListener(of: client)
    let name = register(fields, client, .listener(events), otherwise: automatic)
    guard let target = target(fields) else { return nil }
    let id = ListenerID(name ?? automatic)
    let operation: ClientInterface.Operation =
      verb == .once ? .once(id, target, events.first ?? .value) : .listen(id, target, events)
    return Action.Call(
      client: client, id: CallID(id.name), isNamed: name != nil, operation: operation)
  }

  /// What a listener hears: `event`, `events`, or all five; once hears one, by default the value.
  private mutating func eventTypes(_ fields: Fields, _ verb: Verb) -> Set<EventType> {
    if let second = fields.entry("events"), fields.entry("event") != nil {
      report(second.keyPosition, "event and events are both given; expected one of them")
    }
    if let node = fields["event"], let type = choice(node, "event", as: EventType.self) {
      return [type]
    }
    guard verb == .listen, let node = fields["events"] else {
      return verb == .once ? [.value] : Set(EventType.allCases)
    }
    let types = words(node, "events", of: "event types").compactMap { text, position in
      choice(text, "event", at: position, as: EventType.self)
    }
    return types.isEmpty ? Set(EventType.allCases) : Set(types)
  }

  private mutating func unlisten(_ client: String, _ entry: DocumentNode.Entry) -> Action.Call? {
    guard case .mapping = entry.value.content else {
      return listenerName(entry.value, entry.key, of: client).map {
        unnamed(client, .unlisten(ListenerID($0), at: nil))
      }
    }
    let keys = ["listener", "path"]
    guard let fields = fields(of: entry.value, entry.key, keys: keys, required: keys) else {
      return nil
    }
    let name = fields["listener"].flatMap { listenerName($0, "listener", of: client) }
    let path = fields["path"].flatMap { self.path($0) }
    guard let name, let path else { return nil }
    return unnamed(client, .unlisten(ListenerID(name), at: path))
  }

  /// The name of a listener that an earlier step has registered and whose process still runs.
  mutating func listenerName(
    _ node: DocumentNode, _ what: String, of client: String
  ) -> String? {
    guard let name = string(node, what) else { return nil }
    let label = labels[client, name]
    if label?.isOver == true {
      report(
        node.position,
        "\(name) ended when \(client) was killed; expected a listener of the process that runs")
      return nil
    }
    switch label?.kind {
    case .listener, .unknown: return name
    case .write, .push, .keyOnly, .transaction, .inspection, .credential:
      report(node.position, "\(name) is a call; expected the name of a listener")
    case nil:
      let names = labels.labels(of: client).map(\.name)
      if names.isEmpty {
        report(
          node.position,
          "unknown listener \(quoted(name)); expected one that \(client) has named before")
      } else {
        unknown("listener", name, at: node.position, among: names)
      }
    }
    return nil
  }
}

extension Reading {
  /// Takes the name that `as` gives.
  ///
  /// - Returns: the name; `nil` without `as`. A listener then has the `automatic` name.
  private mutating func register(
    _ fields: Fields, _ client: String, _ kind: Labels.Kind, otherwise automatic: String? = nil
  ) -> String? {
    let given = fields["as"].flatMap { node in
      string(node, "as").map { (name: $0, position: node.position) }
    }
    guard let name = given?.name ?? automatic else { return nil }
    let position = given?.position ?? fields.position
    if let given { checkLabel(given.name, client, at: given.position) }
    if !labels.isTaken(name, by: client) {
      labels[client, name] = .init(
        name: name, kind: kind, position: position, file: file, isNamed: given != nil)
    }
    return given?.name
  }

  private mutating func checkLabel(_ name: String, _ client: String, at position: Position) {
    if !isLabel(name) {
      report(position, "\(quoted(name)) cannot be a name; expected \(labelForm)")
    } else if name.first == "L", Int(name.dropFirst()) != nil {
      report(position, "\(name) is the name of a listener without one; expected another name")
    } else if labels.isTaken(name, by: client), let other = labels[client, name] {
      report(
        position,
        "\(client) has named another \(name) at \(other.position); expected each name once")
    }
  }

  /// Remembers a name whose step is wrong, so that its uses are not reported as well.
  private mutating func keepLabel(of entry: DocumentNode.Entry, for client: String) {
    guard let node = entry.value["as"], case let .string(name) = node.content else { return }
    if labels[client, name] == nil {
      labels[client, name] = .init(
        name: name, kind: .unknown, position: node.position, file: file, isNamed: true)
    }
  }

  /// Whether the word behind the dot is one that the kit can do; it is noted when it is not.
  private mutating func isSupported(
    _ what: String, _ verb: String, _ entry: DocumentNode.Entry, _ known: [String],
    not yet: [String]
  ) -> Bool {
    if known.contains(verb) { return true }
    if yet.contains(verb) {
      report(entry.keyPosition, "\(entry.key) is not supported yet")
    } else {
      unknown(what, verb, at: entry.keyPosition, among: known)
    }
    return false
  }
}
