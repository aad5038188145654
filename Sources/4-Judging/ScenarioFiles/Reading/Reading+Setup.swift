import ClientInterface
import Document
import Faults
import ReferenceServer
import Scenario
import Tree

extension Reading {
  /// Words that mean something else where a client can be named.
  static let reservedNames = [
    "server", "network", "wait", "settle", "together", "expect", "expect-now", "frames", "order",
    "converged", "one-of", "latency", "cache", "when",
  ]

  /// Adds the clients of one file; a fragment and the file that includes it may name the same ones.
  mutating func readClients(_ fields: Fields) {
    guard let node = fields["clients"] else { return }
    for (name, position) in words(node, "clients", of: "names") {
      if Self.reservedNames.contains(name) {
        report(
          position, "\(name) cannot be the name of a client; expected a word without a meaning")
      } else if !isLabel(name) {
        report(
          position, "\(quoted(name)) cannot be the name of a client; expected \(labelForm)")
      } else if !clients.contains(name) {
        clients.append(name)
      }
    }
  }

  /// Whether there is a client of that name; it is reported when there is none.
  mutating func checkClient(_ name: String, at position: Position) -> Bool {
    if clients.contains(name) { return true }
    unknownClient(name, at: position, among: clients)
    return false
  }

  /// Reports a client that there is not, unless there are none at all: that is reported once.
  mutating func unknownClient(_ name: String, at position: Position, among names: [String]) {
    if clients.isEmpty, purpose != .setting { return }
    let another =
      names.contains(ReadFaultRules.everyone)
      ? ["one that is declared, as in {clients: [\(name)], faults: [...]}"]
      : purpose == .setting ? [] : ["one that is added to clients"]
    unknown("client", name, at: position, among: names, or: another)
  }

  /// The name of a client that there is.
  mutating func knownClient(_ node: DocumentNode, _ what: String) -> String? {
    guard let name = string(node, what), checkClient(name, at: node.position) else {
      return nil
    }
    return name
  }

  /// Reports what is stated in several files although it adds nothing to what others say.
  mutating func checkStatedOnce(_ parts: [(String, Fields)]) {
    let keys = Scenario.table.fields.filter { $0.use == .single }.flatMap(\.keys)
    var stated: [String: String] = [:]
    for (file, fields) in parts {
      self.file = file
      for key in keys.map(\.name) {
        guard let entry = fields.entry(key) else { continue }
        if let other = stated.updateValue(file, forKey: key) {
          report(entry.keyPosition, "\(key) is stated in \(other) too; expected it in one file")
        }
      }
    }
  }

  mutating func readSecurity(_ node: DocumentNode, into scenario: inout Scenario) {
    if case .mapping = node.content { return readDatabaseRules(node, into: &scenario) }
    // Nothing is refused: what a scenario for a server says when its last rule is taken out.
    if case let .list(rules) = node.content, rules.isEmpty { return }
    scenario.security += Self.securityRules.read(&self, node, "security") ?? []
  }

  private static let securityRules = Form.list(
    of: "{path, deny}", Form(SecurityRule.table, from: SecurityRule(.root, deny: [])))

  /// `{rules: {...}}`, in the language of the database.
  private mutating func readDatabaseRules(_ node: DocumentNode, into scenario: inout Scenario) {
    if scenario.databaseRules != nil {
      report(node.position, "the rules of the database are stated twice; expected them in one file")
    }
    let (rules, mistakes) = SecurityRules.read(node)
    for mistake in mistakes { report(mistake.position, mistake.message) }
    scenario.databaseRules = rules
  }

  mutating func readNeeds(_ node: DocumentNode, into scenario: inout Scenario) {
    for (name, position) in words(node, "needs", of: "capabilities") {
      if !Capability.inDetail.contains(name) {
        unknown("capability", name, at: position, among: Capability.inDetail)
      } else if !scenario.needs.contains(name) {
        scenario.needs.append(name)
      }
    }
  }
}

extension Scenario.Latency {
  /// `{latency: 50ms}`, for all clients or for one.
  static let table = Table<ClosedRange<Interval>>([
    Field("latency", .intervals, \.self, "How long messages take in one direction.")
  ])
}

extension Reading {
  /// `{latency: L}`, `{latency: {CLIENT: L}}` or `{CLIENT: {latency: L}}`.
  mutating func readNetwork(_ node: DocumentNode) -> Scenario.Latency {
    let table = Scenario.Latency.table
    var latency = Scenario.Latency()
    var own: [(entry: DocumentNode.Entry, range: ClosedRange<Interval>)] = []
    for entry in perClient(node, "network", besides: table.names) {
      if clients.contains(entry.key) {
        var range = latency.standard
        read(entry.value, "the network of \(entry.key)", by: table, into: &range)
        own.append((entry, range))
      } else if case .mapping = entry.value.content {
        let stated = perClient(entry.value, entry.key)
        own = stated.compactMap { entry in self.latency(entry).map { (entry, $0) } } + own
      } else {
        latency.standard = self.latency(entry) ?? latency.standard
      }
    }
    for (entry, range) in own {
      if latency.overrides.contains(where: { $0.client == entry.key }) {
        report(entry.keyPosition, "the latency of \(entry.key) is stated twice; expected it once")
      }
      latency.overrides.append(.init(client: entry.key, range: range))
    }
    return latency
  }

  /// `latency: 50ms`, or `alice: 5ms`.
  mutating func latency(_ entry: DocumentNode.Entry) -> ClosedRange<Interval>? {
    let isOfClient = clients.contains(entry.key)
    return intervals(entry.value, isOfClient ? "the latency of \(entry.key)" : entry.key)
  }

  /// The entries of a mapping from clients to something, which may have other keys as well.
  mutating func perClient(
    _ node: DocumentNode, _ what: String, besides keys: [String] = []
  ) -> [DocumentNode.Entry] {
    (fields(of: node, what, keys: keys + clients)?.entries ?? [])
      .filter { (keys + clients).contains($0.key) }
  }
}

extension ClientInput.Persistence {
  /// `{cache: 1MB}`.
  static let table = Table<Self>([
    Field("cache", .size, \.cacheBytes, "How much a client may keep.")
  ])
}

extension Reading {
  /// `true`, `{cache: 1MB}`, or either of them for each client.
  mutating func readPersistence(_ node: DocumentNode) -> [String: ClientInput.Persistence] {
    let keys = ClientInput.Persistence.table.names
    if case let .mapping(entries) = node.content,
      !entries.contains(where: { keys.contains($0.key) })
    {
      return perClient(node, "persistence", besides: keys).reduce(into: [:]) {
        $0[$1.key] = persistence($1.value, "the persistence of \($1.key)")
      }
    }
    guard let persistence = persistence(node, "persistence") else { return [:] }
    return Dictionary(uniqueKeysWithValues: clients.map { ($0, persistence) })
  }

  private mutating func persistence(
    _ node: DocumentNode, _ what: String
  ) -> ClientInput.Persistence? {
    switch node.content {
    case let .bool(isOn): return isOn ? .init() : nil
    case .mapping:
      var persistence = ClientInput.Persistence()
      read(node, what, by: ClientInput.Persistence.table, into: &persistence)
      return persistence
    case .null, .number, .string, .list:
      mismatch(what, node, expected: "true, false or {cache: SIZE}")
      return nil
    }
  }
}
