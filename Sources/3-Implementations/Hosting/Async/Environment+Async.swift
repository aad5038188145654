internal import ClientInterface

// The same environment for SDKs that wait instead of being called back.

extension Environment {
  /// Where tasks must run: `Task(executorPreference: environment.taskExecutor) { … }`.
  ///
  /// Child tasks inherit it, and so do actors without an executor of their own while these tasks
  /// call them. An unstructured `Task { … }` does not: use ``task(_:)``, or ``actorExecutor``.
  public var taskExecutor: any TaskExecutor { executor.tasks }

  /// The executor that actors of the SDK can name as theirs, so that everything on them runs there,
  /// the unstructured tasks that they begin included. What such a task does off the actor, and
  /// `Task.yield()`, leaves the kit's thread, which is logged.
  ///
  /// ```swift
  /// actor Database {
  ///   nonisolated let executor: any SerialExecutor
  ///   nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  /// ```
  public var actorExecutor: any SerialExecutor { executor.actors }

  /// Begins a task where tasks must run. It is cancelled when the process ends. What it throws, but for
  /// its cancellation, counts as an uncaught exception.
  @discardableResult
  public func task(_ work: @escaping @Sendable () async throws -> Void) -> Task<Void, Never> {
    let deadline = nextDeadline()
    let task = Task(executorPreference: executor.tasks) {
      do {
        try await work()
      } catch is CancellationError {
      } catch {
        self.fail(uncaught: error)
      }
      self.forget(deadline)
    }
    atEnd(deadline) { task.cancel() }
    return task
  }

  /// The clock to sleep by, in place of `ContinuousClock`.
  public var clock: VirtualClock { VirtualClock(environment: self) }

  /// Asks for a connection whose events are waited for.
  ///
  /// - Returns: The connection, and what happens to it; the events end when it does.
  public func connect(
    to host: String? = nil
  ) -> (connection: Connection, events: AsyncStream<ConnectionEvent>) {
    let (events, continuation) = AsyncStream<ConnectionEvent>.makeStream()
    let deadline = nextDeadline()
    atEnd(deadline) { continuation.finish() }
    let connection = connect(to: host) { event in
      continuation.yield(event)
      switch event {
      case .refused, .closed:
        self.forget(deadline)
        continuation.finish()
      case .opened, .received: break
      }
    }
    return (connection, events)
  }
}
