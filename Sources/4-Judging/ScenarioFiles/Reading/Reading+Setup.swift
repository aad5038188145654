import ClientInterface
import Document
import Faults
import Scenario
import SecurityRules
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

  /// Reads what all the files say before the steps, such as the clients and the data.
  mutating func readSetup(_ parts: [(String, Fields)], into scenario: inout Scenario) {
    var stated: [String: String] = [:]
    for (file, fields) in parts {
      self.file = file
      for key in ["start", "network", "quiet", "data", "tokens", "persistence"] {
        guard let entry = fields.entry(key) else { continue }
        if let other = stated.updateValue(file, forKey: key) {
          report(entry.keyPosition, "\(key) is stated in \(other) too; expected it in one file")
        }
      }
      readSetup(fields, into: &scenario)
    }
  }

  private mutating func readSetup(_ fields: Fields, into scenario: inout Scenario) {
    if let node = fields["start"] {
      scenario.start = choice(node, "start", as: Scenario.Start.self) ?? .connected
    }
    if let node = fields["network"] { scenario.latency = readNetwork(node) }
    if let node = fields["quiet"] {
      scenario.quiet = interval(node, "quiet") ?? scenario.quiet
    }
    if let node = fields["data"] {
      checkStored(node, at: .root, .initial)
      scenario.data = Node(json: node.json)
    }
    if let node = fields["security"], case .mapping = node.content {
      readDatabaseRules(node, into: &scenario)
    } else if let node = fields["security"] {
      for element in list(node, "security", of: "{path, deny}") {
        if let rule = securityRule(element, "an element of security") {
          scenario.security.append(rule)
        }
      }
    }
    if let node = fields["tokens"] { scenario.tokens = readTokens(node) }
    if let node = fields["persistence"] { scenario.persistence = readPersistence(node) }
    if let node = fields["needs"] { readNeeds(node, into: &scenario) }
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

  private mutating func readNeeds(_ node: DocumentNode, into scenario: inout Scenario) {
    for (name, position) in words(node, "needs", of: "capabilities") {
      if !Capability.inDetail.contains(name) {
        unknown("capability", name, at: position, among: Capability.inDetail)
      } else if !scenario.needs.contains(name) {
        scenario.needs.append(name)
      }
    }
  }

  /// `{path: P, deny: [read, write], unless: U, status: S}`.
  mutating func securityRule(
    _ node: DocumentNode, _ what: String, more: [String] = []
  ) -> SecurityRule? {
    let keys = ["path", "deny"]
    let options = ["unless", "status"] + more
    guard let fields = fields(of: node, what, keys: keys + options, required: keys) else {
      return nil
    }
    let status = fields["status"].flatMap { errorCode($0, "status") }
    let unless = fields["unless"].flatMap { exemption($0) } ?? .noUser
    let path = fields["path"].flatMap { storedPath($0) }
    guard let denied = fields["deny"] else { return nil }
    var deny: Set<SecurityRule.Access> = []
    for (text, position) in words(denied, "deny", of: "read and write") {
      if let access = choice(text, "access", at: position, as: SecurityRule.Access.self) {
        deny.insert(access)
      }
    }
    return path.map { .init($0, deny: deny, unless: unless, status: status) }
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

  /// `{CLIENT: L}`.
  mutating func overrides(_ node: DocumentNode, _ what: String) -> [Scenario.Latency.Override] {
    guard let fields = fields(of: node, what, keys: clients) else { return [] }
    return fields.entries.compactMap { entry in
      guard clients.contains(entry.key) else { return nil }
      return intervals(entry.value, "the latency of \(entry.key)").map {
        .init(client: entry.key, range: $0)
      }
    }
  }
}
