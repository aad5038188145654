import ClientInterface
import Document

extension Reading {
  private static let networkVerbs = [
    "cut", "drop", "heal", "refuse", "latency", "stall", "resume", "half-open", "close-after",
    "lose-acknowledgement", "late-close",
  ]

  /// `network.VERB: CLIENT`, or a mapping with the client where more is to be said.
  mutating func networkAction(_ verb: String, _ entry: DocumentNode.Entry) -> NetworkAction? {
    guard isSupported("network step", verb, entry, Self.networkVerbs, not: []) else { return nil }
    switch verb {
    case "latency": return newLatency(entry.value)
    case "stall", "resume":
      guard let (client, fields) = afflicted(entry, keys: ["direction"]) else { return nil }
      let direction = direction(fields)
      return verb == "stall"
        ? .stall(client: client, direction) : .resume(client: client, direction)
    case "half-open":
      guard let (client, fields) = afflicted(entry, keys: ["notices"]) else { return nil }
      let notices = fields["notices"].flatMap {
        choice($0, "notices", as: NetworkAction.Notice.self)
      }
      return .halfOpen(client: client, notices: notices ?? .nobody)
    case "close-after": return closing(entry)
    case "late-close":
      guard let (client, fields) = afflicted(entry, keys: ["after"], required: ["after"]) else {
        return nil
      }
      return fields["after"].flatMap { interval($0, "after") }.map {
        .lateClose(client: client, after: $0)
      }
    default: return afflicted(entry, keys: []).map { plainFault(verb, $0.client) }
    }
  }

  private func plainFault(_ verb: String, _ client: String) -> NetworkAction {
    switch verb {
    case "cut": .cut(client: client)
    case "drop": .drop(client: client)
    case "heal": .heal(client: client)
    case "refuse": .refuse(client: client)
    default: .loseAcknowledgement(client: client)
    }
  }

  private mutating func closing(_ entry: DocumentNode.Entry) -> NetworkAction? {
    let keys = ["messages", "direction"]
    guard let (client, fields) = afflicted(entry, keys: keys, required: ["messages"]) else {
      return nil
    }
    let direction = direction(fields)
    return fields["messages"].flatMap { count($0, "messages", atLeast: 1) }.map {
      .closeAfter(client: client, messages: $0, direction)
    }
  }

  mutating func direction(_ fields: Fields) -> NetworkAction.Direction {
    fields["direction"].flatMap {
      choice($0, "direction", as: NetworkAction.Direction.self)
    } ?? .both
  }

  /// The client that a step is about: all of its argument, or the field `client` of it.
  mutating func afflicted(
    _ entry: DocumentNode.Entry, keys: [String], required: [String] = []
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

  /// `50ms`; `{CLIENT: 5ms}`; `{latency: 50ms, when: …}` where it waits for something.
  private mutating func newLatency(_ node: DocumentNode) -> NetworkAction? {
    guard case let .mapping(entries) = node.content else {
      return intervals(node, "network.latency").map { .latency($0, client: nil) }
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
      return intervals(node, "latency").map { .latency($0, client: nil) }
    }
    guard let entry = latencies.first, clients.contains(entry.key) else { return nil }
    return intervals(entry.value, "the latency of \(entry.key)").map {
      .latency($0, client: entry.key)
    }
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
