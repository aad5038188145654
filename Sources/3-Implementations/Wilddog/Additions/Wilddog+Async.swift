internal import ClientEngine

// What programs with tasks call instead of giving blocks. What waits for the server waits until it has
// answered, however long there is no connection.

extension WQuery {
  public func read() async throws -> WDataSnapshot {
    WDataSnapshot(location.tree(try await location.read()))
  }

  public func events(
    _ eventType: WEventType
  ) -> AsyncThrowingStream<(snapshot: WDataSnapshot, previousKey: String?), any Error> {
    location.events(eventType.type) { [location] in (WDataSnapshot(location.tree($0)), $1) }
  }
}

extension Wilddog {
  public func set(_ value: sending Any?) async throws { try await location.write(value) }

  public func set(_ value: sending Any?, priority: sending Any?) async throws {
    try await location.write(value, priority: priority)
  }

  public func update(_ values: sending [AnyHashable: Any]) async throws {
    try await location.update(values)
  }

  public func remove() async throws { try await location.remove() }

  public func transaction(
    _ function: @escaping @Sendable (WMutableData) throws -> WTransactionResult
  ) async throws -> (committed: Bool, snapshot: WDataSnapshot?) {
    let ended = try await location.transaction { try function(WMutableData($0)).decision }
    return (ended.committed, ended.snapshot.map { WDataSnapshot(location.tree($0)) })
  }
}
