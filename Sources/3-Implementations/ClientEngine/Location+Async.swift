package import ClientInterface
package import ReferenceClient

// The same calls for tasks. Those that wait for the server wait until it has answered, however long
// there is no connection.

extension Location {
  package func write(_ value: sending Any?) async throws {
    try await ended { write(value, then: $0) }
  }

  package func write(_ value: sending Any?, priority: sending Any?) async throws {
    try await ended { write(value, priority: priority, then: $0) }
  }

  package func update(_ values: sending [AnyHashable: Any]) async throws {
    try await ended { update(values, then: $0) }
  }

  package func remove() async throws { try await ended { remove(then: $0) } }

  /// Reads once, with a listener that ends by itself (OBS-9), or with a request (GET-1).
  ///
  /// - Throws: `SyncError` when it is refused, and `CancellationError` when the listener is removed.
  package func read(_ lifetime: Observation.Lifetime = .once) async throws -> Snapshot {
    try await withCheckedThrowingContinuation { continuation in
      let reading = PendingRead(continuation)
      _ = observe(.value, for: lifetime) { snapshot, _ in
        reading.end(.success(snapshot))
      } cancel: {
        reading.end(.failure($0))
      }
    }
  }

  /// Runs a transaction (TXN-1).
  ///
  /// - Returns: Whether the data were written, and what is there now.
  package func transaction(
    _ function: @escaping @Sendable (MutableTree) throws -> Decision
  ) async throws -> (committed: Bool, snapshot: Snapshot?) {
    try await withCheckedThrowingContinuation { continuation in
      runTransaction(function, localEvents: .shown) { error, committed, snapshot in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: (committed, snapshot))
        }
      }
    }
  }

  /// Listens as long as the sequence is iterated; ends with an error when the server refuses.
  package func events<Element>(
    _ type: EventType, _ make: @escaping @Sendable (Snapshot, String?) -> sending Element
  ) -> AsyncThrowingStream<Element, any Error> {
    AsyncThrowingStream { continuation in
      let handle = observe(type) { snapshot, previous in
        continuation.yield(make(snapshot, previous))
      } cancel: {
        continuation.finish(throwing: $0)
      }
      continuation.onTermination = { _ in removeObservation(handle) }
    }
  }

  private func ended(_ call: (@escaping CompletionBlock) -> Void) async throws {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      call { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }
}

/// A task that waits for the end of a read. What observes holds this; if it is dropped before, the read was
/// removed.
private final class PendingRead {
  private var continuation: CheckedContinuation<Snapshot, any Error>?

  init(_ continuation: CheckedContinuation<Snapshot, any Error>) {
    self.continuation = continuation
  }

  func end(_ result: Result<Snapshot, any Error>) {
    continuation?.resume(with: result)
    continuation = nil
  }

  deinit { continuation?.resume(throwing: CancellationError()) }
}
