internal import ClientEngine
internal import ReferenceClient

// What programs with tasks call instead of giving blocks. What waits for the server waits until it has
// answered, however long there is no connection.

extension WQuery {
  /// Reads once what is here (OBS-9).
  ///
  /// - Returns: The snapshot.
  /// - Throws: ``SyncError`` when the location may not be read.
  public func read() async throws -> WDataSnapshot {
    WDataSnapshot(try await location.read(), of: location.engine)
  }

  /// The events of a kind, as long as the sequence is iterated (EVT-1).
  ///
  /// - Parameter eventType: Which event is meant.
  /// - Returns: A snapshot for each event, and the key before the child where there is one. It ends
  ///   with ``SyncError`` when the location may not be read.
  public func events(
    _ eventType: WEventType
  ) -> AsyncThrowingStream<(snapshot: WDataSnapshot, previousKey: String?), any Error> {
    let engine = location.engine
    return location.events(eventType.type) { (WDataSnapshot($0, of: engine), $1) }
  }
}

extension Wilddog {
  /// Replaces everything here, and waits for the server (WRT-1).
  ///
  /// - Parameter value: A string, a number, a boolean, a dictionary, an array or `nil`.
  /// - Throws: ``SyncError`` when the server refuses.
  public func set(_ value: sending Any?) async throws { try await location.write(value) }

  /// The same with a priority.
  ///
  /// - Parameters:
  ///   - value: A string, a number, a boolean, a dictionary, an array or `nil`.
  ///   - priority: A number, a string or `nil`.
  /// - Throws: ``SyncError`` when the server refuses.
  public func set(_ value: sending Any?, priority: sending Any?) async throws {
    try await location.write(value, priority: priority)
  }

  /// Replaces the named children, and waits for the server (WRT-4).
  ///
  /// - Parameter values: The new values by key or path.
  /// - Throws: ``SyncError`` when the server refuses.
  public func update(_ values: sending [AnyHashable: Any]) async throws {
    try await location.update(values)
  }

  /// Removes what is here, and waits for the server (WRT-3).
  ///
  /// - Throws: ``SyncError`` when the server refuses.
  public func remove() async throws { try await location.remove() }

  /// Runs a transaction (TXN-1).
  ///
  /// - Parameter function: Computes the new data from the present ones; what it throws ends the
  ///   transaction. It runs at once on the calling thread, and again, on any thread, when the data
  ///   were out of date.
  /// - Returns: Whether the data were written, and the data that are there now.
  /// - Throws: ``SyncError`` when the transaction has failed.
  public func transaction(
    _ function: @escaping @Sendable (WMutableData) throws -> WTransactionResult
  ) async throws -> (committed: Bool, snapshot: WDataSnapshot?) {
    let ended = try await location.transaction { try function(WMutableData($0)).decision }
    return (ended.committed, ended.snapshot.map { WDataSnapshot($0, of: location.engine) })
  }
}
