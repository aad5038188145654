import ClientInterface
import Document
import Faults
import Scenario
import Tree

// Steps that affect the network, the server, or a client's process and machine.

extension FaultKind {
  /// What a step states; a process is named before its step.
  var table: Table<FaultFields<String>> { Self.tables[rawValue] }

  /// In the order of the kinds.
  private static let tables = allCases.map { kind in
    // What is wrong with a clock and by how much is one key.
    let name = kind.group == .process && kind.verb == "clock" ? kind.word : nil
    return Table(
      FaultFields.subject(of: kind.form) + kind.form.fields.map { $0.field(name ?? $0.rawValue) })
  }

  /// Kinds that share a verb, in the order in which messages list their words.
  private static let clockFaults: [FaultKind] = [.skew, .jump, .drift]
  private static let storageFaults: [FaultKind] = [
    .writeError, .tornRecord, .storageFull, .storageWorks,
  ]

  fileprivate static func sharing(_ verb: String) -> [FaultKind] {
    verb == "clock" ? clockFaults : storageFaults
  }
}

extension FaultFields<String> {
  /// What a fault is about.
  fileprivate static func subject(of form: FaultKind.Form) -> [Field<Self>] {
    switch form {
    case .client:
      [Field("client", .client, \.client, isRequired: true, "The client that it affects.")]
    case .everyone: [Field("client", .client, \.client, "The client; each unless stated.")]
    case .rule: [Field(SecurityRule.table, \.rule)]
    case .path: [Field("path", .storedPath, \.path, "Where it happens, and below.")]
    case .server, .latency, .write, .process: []
    }
  }
}

extension FaultKind.Field {
  /// How a step states it under a key, which is nearly always its own.
  func field(_ key: String) -> Field<FaultFields<String>> {
    switch self {
    case .notices: Field(key, .word, \.notices, unless: .neither, "Who sees it at once.")
    case .direction:
      Field(key, .word, \.direction, unless: .both, "The direction of the messages concerned.")
    case .messages: Field(key, .count(from: 1), \.count, "How many more are delivered.")
    case .after: Field(key, .duration, \.interval, "How much later the server sees it.")
    case .host: Field(key, .host, \.host, "Where the client is to connect.")
    case .down: Field(key, .duration, \.interval, unless: .zero, "How long no client can connect.")
    case .onDisconnects:
      Field(key, .word, \.fate, unless: .done, "What becomes of on-disconnect operations.")
    case .skew, .shift: Field(key, .shift, \.interval, "By how much the clock is wrong.")
    case .gain: Field(key, .drift, \.drift, "What the clock gains in each second.")
    case .writes: Field(key, .count(from: 0), \.count, unless: 1, "How many writes are refused.")
    case .times: Field(key, .count(from: 1), \.count, unless: 1, "How many texts are not stored.")
    case .data: Field(key, .word, \.data, unless: .withheld, "Whether the present data are sent.")
    case .storage:
      Field(key, .word, \.storage, unless: .kept, "What the process finds of what was stored.")
    case .at:
      Field(
        key, Form.size.schema, summary: "How long all stored texts together may be.",
        read: { reading, node, fields in
          fields.bytes = reading.size(node, key) ?? fields.bytes
        }, write: { .size($0.bytes) })
    }
  }
}

extension SecurityRule {
  /// `{path: P, deny: [read, write], unless: U, status: S}`.
  static let table = Table<SecurityRule>([
    Field("path", .storedPath, \.path, "Where it holds, and below."),
    Field(
      "deny", Schema.list(of: Form<Access>.word.schema), isRequired: true,
      summary: "What is refused.",
      read: { reading, node, rule in
        for (text, position) in reading.words(node, "deny", of: "read and write") {
          if let access = reading.choice(text, "access", at: position, as: Access.self) {
            rule.deny.insert(access)
          }
        }
      }, write: { .words($0.denied.map(\.rawValue)) }),
    Field("unless", .exemption, \.unless, unless: .noUser, "Who is exempt from it."),
    Field("status", .errorCode, \.status, "What the server answers."),
  ])
}

extension Form<SecurityRule.Exemption> {
  /// `authenticated` or `{uid: NAME}`.
  fileprivate static let exemption = Form(
    read: { reading, node, what in
      if case let .string(text) = node.content {
        if text == "authenticated" { return .authenticated }
        reading.unknown(
          "exemption", text, at: node.position, among: ["authenticated", "{uid: NAME}"])
        return nil
      }
      let fields = reading.fields(of: node, what, keys: ["uid"], required: ["uid"])
      return fields?["uid"].flatMap { reading.string($0, "uid") }.map { .user($0) }
    },
    write: { exemption in
      switch exemption {
      case .noUser: .mapping([])
      case .authenticated: .text("authenticated")
      case let .user(name): .mapping([.init("uid", .text(name))])
      }
    })
}

// MARK: - Reading

extension Reading {
  static let processVerbs = ["kill", "start", "clock", "storage"]
  static let serverWrites: [FieldKey] = [
    .init("set", "A write of another client, directly at the server: `{path, value, priority?}`."),
    .init("update", "The same for several children or deeper paths: `{path, value}`."),
    .init("remove", "The same for a removal: a path."),
  ]

  /// `network.VERB` or `server.VERB`, as the table of faults says.
  mutating func fault(
    _ group: FaultKind.Group, _ verb: String, _ entry: DocumentNode.Entry
  ) -> NamedFault? {
    let writes = group == .server ? Self.serverWrites.map(\.name) : []
    if writes.contains(verb) {
      return serverWrite(verb, entry).map { .write($0) }
    }
    let kinds = FaultKind.steps(of: group)
    guard let kind = kinds.first(where: { $0.verb == verb }) else {
      unknown(
        "\(group.rawValue) step", verb, at: entry.keyPosition, among: writes + kinds.map(\.verb))
      return nil
    }
    switch kind.form {
    case .latency: return newLatency(entry.value)
    case .client, .everyone, .server, .rule, .path:
      let keys = kind.table.names + [Self.triggerKey]
      return argument(entry, keys: keys, required: kind.table.required).flatMap {
        fault(kind, of: nil, $0)
      }
    case .write, .process: return nil
    }
  }

  private mutating func fault(
    _ kind: FaultKind, of client: String?, _ fields: Fields
  ) -> NamedFault? {
    var stated = FaultFields(client: client)
    read(fields, by: kind.table, into: &stated)
    return NamedFault(kind, stated)
  }

  /// The fields of an argument. A client or a path may stand alone where nothing else is required.
  mutating func argument(
    _ entry: DocumentNode.Entry, keys: [String], required: [String]
  ) -> Fields? {
    let only = keys.first.flatMap { YAML.aloneKeys.contains($0) ? $0 : nil }
    if let only, case .string = entry.value.content, [[], [only]].contains(required) {
      let field = DocumentNode.Entry(
        key: only, keyPosition: entry.value.position, value: entry.value)
      return Fields(position: entry.value.position, entries: [field])
    }
    if entry.value.isNull, required.isEmpty { return Fields(position: entry.keyPosition) }
    guard only == "client", entry.value.kind != "a mapping" else {
      return fields(of: entry.value, entry.key, keys: keys, required: required)
    }
    let needed = required.map { "\($0): ..." }.joined(separator: ", ")
    mismatch(
      entry.key, entry.value,
      expected: [[], ["client"]].contains(required)
        ? "the name of a client" : "a mapping such as {\(needed)}")
    return nil
  }

  /// `50ms`; `{CLIENT: 5ms}`; `{latency: 50ms, when: …}` where it waits for something.
  private mutating func newLatency(_ node: DocumentNode) -> NamedFault? {
    guard case let .mapping(entries) = node.content else {
      return intervals(node, "network.latency").map { .latency(Latency($0), nil) }
    }
    let latencies = entries.filter { $0.key != Self.triggerKey }
    guard latencies.count == 1 else {
      report(
        node.position,
        "network.latency names \(latencies.count) clients; expected one in each step")
      return nil
    }
    let keys = ["latency"] + clients + [Self.triggerKey]
    guard let fields = fields(of: node, "network.latency", keys: keys) else { return nil }
    if let node = fields["latency"] {
      return intervals(node, "latency").map { .latency(Latency($0), nil) }
    }
    guard let entry = latencies.first, clients.contains(entry.key) else { return nil }
    return intervals(entry.value, "the latency of \(entry.key)").map {
      .latency(Latency($0), entry.key)
    }
  }

  private mutating func serverWrite(_ verb: String, _ entry: DocumentNode.Entry) -> ServerWrite? {
    if verb == "remove" {
      let fields = argument(entry, keys: ["path", Self.triggerKey], required: ["path"])
      return fields?["path"].flatMap { storedPath($0) }.map { .remove($0) }
    }
    let keys = ["path", "value"] + (verb == "set" ? ["priority"] : []) + [Self.triggerKey]
    guard
      let fields = fields(of: entry.value, entry.key, keys: keys, required: ["path", "value"]),
      let path = fields["path"].flatMap({ storedPath($0) }), let value = fields["value"]
    else { return nil }
    if verb == "update" { return assignments(value, at: path, .stored).map { .update(path, $0) } }
    return written(fields, at: path, .stored).map { .set(path, $0) }
  }
}

extension Reading {
  /// `CLIENT.kill`, `CLIENT.start: {storage: S}`, `CLIENT.clock: {…}`, `CLIENT.storage: {…}`.
  mutating func processAction(
    _ client: String, _ verb: String, _ entry: DocumentNode.Entry
  ) -> NamedFault? {
    guard checkClient(client, at: entry.keyPosition) else { return nil }
    switch verb {
    case "kill": return killing(client, entry)
    case "start": return starting(client, entry)
    case "clock": return clockFault(client, entry)
    default: return storageFault(client, entry)
    }
  }

  private mutating func killing(
    _ client: String, _ entry: DocumentNode.Entry
  ) -> NamedFault? {
    let isTriggered = entry.value[Self.triggerKey] != nil
    if isTriggered {
      _ = fields(of: entry.value, entry.key, keys: [Self.triggerKey])
    } else {
      checkNoArguments(entry.value, entry.key)
    }
    checkRunning(client, entry)
    if isTriggered {
      removed.insert(client)
    } else {
      killed.insert(client)
      labels.endAll(of: client)
    }
    return .kill(client)
  }

  private mutating func starting(
    _ client: String, _ entry: DocumentNode.Entry
  ) -> NamedFault? {
    if removed.remove(client) != nil {
      labels.endAll(of: client)
    } else if killed.remove(client) == nil {
      report(
        entry.keyPosition, "\(client) is running; expected \(client).kill before it is started")
    }
    let keys = FaultKind.start.table.names + [Self.triggerKey]
    return argument(entry, keys: keys, required: []).flatMap { fault(.start, of: client, $0) }
  }

  /// `{skew: 500ms}`, `{jump: -15m}` or `{drift: 5ms}`.
  private mutating func clockFault(
    _ client: String, _ entry: DocumentNode.Entry
  ) -> NamedFault? {
    let words = FaultKind.sharing("clock").compactMap(\.word)
    guard let fields = fields(of: entry.value, entry.key, keys: words + [Self.triggerKey]) else {
      return nil
    }
    let found = fields.entries.filter { words.contains($0.key) }
    guard found.count == 1, let kind = FaultKind.ofProcess("clock", found[0].key) else {
      report(
        entry.value.position,
        "\(entry.key) has \(found.count) changes; expected one of \(alternatives(words))")
      return nil
    }
    return fault(kind, of: client, fields)
  }

  /// `{fail: write, times: 2}`, `{fail: torn}`, `{fail: full, at: 200B}` or `{fail: nothing}`.
  private mutating func storageFault(
    _ client: String, _ entry: DocumentNode.Entry
  ) -> NamedFault? {
    let kinds = FaultKind.sharing("storage")
    let words = kinds.compactMap(\.word)
    let keys = ["fail"] + kinds.flatMap(\.table.names) + [Self.triggerKey]
    let fields = fields(of: entry.value, entry.key, keys: keys, required: ["fail"])
    guard let fields, let node = fields["fail"] else { return nil }
    guard let word = string(node, "fail") else { return nil }
    guard let kind = FaultKind.ofProcess("storage", word) else {
      unknown("fail", word, at: node.position, among: words)
      return nil
    }
    for owner in kinds where owner != kind {
      for entry in owner.table.names.compactMap({ fields.entry($0) }) {
        report(
          entry.keyPosition,
          "\(entry.key) stands beside fail: \(word); "
            + "expected it with fail: \(owner.word ?? owner.name)")
      }
    }
    return fault(kind, of: client, fields)
  }

  /// Reports something that a client is to do while it is not running.
  mutating func checkRunning(_ client: String, _ entry: DocumentNode.Entry) {
    guard killed.contains(client) else { return }
    report(
      entry.keyPosition,
      "\(client) was killed and is not running; expected \(client).start before \(entry.key)")
  }
}

// MARK: - Writing

extension YAML {
  /// The keys whose value may stand for all of an argument.
  static let aloneKeys = ["client", "path", "latency"]

  /// What stands behind a step or a call.
  static func argument(_ fields: [Entry]) -> YAML? {
    if fields.count == 1, aloneKeys.contains(fields[0].key) { return fields[0].value }
    return fields.isEmpty ? nil : .mapping(fields)
  }

  /// A step that affects a client or the server. It may wait for something.
  static func entry(of fault: NamedFault, _ trigger: Step.Trigger?) -> Entry {
    let (kind, fields) = fault.parts
    var key = kind.step
    var stated = kind.table.entries(of: fields)
    switch kind.form {
    case .client, .everyone, .server, .rule, .path: break
    case .latency:
      stated = [Entry(fields.client ?? "latency", .range(fields.latency.range))]
    case .write: (key, stated) = (fields.write.step, entries(of: fields.write))
    case let .process(_, word):
      key = "\(fields.client ?? "").\(kind.verb)"
      if kind.verb == "storage", let word { stated.insert(Entry("fail", .text(word)), at: 0) }
    }
    guard let trigger else { return Entry(key, argument(stated)) }
    let condition = YAML.trigger(trigger, of: fault.client)
    return Entry(key, .mapping(stated + [Entry(Reading.triggerKey, condition)]))
  }

  private static func entries(of write: ServerWrite) -> [Entry] {
    switch write {
    case let .set(path, node): pathEntry(path) + written(node)
    case let .update(path, parts): pathEntry(path) + [Entry("value", .assignments(parts))]
    case let .remove(path): pathEntry(path)
    }
  }
}
