internal import ClientEngine

// What programs with tasks call instead of giving blocks. What waits for the server waits until it has
// answered, however long there is no connection.

extension WDGSyncQuery {
  public func read() async throws -> WDGDataSnapshot {
    WDGDataSnapshot(location.tree(try await location.read()))
  }

  public func events(
    _ eventType: WDGDataEventType
  ) -> AsyncThrowingStream<(snapshot: WDGDataSnapshot, previousKey: String?), any Error> {
    location.events(eventType.type) { [location] in (WDGDataSnapshot(location.tree($0)), $1) }
  }
}

extension WDGSyncReference {
  public func set(_ value: sending Any?) async throws { try await location.write(value) }

  public func set(_ value: sending Any?, priority: sending Any?) async throws {
    try await location.write(value, priority: priority)
  }

  public func update(_ values: sending [AnyHashable: Any]) async throws {
    try await location.update(values)
  }

  public func remove() async throws { try await location.remove() }

  public func transaction(
    _ function: @escaping @Sendable (WDGMutableData) throws -> WDGTransactionResult
  ) async throws -> (committed: Bool, snapshot: WDGDataSnapshot?) {
    let ended = try await location.transaction { try function(WDGMutableData($0)).decision }
    return (ended.committed, ended.snapshot.map { WDGDataSnapshot(location.tree($0)) })
  }
}
