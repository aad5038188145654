import ClientInterface
import Document
import Tree

extension Reading {
  private static let plainSteps = ["wait", "settle", "together", "expect", "expect-now"]

  mutating func readSteps(_ node: DocumentNode, inFragment: Bool) -> [Step] {
    var steps: [Step] = []
    for element in list(node, "steps", of: "steps") {
      guard let step = readStep(element) else { continue }
      if inFragment, let expectation = step.expectation {
        report(
          expectation.position,
          "a fragment expects something; expected expectations in the including file")
      }
      steps.append(step)
    }
    return steps
  }

  private mutating func readStep(_ node: DocumentNode) -> Step? {
    guard let entries = stepEntries(node) else { return nil }
    let expectations = entries.filter { ["expect", "expect-now"].contains($0.key) }
    let actions = entries.filter { !["expect", "expect-now"].contains($0.key) }
    for entry in actions.dropFirst() + expectations.dropFirst() {
      report(
        entry.keyPosition,
        "a step does a second thing, \(entry.key); expected a step of its own for it")
    }
    var step = Step(file: file, position: node.position, text: "", action: .expect)
    if let entry = actions.first {
      step.text = Self.text(of: entry)
      step.position = entry.keyPosition
      guard let action = action(entry) else {
        if let entry = expectations.first { _ = readExpectation(entry) }
        return nil
      }
      step.action = action
    }
    if let entry = expectations.first {
      if actions.isEmpty { step.text = Self.text(of: entry) }
      step.expectation = readExpectation(entry)
    }
    return step
  }

  /// The entries of a step; a plain word such as `settle` is a step without arguments.
  private mutating func stepEntries(_ node: DocumentNode) -> [DocumentNode.Entry]? {
    switch node.content {
    case let .mapping(entries) where !entries.isEmpty: return entries
    case let .string(word):
      let nothing = DocumentNode(.null, at: node.position)
      return [.init(key: word, keyPosition: node.position, value: nothing)]
    case .null, .bool, .number, .list, .mapping:
      let found = node.kind == "a mapping" ? "an empty mapping" : node.kind
      report(
        node.position, "a step is \(found); expected a mapping such as {alice.set: {...}}")
      return nil
    }
  }

  private static func text(of entry: DocumentNode.Entry) -> String {
    let limit = 120
    if entry.value.isNull { return entry.key }
    let text = "\(entry.key): \(entry.value.flowText)"
    return text.count > limit ? text.prefix(limit) + "..." : text
  }

  private mutating func action(_ entry: DocumentNode.Entry) -> Action? {
    switch entry.key {
    case "wait": return interval(entry.value, "wait").map(Action.wait)
    case "settle":
      checkNoArguments(entry)
      return .settle
    case "together": return together(entry.value)
    default: break
    }
    guard let dot = entry.key.firstIndex(of: ".") else {
      let words = Self.plainSteps + clients.map { "\($0).OPERATION" }
      unknown("step", entry.key, at: entry.keyPosition, among: words)
      return nil
    }
    let verb = String(entry.key[entry.key.index(after: dot)...])
    switch entry.key[..<dot] {
    case "network": return networkAction(verb, entry).map(Action.network)
    case "server": return serverAction(verb, entry).map(Action.server)
    case let client where Self.processVerbs.contains(verb):
      return processAction(String(client), verb, entry).map(Action.process)
    case let client: return call(of: String(client), verb, entry).map(Action.call)
    }
  }

  /// Notes arguments of something that takes none.
  mutating func checkNoArguments(_ entry: DocumentNode.Entry) {
    if entry.value.isNull || entry.value.json.members?.isEmpty == true { return }
    report(
      entry.value.position, "\(entry.key) takes no arguments; expected {} or nothing behind it")
  }

  private mutating func together(_ node: DocumentNode) -> Action? {
    let elements = list(node, "together", of: "steps")
    if elements.count == 1 {
      report(node.position, "together has one step; expected at least two")
    }
    let steps = elements.compactMap { element -> Step? in
      guard let step = readStep(element) else { return nil }
      if let expectation = step.expectation {
        report(
          expectation.position,
          "a step of together expects something; expected the expectation after together")
      }
      switch step.action {
      case .call, .server, .expect: break
      case .process, .network, .wait, .settle, .together:
        report(
          step.position,
          "together does not take \(quoted(step.text)); "
            + "expected calls of clients and writes at the server")
      }
      return step
    }
    return steps.count == elements.count ? .together(steps) : nil
  }
}

extension Reading {
  private static let networkVerbs = ["cut", "heal", "refuse", "latency"]
  private static let unsupportedNetworkVerbs = ["stall", "resume", "half-open"]

  private mutating func networkAction(
    _ verb: String, _ entry: DocumentNode.Entry
  ) -> NetworkAction? {
    guard
      isSupported(
        "network step", verb, entry, Self.networkVerbs, not: Self.unsupportedNetworkVerbs)
    else { return nil }
    if case let .mapping(entries) = entry.value.content,
      let trigger = entries.first(where: { $0.key == "when" })
    {
      report(trigger.keyPosition, "when is not supported yet")
      return nil
    }
    if verb == "latency" { return newLatency(entry.value) }
    guard case let .string(client) = entry.value.content else {
      mismatch(entry.key, entry.value, expected: "the name of a client")
      return nil
    }
    guard checkClient(client, at: entry.value.position) else { return nil }
    switch verb {
    case "cut": return .cut(client: client)
    case "heal": return .heal(client: client)
    default: return .refuse(client: client)
    }
  }

  private mutating func newLatency(_ node: DocumentNode) -> NetworkAction? {
    guard case let .mapping(entries) = node.content else {
      return intervals(node, "network.latency").map { .latency($0, client: nil) }
    }
    guard entries.count == 1 else {
      report(
        node.position, "network.latency names \(entries.count) clients; expected one in each step")
      return nil
    }
    return overrides(node, "network.latency").first.map { .latency($0.range, client: $0.client) }
  }

  /// Whether the word behind the dot is one that the kit can do; it is noted when it is not.
  mutating func isSupported(
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

extension Reading {
  private static let serverVerbs = [
    "set", "update", "remove", "reject", "revoke", "revoke-auth",
  ]
  private static let unsupportedServerVerbs = [
    "restart", "redirect", "shutdown", "clock",
  ]

  private mutating func serverAction(
    _ verb: String, _ entry: DocumentNode.Entry
  ) -> ServerAction? {
    guard
      isSupported("server step", verb, entry, Self.serverVerbs, not: Self.unsupportedServerVerbs)
    else { return nil }
    switch verb {
    case "reject": return restriction(entry.value, entry.key).map(ServerAction.reject)
    case "revoke-auth": return credentialRevocation(entry)
    case "remove", "revoke":
      let fields = withPath(entry, keys: ["path"], required: ["path"])
      let path = fields?["path"].flatMap { storedPath($0) }
      return path.map { verb == "remove" ? .remove($0) : .revoke($0) }
    case "update":
      let keys = ["path", "value"]
      guard let fields = fields(of: entry.value, entry.key, keys: keys, required: keys),
        let path = fields["path"].flatMap({ storedPath($0) }), let value = fields["value"]
      else { return nil }
      return assignments(value, at: path, .stored).map { .update(path, $0) }
    default:
      let keys = ["path", "value", "priority"]
      guard
        let fields = fields(of: entry.value, entry.key, keys: keys, required: ["path", "value"]),
        let path = fields["path"].flatMap({ storedPath($0) })
      else { return nil }
      return written(fields, at: path, .stored).map { .set(path, $0) }
    }
  }
}
