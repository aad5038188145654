import ClientInterface
import Document

extension Reading {
  static let processVerbs = ["kill", "start"]

  /// `CLIENT.kill`, and `CLIENT.start: {storage: S}`.
  mutating func processAction(
    _ client: String, _ verb: String, _ entry: DocumentNode.Entry
  ) -> ProcessAction? {
    guard checkClient(client, at: entry.keyPosition) else { return nil }
    if verb == "kill" {
      checkNoArguments(entry)
      checkRunning(client, entry)
      killed.insert(client)
      labels.endAll(of: client)
      return .kill(client: client)
    }
    if killed.remove(client) == nil {
      report(
        entry.keyPosition, "\(client) is running; expected \(client).kill before it is started")
    }
    return storage(entry).map { .start(client: client, storage: $0) }
  }

  private mutating func storage(_ entry: DocumentNode.Entry) -> ProcessAction.Storage? {
    if entry.value.isNull { return .kept }
    guard let fields = fields(of: entry.value, entry.key, keys: ["storage"]) else { return nil }
    guard let node = fields["storage"] else { return .kept }
    return choice(node, "storage", as: ProcessAction.Storage.self)
  }

  /// `true`, `{cache: 1MB}`, or either of them for each client.
  mutating func readPersistence(_ node: DocumentNode) -> [String: ClientInput.Persistence] {
    if case let .mapping(entries) = node.content, !entries.contains(where: { $0.key == "cache" }) {
      var result: [String: ClientInput.Persistence] = [:]
      for entry in fields(of: node, "persistence", keys: ["cache"] + clients)?.entries ?? []
      where clients.contains(entry.key) {
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

  /// A number of bytes: `200B`, `64KB`, `10MB`.
  private mutating func size(_ node: DocumentNode, _ what: String) -> Int? {
    guard let text = string(node, what) else { return nil }
    let units = [("KB", 1024), ("MB", 1024 * 1024), ("B", 1)]
    let unit = units.first { text.hasSuffix($0.0) }
    if let unit, let count = Int(text.dropLast(unit.0.count)), (0...9999).contains(count) {
      return count * unit.1
    }
    report(node.position, "\(what) is \(quoted(text)); expected a size such as 200B, 64KB or 10MB")
    return nil
  }

  /// Notes something that a client is to do while it is not running.
  mutating func checkRunning(_ client: String, _ entry: DocumentNode.Entry) {
    guard killed.contains(client) else { return }
    report(
      entry.keyPosition,
      "\(client) was killed and is not running; expected \(client).start before \(entry.key)")
  }
}
