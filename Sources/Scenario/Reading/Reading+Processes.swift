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

  /// Notes something that a client is to do while it is not running.
  mutating func checkRunning(_ client: String, _ entry: DocumentNode.Entry) {
    guard killed.contains(client) else { return }
    report(
      entry.keyPosition,
      "\(client) was killed and is not running; expected \(client).start before \(entry.key)")
  }
}
