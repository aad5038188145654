import ClientInterface
import Document
import Faults
import Scenario
import Tree

// Steps that affect the network, the server, or a client's process and machine.

extension FaultKind {
  /// What a step states besides its client.
  var table: Table<FaultFields<String>> { Self.tables[rawValue] }

  /// In the order of the kinds.
  private static let tables = allCases.map { kind in
    // What is wrong with a clock and by how much is one key.
    let name = kind.group == .process && kind.verb == "clock" ? kind.word : nil
    return Table(kind.form.fields.map { $0.field(name ?? $0.rawValue) })
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
    case .rule:
      return securityRule(entry.value, entry.key, more: [Self.triggerKey]).map { .reject($0) }
    case .path:
      let fields = withPath(entry, keys: ["path", Self.triggerKey], required: ["path"])
      return fields?["path"].flatMap { storedPath($0) }.map { .revoke($0) }
    case .client, .everyone, .server: return fault(kind, entry)
    case .write, .process: return nil
    }
  }

  /// A fault that states nothing but its client and fields of the table.
  private mutating func fault(_ kind: FaultKind, _ entry: DocumentNode.Entry) -> NamedFault? {
    let table = kind.table
    let found: (client: String?, fields: Fields)?
    switch kind.form {
    case .client:
      found = affectedClient(entry, keys: table.names, required: table.required)
        .map { ($0.client, $0.fields) }
    case .everyone: found = addressees(entry, keys: table.names, required: table.required)
    case .server, .latency, .rule, .path, .write, .process:
      let keys = table.names + [Self.triggerKey]
      found = withPath(entry, keys: keys, required: table.required).map { (nil, $0) }
    }
    guard let found else { return nil }
    var stated = FaultFields(client: found.client)
    read(found.fields, by: table, into: &stated)
    return NamedFault(kind, stated)
  }

  /// A rule of `security`, or of a step that adds one.
  mutating func securityRule(
    _ node: DocumentNode, _ what: String, more: [String] = []
  ) -> SecurityRule? {
    var rule = SecurityRule(.root, deny: [])
    return read(node, what, by: SecurityRule.table, into: &rule, more: more).map { _ in rule }
  }

  /// The client that a step is about: all of its argument, or the field `client` of it.
  private mutating func affectedClient(
    _ entry: DocumentNode.Entry, keys: [String], required: [String]
  ) -> (client: String, fields: Fields)? {
    if required.isEmpty, case let .string(client) = entry.value.content {
      guard checkClient(client, at: entry.value.position) else { return nil }
      return (client, Fields(position: entry.value.position))
    }
    guard case .mapping = entry.value.content else {
      let more = (["client"] + required).map { "\($0): ..." }.joined(separator: ", ")
      mismatch(
        entry.key, entry.value,
        expected: required.isEmpty ? "the name of a client" : "a mapping such as {\(more)}")
      return nil
    }
    let fields = fields(
      of: entry.value, entry.key, keys: ["client"] + keys + [Self.triggerKey],
      required: ["client"] + required)
    guard let fields, let node = fields["client"], let client = string(node, "client"),
      checkClient(client, at: node.position)
    else { return nil }
    return (client, fields)
  }

  /// The client that the server addresses; without one it is all of them.
  private mutating func addressees(
    _ entry: DocumentNode.Entry, keys: [String], required: [String]
  ) -> (client: String?, fields: Fields)? {
    if entry.value.isNull, required.isEmpty { return (nil, Fields(position: entry.keyPosition)) }
    if case .mapping = entry.value.content, entry.value["client"] == nil {
      let fields = fields(
        of: entry.value, entry.key, keys: ["client"] + keys + [Self.triggerKey],
        required: required)
      return fields.map { (nil, $0) }
    }
    if !required.isEmpty, entry.value.kind != "a mapping" {
      let needed = required.map { "\($0): ..." }.joined(separator: ", ")
      mismatch(entry.key, entry.value, expected: "a mapping such as {\(needed)}")
      return nil
    }
    return affectedClient(entry, keys: keys, required: required).map { ($0.client, $0.fields) }
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
      let fields = withPath(entry, keys: ["path", Self.triggerKey], required: ["path"])
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
      checkNoArguments(entry)
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
    let table = FaultKind.start.table
    let keys = table.names + [Self.triggerKey]
    guard let fields = withPath(entry, keys: keys, required: []) else { return nil }
    var stated = FaultFields(client: client)
    read(fields, by: table, into: &stated)
    return NamedFault(.start, stated)
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
    var stated = FaultFields(client: client)
    read(fields, by: kind.table, into: &stated)
    return NamedFault(kind, stated)
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
    var stated = FaultFields(client: client)
    for kind in kinds { read(fields, by: kind.table, into: &stated) }
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
    return NamedFault(kind, stated)
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
  /// A step that affects a client or the server. It may wait for something.
  struct EnvironmentStep {
    var key: String
    var fields: [Entry]
    /// What stands for all fields where it says everything.
    var short: YAML?

    init(_ key: String, _ fields: [Entry], short: YAML? = nil) {
      self.key = key
      self.fields = fields
      self.short = short
    }

    /// About one client and, where nothing else is said, nothing but its name.
    init(_ key: String, client: String?, _ more: [Entry]) {
      let name = client.map { YAML.text($0) }
      let named = name.map { [Entry("client", $0)] } ?? []
      self.init(key, named + more, short: more.isEmpty ? name : nil)
    }

    /// About nothing but a path.
    init(_ key: String, path: Path) {
      self.init(key, [Entry("path", .path(path))], short: .path(path))
    }

    /// The step as an entry, with what it waits for. The client is the one that it is about.
    func entry(_ trigger: Step.Trigger?, of client: String?) -> Entry {
      if let trigger {
        return Entry(key, .mapping(fields + [Entry("when", .trigger(trigger, of: client))]))
      }
      return Entry(key, short ?? (fields.isEmpty ? nil : .mapping(fields)))
    }
  }

  static func entry(of fault: NamedFault) -> EnvironmentStep {
    let (kind, fields) = fault.parts
    let stated = kind.table.entries(of: fields)
    switch kind.form {
    case .client, .everyone: return EnvironmentStep(kind.step, client: fields.client, stated)
    case .server: return EnvironmentStep(kind.step, stated)
    case .latency:
      let range = YAML.range(fields.latency.range)
      return EnvironmentStep(
        kind.step, [Entry(fields.client ?? "latency", range)],
        short: fields.client == nil ? range : nil)
    case .rule: return EnvironmentStep(kind.step, SecurityRule.table.entries(of: fields.rule))
    case .path: return EnvironmentStep(kind.step, path: fields.path)
    case .write: return entry(of: fields.write)
    case let .process(_, word):
      let isStorage = kind.verb == "storage"
      let named = isStorage ? word.map { [Entry("fail", .text($0))] } ?? [] : []
      return EnvironmentStep("\(fields.client ?? "").\(kind.verb)", named + stated)
    }
  }

  private static func entry(of write: ServerWrite) -> EnvironmentStep {
    switch write {
    case let .set(path, node): EnvironmentStep(write.step, pathEntry(path) + written(node))
    case let .update(path, parts):
      EnvironmentStep(write.step, pathEntry(path) + [Entry("value", .assignments(parts))])
    case let .remove(path): EnvironmentStep(write.step, path: path)
    }
  }
}
