import ClientInterface
import Document
import Scenario
import Tree
import Wire

extension Reading {
  /// `CLIENT.OPERATION: {…}`.
  mutating func call(
    of client: String, _ word: String, _ entry: DocumentNode.Entry
  ) -> Action.Call? {
    guard clients.contains(client) else {
      unknown("client", client, at: entry.keyPosition, among: clients + ["network", "server"])
      for meant in suggestions(for: client, among: clients) { addLabel(of: entry, for: meant) }
      return nil
    }
    guard let kind = Operation.Kind(rawValue: word) else {
      let known = Operation.Kind.allCases.map(\.rawValue) + Self.processVerbs
      unknown("operation", word, at: entry.keyPosition, among: known)
      addLabel(of: entry, for: client)
      return nil
    }
    checkRunning(client, entry)
    if kind.family == .connection { checkNoArguments(entry) }
    if kind == .unlisten { return unlisten(client, entry) }
    let fields =
      kind.family == .connection
      ? Fields(position: entry.keyPosition)
      : withPath(entry, keys: kind.keys, required: kind.requiredKeys)
    return fields.flatMap { call(of: client, kind, $0) }
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
    of client: String, _ kind: Operation.Kind, _ fields: Fields
  ) -> Action.Call? {
    let listener = kind.registersListener ? labels.nextListener(of: client) : nil
    var given = Operation.Arguments()
    if kind.registersListener { readEvents(of: kind, fields, into: &given) }
    var name: String?
    if kind.isNameable {
      name = register(fields, client, labelKind(kind, given, fields), otherwise: listener)
    }
    given.listener = (name ?? listener).map { ListenerID($0) }
    for parameter in kind.parameters { read(parameter, of: client, fields, into: &given) }
    guard let operation = Operation(kind, given) else { return nil }
    return Action.Call(
      client: client, id: CallID(name ?? listener ?? labels.nextCall(of: client)),
      isNamed: name != nil, operation: operation)
  }

  private mutating func unnamed(
    _ client: String, _ operation: Operation
  ) -> Action.Call {
    Action.Call(
      client: client, id: CallID(labels.nextCall(of: client)), isNamed: false,
      operation: operation)
  }

  private func labelKind(
    _ kind: Operation.Kind, _ given: Operation.Arguments, _ fields: Fields
  ) -> Labels.Kind {
    switch kind.family {
    case .listening: return .listener(given.events ?? given.event.map { [$0] } ?? [])
    case .transaction: return .transaction
    case .inspection: return .inspection
    case .credential: return .credential
    case .writing, .onDisconnect, .connection, .reaction:
      if kind != .push { return .write }
      return fields["value"].map { $0.isNull ? .keyOnly : .push } ?? .keyOnly
    }
  }
}

extension Reading {
  /// What a listener receives: `event`, `events`, or all five; once receives one, by default the
  /// value.
  private mutating func readEvents(
    of kind: Operation.Kind, _ fields: Fields, into given: inout Operation.Arguments
  ) {
    if let second = fields.entry("events"), fields.entry("event") != nil {
      report(second.keyPosition, "event and events are both given; expected one of them")
    }
    let one = fields["event"].flatMap { choice($0, "event", as: EventType.self) }
    if [.once, .get].contains(kind) {
      given.event = one ?? .value
      return
    }
    var types = one.map { [$0] } ?? []
    if types.isEmpty, let node = fields["events"] {
      types = words(node, "events", of: "event types").compactMap { text, position in
        choice(text, "event", at: position, as: EventType.self)
      }
    }
    given.events = Set(types.isEmpty ? EventType.allCases : types)
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
    if isInCallback {
      addForwardName(name, .listener, of: client, at: node.position)
      return name
    }
    let label = labels[client, name]
    if label?.isFinished == true {
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
  private mutating func addLabel(of entry: DocumentNode.Entry, for client: String) {
    guard let node = entry.value["as"], case let .string(name) = node.content else { return }
    if labels[client, name] == nil {
      labels[client, name] = .init(
        name: name, kind: .unknown, position: node.position, file: file, isNamed: true)
    }
  }
}
