import Document
import Faults
import Scenario

// Rules for faults between real clients and a server.

extension Reading {
  private static let maxTimes = 1000

  /// Reads a list of rules, or a mapping with one.
  ///
  /// - Returns: The latency that the mapping states.
  mutating func faultRules(
    _ root: DocumentNode, into rules: inout [ReadFaultRules.Rule]
  ) -> Scenario.Latency? {
    var latency: Scenario.Latency?
    var list = root
    if case let .mapping(entries) = root.content, !Self.isRule(entries) {
      let keys = ["kennel", "clients", "network", "faults"]
      guard let fields = fields(of: root, "a file of faults", keys: keys) else { return nil }
      readClients(fields)
      if let position = fields.entry("clients")?.value.position,
        clients.contains(ReadFaultRules.everyone)
      {
        report(
          position,
          "any cannot be the name of a client; expected another one, since it means every client")
      }
      addEveryone()
      if let node = fields["network"] { latency = readNetwork(node) }
      guard let node = fields["faults"] else { return latency }
      // A file that states clients or latency need not have faults.
      if case .list(let elements) = node.content, elements.isEmpty { return latency }
      list = node
    }
    addEveryone()
    let nodes: [DocumentNode]
    if case .mapping = list.content {
      nodes = [list]
    } else {
      nodes = self.list(list, "faults", of: "faults such as {network.cut: alice}")
    }
    for node in nodes {
      if let rule = faultRule(node) { rules.append(rule) }
    }
    return latency
  }

  private mutating func addEveryone() {
    if !clients.contains(ReadFaultRules.everyone) { clients.append(ReadFaultRules.everyone) }
  }

  /// Whether a mapping is a rule by itself.
  private static func isRule(_ entries: [DocumentNode.Entry]) -> Bool {
    entries.contains { $0.key.contains(".") }
  }

  private mutating func faultRule(_ node: DocumentNode) -> ReadFaultRules.Rule? {
    guard case let .mapping(entries) = node.content, !entries.isEmpty else {
      mismatch("a fault", node, expected: "a mapping such as {network.cut: alice}")
      return nil
    }
    let actions = entries.filter { $0.key != "times" }
    for entry in actions.dropFirst() {
      report(
        entry.keyPosition,
        "a fault does a second thing, \(entry.key); expected a fault of its own for it")
    }
    guard let entry = actions.first else {
      report(node.position, "a fault is only times; expected one such as network.cut: alice")
      return nil
    }
    guard let action = faultAction(entry) else { return nil }
    var step = Step(
      file: file, position: entry.keyPosition, text: Self.text(of: entry), action: action)
    step.trigger = trigger(of: entry, action)
    let isForEach =
      action.client == ReadFaultRules.everyone
      || step.trigger?.client == ReadFaultRules.everyone
    var rule = ReadFaultRules.Rule(step: step, isForEach: isForEach)
    if let times = entries.first(where: { $0.key == "times" }) {
      rule.times = repetition(times, of: step)
    }
    return rule
  }

  /// What a fault does: something of the network or the server.
  private mutating func faultAction(_ entry: DocumentNode.Entry) -> Action? {
    let parts = entry.key.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let verb = parts.count == 2 ? String(parts[1]) : ""
    switch parts.first {
    case "network" where parts.count == 2:
      return fault(.network, verb, entry).map { .fault($0) }
    case "server" where parts.count == 2:
      return fault(.server, verb, entry).map { .fault($0.forEach) }
    case _ where parts.count == 2 && Self.processVerbs.contains(verb):
      report(
        entry.keyPosition,
        "\(entry.key) is about the process or the machine of a client, which is not the server's"
          + " to disturb; expected network.… or server.…")
    default:
      unknown(
        "fault", entry.key, at: entry.keyPosition, among: ["network.VERB", "server.VERB"])
    }
    return nil
  }

  private mutating func repetition(_ entry: DocumentNode.Entry, of step: Step) -> Int {
    guard let times = count(entry.value, "times", atLeast: 1) else { return 1 }
    if times > Self.maxTimes {
      report(entry.value.position, "times is \(times); expected at most \(Self.maxTimes)")
    } else if step.trigger == nil, times > 1 {
      report(
        entry.keyPosition,
        "the fault happens at once, so it cannot happen again; expected when: ... beside times")
    }
    return min(times, Self.maxTimes)
  }
}

extension NamedFault {
  /// What the server sends to everyone it sends to each client, those to come included.
  fileprivate var forEach: NamedFault {
    guard case .everyone = kind.form, client == nil else { return self }
    var fields = parts.fields
    fields.client = ReadFaultRules.everyone
    return NamedFault(kind, fields) ?? self
  }
}
