import Document
import Faults

extension Reading {
  /// `network.VERB` or `server.VERB`, as the table of faults says.
  mutating func fault(
    _ group: FaultKind.Group, _ verb: String, _ entry: DocumentNode.Entry
  ) -> NamedFault? {
    if group == .server, Self.serverWrites.contains(verb) {
      return serverWrite(verb, entry).map { .write($0) }
    }
    let kinds = FaultKind.steps(of: group)
    guard let kind = kinds.first(where: { $0.verb == verb }) else {
      let known = (group == .server ? Self.serverWrites : []) + kinds.map(\.verb)
      unknown("\(group.rawValue) step", verb, at: entry.keyPosition, among: known)
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
    let keys = kind.form.fields.map(\.rawValue)
    let required = kind.form.fields.filter(\.isRequired).map(\.rawValue)
    var stated = FaultFields<String>()
    let fields: Fields
    switch kind.form {
    case .client:
      guard let (client, own) = affectedClient(entry, keys: keys, required: required) else {
        return nil
      }
      (stated.client, fields) = (client, own)
    case .everyone:
      guard let (client, own) = addressees(entry, keys: keys, required: required) else {
        return nil
      }
      (stated.client, fields) = (client, own)
    case .server, .latency, .rule, .path, .write, .process:
      let all = keys + [Self.triggerKey]
      guard let own = withPath(entry, keys: all, required: required) else { return nil }
      fields = own
    }
    for field in kind.form.fields {
      guard let node = fields[field.rawValue] else { continue }
      guard read(field, node, into: &stated) || !field.isRequired else { return nil }
    }
    return NamedFault(kind, stated)
  }

  /// - Returns: Whether the field can be taken; one that is wrong stays as it was.
  private mutating func read(
    _ field: FaultKind.Field, _ node: DocumentNode, into fields: inout FaultFields<String>
  ) -> Bool {
    let key = field.rawValue
    switch field {
    case .notices: return take(choice(node, key, as: FaultSide.self), &fields.notices)
    case .direction:
      return take(choice(node, key, as: FaultDirection.self), &fields.direction)
    case .onDisconnects:
      return take(choice(node, key, as: OnDisconnectFate.self), &fields.fate)
    case .data: return take(choice(node, key, as: StaleData.self), &fields.data)
    case .messages, .times: return take(count(node, key, atLeast: 1), &fields.count)
    case .writes: return take(count(node, key, atLeast: 0), &fields.count)
    case .after: return take(interval(node, key), &fields.interval)
    case .down: return take(interval(node, key), &fields.interval)
    case .skew, .shift: return take(shift(node, key), &fields.interval)
    case .gain: return take(shift(node, key).map { ClockDrift(perSecond: $0) }, &fields.drift)
    case .storage: return take(choice(node, key, as: StorageCondition.self), &fields.storage)
    case .at: return take(size(node, key), &fields.bytes)
    case .host: return take(host(node), &fields.host)
    }
  }

  private func take<Value>(_ found: Value?, _ target: inout Value) -> Bool {
    guard let found else { return false }
    target = found
    return true
  }

  mutating func direction(_ fields: Fields) -> FaultDirection {
    fields["direction"].flatMap { choice($0, "direction", as: FaultDirection.self) } ?? .both
  }

  /// The client that a step is about: all of its argument, or the field `client` of it.
  mutating func affectedClient(
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
}
