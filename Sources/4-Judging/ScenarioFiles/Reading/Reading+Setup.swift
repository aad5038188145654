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
    unknown("client", name, at: position, among: clients)
    return false
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
    let keys = Scenario.parts.filter { $0.inFragments == .once }.flatMap(\.field.keys)
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
    for element in list(node, "security", of: "{path, deny}") {
      var rule = SecurityRule(.root, deny: [])
      if read(element, "an element of security", by: SecurityRule.table, into: &rule) != nil {
        scenario.security.append(rule)
      }
    }
  }

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

extension Reading {
  /// `{latency: L}`, `{latency: {CLIENT: L}}` or `{CLIENT: {latency: L}}`.
  mutating func readNetwork(_ node: DocumentNode) -> Scenario.Latency {
    var latency = Scenario.Latency()
    guard let fields = fields(of: node, "network", keys: ["latency"] + clients) else {
      return latency
    }
    if let node = fields["latency"] {
      if case .mapping = node.content {
        latency.overrides += overrides(node, "latency")
      } else {
        latency.standard = intervals(node, "latency") ?? latency.standard
      }
    }
    for entry in fields.entries where clients.contains(entry.key) {
      let own = self.fields(
        of: entry.value, "the network of \(entry.key)", keys: ["latency"], required: ["latency"])
      guard let node = own?["latency"], let range = intervals(node, "latency") else { continue }
      if latency.overrides.contains(where: { $0.client == entry.key }) {
        report(entry.keyPosition, "the latency of \(entry.key) is stated twice; expected it once")
      }
      latency.overrides.append(.init(client: entry.key, range: range))
    }
    return latency
  }

  private mutating func overrides(
    _ node: DocumentNode, _ what: String
  ) -> [Scenario.Latency.Override] {
    perClient(node, what).compactMap { entry in
      intervals(entry.value, "the latency of \(entry.key)").map {
        .init(client: entry.key, range: $0)
      }
    }
  }

  /// The entries of a mapping from clients to something, which may have other keys as well.
  mutating func perClient(
    _ node: DocumentNode, _ what: String, besides keys: [String] = []
  ) -> [DocumentNode.Entry] {
    (fields(of: node, what, keys: keys + clients)?.entries ?? [])
      .filter { clients.contains($0.key) }
  }
}

extension Reading {
  /// `{TOKEN: {uid: NAME, expires: 30s}}`.
  mutating func readTokens(_ node: DocumentNode) -> [String: Scenario.Token] {
    guard case let .mapping(entries) = node.content, !entries.isEmpty else {
      report(
        node.position,
        "tokens is \(node.isCollection ? "empty" : node.kind); expected {TOKEN: {uid: NAME}}")
      return [:]
    }
    var tokens: [String: Scenario.Token] = [:]
    for entry in entries {
      var token = Scenario.Token(user: "")
      read(entry.value, "the token \(entry.key)", by: Scenario.Token.table, into: &token)
      tokens[entry.key] = token
    }
    return tokens
  }

  /// `true`, `{cache: 1MB}`, or either of them for each client.
  mutating func readPersistence(_ node: DocumentNode) -> [String: ClientInput.Persistence] {
    if case let .mapping(entries) = node.content, !entries.contains(where: { $0.key == "cache" }) {
      var result: [String: ClientInput.Persistence] = [:]
      for entry in perClient(node, "persistence", besides: ["cache"]) {
        result[entry.key] = persistence(entry.value, "the persistence of \(entry.key)")
      }
      return result
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
      let fields = fields(of: node, what, keys: ["cache"], required: ["cache"])
      return fields?["cache"].flatMap { size($0, "cache") }.map { .init(cacheBytes: $0) }
    case .null, .number, .string, .list:
      mismatch(what, node, expected: "true, false or {cache: SIZE}")
      return nil
    }
  }
}
