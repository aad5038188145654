import ClientInterface
import Document
import Scenario
import Tree
import Wire

// The calls of clients: what each operation states, by the names that scenarios give it.

extension Operation.Kind {
  /// What a call states, its name included.
  var table: Table<Operation.Arguments> { Self.tables[self] ?? table(for: .argument) }

  private static let tables = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0, $0.table(for: .argument)) })

  /// What states the arguments for a use; a call alone has a name.
  func table(for use: ValueUse) -> Table<Operation.Arguments> {
    // What a listener receives stands before what it receives it of.
    let isLate = { (parameter: Operation.Parameter) in
      parameter == .query || parameter == .synchronization
    }
    let ordered = parameters.filter { !isLate($0) } + parameters.filter(isLate)
    let isNamed = isNameable && use == .argument
    return Table(ordered.compactMap { $0.field(of: self, use) } + (isNamed ? [name] : []))
  }

  /// The name of the call, which is no argument of its operation.
  private var name: Field<Operation.Arguments> {
    Field(
      "as", Schema.text, isRequired: self == .inspect,
      summary: "The name of the listener or of the call.")
  }
}

extension Operation.Parameter {
  /// How a call states it; `nil` for what the name of the call says.
  fileprivate func field(
    of kind: Operation.Kind, _ use: ValueUse
  ) -> Field<Operation.Arguments>? {
    switch self {
    case .listener: kind == .unlisten ? Self.handle : nil
    case .path, .optionalPath:
      Field(
        "path", use == .argument ? .path : .storedPath, \.path, isRequired: true,
        "Keys between slashes.")
    case .query: Field("query", .query, \.query, usually: .all, "What of the path is meant.")
    case .events: Self.events
    case .event:
      Field("event", .word, \.event, usually: .value, "The event; the value unless stated.")
    case .value: Self.values(use)
    case .changes: Self.changes(use)
    case .optionalValue: Self.optionalValue
    case .priority: Self.givenPriority
    case .function:
      Field(
        "update", ["type": ["object", "string"]], isRequired: true,
        summary: "The function that runs.",
        read: { $2.function = $0.transactionFunction($1) },
        write: { $0.function.map { .value($0.json) } })
    case .localEvents: Self.localEvents
    case .synchronization: Self.synchronization
    case .token: Field("token", .text, \.token, isRequired: true, "With what it signs in.")
    case .inspection: Inspection.field
    case .reaction:
      Field(Reaction.table, \.statedReaction)
    }
  }

  private static let localEvents = Field<Operation.Arguments>(
    "localEvents", .flag(.shown, .hidden), \.localEvents, usually: .shown,
    "Whether listeners are shown what it tries.")

  private static let synchronization = Field<Operation.Arguments>(
    "on", .flag(.on, .off), \.synchronization, usually: .on,
    "Whether the path is kept; `true` unless stated.")

  private static let handle = Field<Operation.Arguments>(
    "listener", Schema.text, isRequired: true, summary: "The name of the listener.",
    read: { reading, node, given in
      let name = reading.listenerName(node, "listener", of: reading.caller)
      given.listener = name.map { ListenerID($0) }
    }, write: { $0.listener.map { .text($0.name) } })

  /// What a listener receives: `event`, `events`, or all five.
  private static let events = Field<Operation.Arguments>(
    OneOf<Set<EventType>>([
      .init(
        "event", .word, "One kind of event.", { (type: EventType) in [type] },
        of: { $0.count == 1 ? $0.first : nil }),
      .init(
        "events", .words("event", of: "event types"),
        "Several kinds of events; all five unless stated.", { $0 }, of: { $0 }),
    ]), \.events, usually: Set(EventType.allCases))

  private static let value = FieldKey("value", true, isRequired: true, "In export format.")
  private static let priority = FieldKey("priority", "A number, a text or null.")

  /// A value with its priority.
  private static func values(_ use: ValueUse) -> Field<Operation.Arguments> {
    Field(
      [value, priority], read: { $2.value = $0.written($1, at: $2.path, use) },
      write: { $0.value.map(YAML.written) ?? [] })
  }

  private static func changes(_ use: ValueUse) -> Field<Operation.Arguments> {
    Field(
      value.name, isRequired: true, summary: value.summary,
      read: { $2.changes = $0.assignments($1, at: $2.path ?? .root, use) },
      write: { $0.changes.map { .assignments($0) } })
  }

  private static let optionalValue = Field<Operation.Arguments>(
    value.name, summary: value.summary,
    read: { $2.value = $1.isNull ? nil : $0.node($1, at: $2.path, .argument) },
    // Null would be no value at all.
    write: { $0.value.map { $0.isEmpty ? .mapping([]) : .value($0) } })

  private static let givenPriority = Field<Operation.Arguments>(
    priority.name, isRequired: true, summary: priority.summary,
    read: { $2.priority = $1.json }, write: { $0.priority.map { .value($0) } })
}

extension Operation.Arguments {
  /// The reaction, so that it can be filled in.
  fileprivate var statedReaction: Reaction {
    get { reaction ?? Reaction(in: .completion(CallID("")), []) }
    set { reaction = newValue }
  }
}

// MARK: - Reading

extension Reading {
  /// `CLIENT.OPERATION: {…}`.
  mutating func call(
    of client: String, _ word: String, _ entry: DocumentNode.Entry
  ) -> Action.Call? {
    guard clients.contains(client) else {
      unknownClient(client, at: entry.keyPosition, among: clients + ["network", "server"])
      for meant in closestMatches(to: client, in: clients) { addLabel(of: entry, for: meant) }
      return nil
    }
    guard let kind = Operation.Kind(rawValue: word) else {
      let known = Operation.Kind.allCases.map(\.rawValue) + FaultVerb.ofProcess
      unknown("operation", word, at: entry.keyPosition, among: known)
      addLabel(of: entry, for: client)
      return nil
    }
    if kind == .on, entry.value["path"] != nil {
      report(
        entry.keyPosition,
        "\(entry.key) has a path; expected the callback that it reacts to; did you mean \(client).listen?"
      )
      return nil
    }
    checkRunning(client, entry)
    if kind == .unlisten, entry.value.json.members == nil {
      return listenerName(entry.value, entry.key, of: client).map {
        Action.Call(
          client: client, id: CallID(labels.nextCall(of: client)), isNamed: false,
          operation: .unlisten(ListenerID($0), at: nil))
      }
    }
    return argument(entry, keys: kind.table.names, required: kind.table.required).flatMap {
      call(of: client, kind, $0)
    }
  }

  private mutating func call(
    of client: String, _ kind: Operation.Kind, _ fields: Fields
  ) -> Action.Call? {
    caller = client
    let listener = kind.registersListener ? labels.nextListener(of: client) : nil
    var given = Operation.Arguments()
    if kind == .get { given.event = .value }
    // What a listener receives must be known where its name is given.
    if kind.registersListener { read(fields, by: kind.table, into: &given) }
    var name: String?
    if kind.isNameable {
      name = register(fields, client, labelKind(kind, given, fields), otherwise: listener)
    }
    if !kind.registersListener { read(fields, by: kind.table, into: &given) }
    if let listener = name ?? listener { given.listener = ListenerID(listener) }
    guard let operation = Operation(kind, given) else { return nil }
    // A reference to a name in a path is reported where it is read.
    if name == nil, fields["path"]?.flowText.contains("$") == false,
      let problem = operation.path?.problem
    {
      let message =
        "\(problem); expected slashes between keys; to test the refusal, name the call with as: "
        + "and expect invalid_path"
      refusedCalls.append((file, fields["path"]?.position ?? fields.position, message))
    }
    return Action.Call(
      client: client, id: CallID(name ?? listener ?? labels.nextCall(of: client)),
      isNamed: name != nil, operation: operation)
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
    if let label {
      if label.kind.canListen { return name }
      report(node.position, "\(name) is a call; expected the name of a listener")
      return nil
    }
    let names = labels.candidates(of: client)
    if names.isEmpty {
      report(
        node.position,
        "unknown listener \(quoted(name)); expected one that \(client) has named before")
    } else {
      unknown("listener", name, at: node.position, among: names)
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

extension Reading {
  /// `value` with `priority`.
  mutating func written(_ fields: Fields, at path: Path?, _ use: ValueUse) -> Node? {
    guard let value = fields["value"] else { return nil }
    let node = node(value, at: path, use)
    guard let priority = fields.entry("priority") else { return node }
    checkPriority(priority.value, use)
    if value[".priority"] != nil {
      report(priority.keyPosition, "the value has a priority too; expected it in one location")
    } else if node.isEmpty, let given = Scalar(priority.value.json) {
      if use == .argument { return .nothing(priority: given) }
      report(priority.keyPosition, "null has a priority; expected a value with it")
    }
    return Node(json: value.json, priority: Scalar(priority.value.json))
  }

  /// The members of an update; their names are paths.
  mutating func assignments(
    _ node: DocumentNode, at path: Path, _ use: ValueUse
  ) -> [Assignment]? {
    guard case let .mapping(entries) = node.content else {
      mismatch("value", node, expected: "a mapping from children or paths to values")
      return nil
    }
    return entries.map { entry in
      let relative = Path(entry.key)
      if use != .argument, let problem = relative.problem {
        report(entry.keyPosition, problem.description)
      }
      return Assignment(relative, self.node(entry.value, at: path.appending(relative), use))
    }
  }

  private static let functions = TransactionFunction.Kind.allCases.map(\.rawValue)

  /// `{increment: 1}`, `{set: V}`, `{setIfNull: V}`, `{merge: {…}}`, `{abort: true}`, …
  fileprivate mutating func transactionFunction(_ node: DocumentNode) -> TransactionFunction? {
    guard let fields = fields(of: node, "update", keys: Self.functions) else { return nil }
    guard let entry = fields.entries.first, fields.entries.count == 1 else {
      report(
        node.position,
        "update has \(fields.entries.count) functions; "
          + "expected one of \(alternatives(Self.functions))")
      return nil
    }
    guard let kind = TransactionFunction.Kind(rawValue: entry.key) else { return nil }
    switch kind.argument {
    case .number: return number(entry.value, entry.key).map { .init(kind, .number($0)) }
    case .none:
      if entry.value.json != true { mismatch(entry.key, entry.value, expected: "true") }
    case .children:
      guard case .mapping = entry.value.content else {
        mismatch(entry.key, entry.value, expected: "a mapping from children to values")
        return nil
      }
      checkStored(entry.value, at: .root, .argument)
    case .value: checkStored(entry.value, at: .root, .argument)
    }
    return .init(kind, entry.value.json)
  }
}

// MARK: - Writing

extension YAML {
  /// `CLIENT.OPERATION: {…}`; the path alone where it says everything.
  static func entry(of call: Action.Call) -> Entry {
    entry(
      of: call.operation, as: call.isNamed ? call.id : nil,
      "\(call.client).\(call.operation.name)")
  }

  static func entry(
    of operation: ClientInterface.Operation, as id: CallID?, _ key: String
  ) -> Entry {
    var fields = operation.kind.table.entries(of: operation.arguments)
    if let id { fields.append(Entry("as", .text(id.name))) }
    return Entry(key, argument(fields))
  }

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
}
