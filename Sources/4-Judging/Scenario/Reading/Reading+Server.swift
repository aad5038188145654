import ClientInterface
import Document
import Tree

extension Reading {
  private static let serverVerbs = [
    "set", "update", "remove", "reject", "revoke", "revoke-auth", "restart", "redirect",
    "shutdown", "clock", "stale",
  ]

  mutating func serverAction(_ verb: String, _ entry: DocumentNode.Entry) -> ServerAction? {
    guard isSupported("server step", verb, entry, Self.serverVerbs, not: []) else { return nil }
    switch verb {
    case "set", "update": return serverWrite(verb, entry)
    case "remove", "revoke":
      let fields = withPath(entry, keys: ["path", Self.triggerKey], required: ["path"])
      let path = fields?["path"].flatMap { storedPath($0) }
      return path.map { verb == "remove" ? .remove($0) : .revoke($0) }
    case "reject":
      return restriction(entry.value, entry.key, more: [Self.triggerKey]).map(ServerAction.reject)
    case "revoke-auth":
      return afflicted(entry, keys: []).map { .revokeCredential(client: $0.client) }
    case "restart": return restart(entry)
    case "redirect": return redirection(entry)
    case "shutdown":
      return addressees(entry, keys: []).map { .shutdown(client: $0.client) }
    case "clock":
      let keys = ["skew", Self.triggerKey]
      let fields = fields(of: entry.value, entry.key, keys: keys, required: ["skew"])
      return fields?["skew"].flatMap { shift($0, "skew") }.map { .clock(skew: $0) }
    default: return staleness(entry)
    }
  }

  private mutating func serverWrite(
    _ verb: String, _ entry: DocumentNode.Entry
  ) -> ServerAction? {
    let keys = ["path", "value"] + (verb == "set" ? ["priority"] : []) + [Self.triggerKey]
    guard
      let fields = fields(of: entry.value, entry.key, keys: keys, required: ["path", "value"]),
      let path = fields["path"].flatMap({ storedPath($0) }), let value = fields["value"]
    else { return nil }
    if verb == "update" { return assignments(value, at: path, .stored).map { .update(path, $0) } }
    return written(fields, at: path, .stored).map { .set(path, $0) }
  }

  /// `server.restart: {down: 2s, on-disconnects: lost}`; both may be left out.
  private mutating func restart(_ entry: DocumentNode.Entry) -> ServerAction? {
    let keys = ["down", "on-disconnects", Self.triggerKey]
    guard let fields = withPath(entry, keys: keys, required: []) else { return nil }
    let down = fields["down"].flatMap { interval($0, "down") } ?? .zero
    let left = fields["on-disconnects"].flatMap {
      choice($0, "on-disconnects", as: ServerAction.OnDisconnects.self)
    }
    return .restart(down: down, onDisconnects: left ?? .done)
  }

  private mutating func redirection(_ entry: DocumentNode.Entry) -> ServerAction? {
    guard let (client, fields) = addressees(entry, keys: ["host"], required: ["host"]),
      let node = fields["host"], let host = string(node, "host")
    else { return nil }
    let isHost = host.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
        || ["-", ".", ":"].contains($0)
    }
    if host.isEmpty || !isHost {
      report(node.position, "\(quoted(host)) is no host; expected one such as two.kennel.test")
      return nil
    }
    return .redirect(client: client, host: host)
  }

  /// The client that the server addresses; without one it is all of them.
  private mutating func addressees(
    _ entry: DocumentNode.Entry, keys: [String], required: [String] = []
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
    return afflicted(entry, keys: keys, required: required).map { ($0.client, $0.fields) }
  }

  /// `server.stale: {writes: 2, data: sent}`.
  private mutating func staleness(_ entry: DocumentNode.Entry) -> ServerAction? {
    let keys = ["writes", "data", Self.triggerKey]
    guard let fields = withPath(entry, keys: keys, required: []) else { return nil }
    let writes = fields["writes"].map { count($0, "writes", atLeast: 0) } ?? 1
    let data = fields["data"].flatMap { choice($0, "data", as: ServerAction.StaleData.self) }
    return writes.map { .stale(writes: $0, data: data ?? .withheld) }
  }
}
