internal import ClientInterface
internal import Hosting
internal import Simulator
internal import Synchronization
public import Testing

extension SimulatedNetwork {
  /// Begins a task of an application or a test. It runs while time passes, on the thread on which it does,
  /// and so do its child tasks. The seed decides the order of tasks that are ready. A `Task` that it begins
  /// by itself would run on a thread of its own: begin it with this function.
  ///
  /// - Parameter work: What the task does.
  /// - Returns: The task, to cancel it.
  @discardableResult
  public func task(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    begin(work)
  }

  /// Waits in a task until virtual time has passed, in place of `Task.sleep(for:)`.
  ///
  /// - Parameter interval: How long.
  public func sleep(for interval: Duration) async {
    await withCheckedContinuation { continuation in
      schedule(after: interval) { continuation.resume() }
    }
  }

  /// Does asynchronous work, such as `try await ref.set(1)`, and lets time pass until it has ended.
  ///
  /// - Parameters:
  ///   - limit: How much virtual time may pass.
  ///   - sourceLocation: Where issues are reported.
  ///   - work: What is done, as in ``task(_:)``.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws, and ``SimulatedTimeout`` when it still waits.
  public func wait<Value: Sendable>(
    within limit: Duration = .seconds(600), sourceLocation: SourceLocation = #_sourceLocation,
    for work: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let outcome = Outcome<Value>()
    var result: Result<Value, any Error>?
    let task = begin {
      do { outcome.end(.success(try await work())) } catch { outcome.end(.failure(error)) }
    }
    drive("wait(for:)", sourceLocation) {
      let end = simulator.now + Interval(limit)
      while outcome.result == nil, happenNow() || happen(until: end) {}
      result = outcome.result
      if result == nil { task.cancel() }
      while happenNow() {}
    }
    if let result { return try result.get() }
    throw SimulatedTimeout(description: unsettled(within: limit))
  }

  private func begin(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    if driver.load(ordering: .sequentiallyConsistent) != 0 {
      return Task(executorPreference: executor.tasks) { await work() }
    }
    var task: Task<Void, Never>?
    executor.duringInput { task = Task(executorPreference: executor.tasks) { await work() } }
    guard let task else { preconditionFailure("the task was begun") }
    return task
  }
}

/// Why work that was waited for has not ended.
public struct SimulatedTimeout: Error, CustomStringConvertible {
  /// What the network waits for, and its trace.
  public let description: String
}

/// What a task has come to.
private final class Outcome<Value: Sendable>: Sendable {
  private let state = Mutex<Result<Value, any Error>?>(nil)

  var result: Result<Value, any Error>? { state.withLock { $0 } }

  func end(_ new: Result<Value, any Error>) { state.withLock { $0 = new } }
}
