public import ClientInterface

/// A clock that shows the time of the run. Sleeping by it takes no real time.
///
/// `Task.sleep(for:)` without a clock waits for real, and the kit would not know: give the SDK this
/// one, as `any Clock<Duration>`.
public struct VirtualClock: Clock {
  /// A moment by this clock.
  public struct Instant: InstantProtocol {
    /// The moment by the client's own clock, as the kit states it.
    public var moment: ClientInterface.Instant

    /// The moment that is later by `duration`, or earlier if that is negative, to the nanosecond.
    public func advanced(by duration: Duration) -> Instant {
      Instant(moment: moment + duration.interval)
    }

    /// The time from this moment to `other` in nanoseconds; negative where `other` is earlier.
    public func duration(to other: Instant) -> Duration {
      .nanoseconds((other.moment - moment).nanoseconds)
    }

    public static func < (a: Instant, b: Instant) -> Bool { a.moment < b.moment }
  }

  let environment: Environment

  /// The client's own time at the input that it handles or handled last; it moves only with the
  /// run.
  public var now: Instant { Instant(moment: environment.now) }
  /// One nanosecond, the unit of virtual time.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until a moment, or until the task is cancelled.
  ///
  /// - Throws: `CancellationError`.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    if !environment.isFinished { try Task.checkCancellation() }
    let sleeper = SleepingTask(environment)
    await withTaskCancellationHandler {
      await sleeper.sleep(for: deadline.moment - environment.now)
    } onCancel: {
      sleeper.wake()
    }
    try Task.checkCancellation()
  }
}

/// One task that sleeps.
///
/// Unchecked, because it has no lock: like its environment it is used on one thread alone.
private final class SleepingTask: @unchecked Sendable {
  private let environment: Environment
  private var continuation: UnsafeContinuation<Void, Never>?
  private var scheduled: DeferredTask?
  private var deadlineTimer = 0

  init(_ environment: Environment) { self.environment = environment }

  func sleep(for interval: Interval) async {
    await withUnsafeContinuation { continuation in
      // A task that goes on sleeping after the end of its process sleeps for ever.
      if environment.isFinished { return }
      self.continuation = continuation
      deadlineTimer = environment.nextDeadline()
      environment.atEnd(deadlineTimer) { self.wake() }
      scheduled = environment.schedule(after: interval) { self.wake() }
      // It was cancelled before it slept.
      if Task.isCancelled { wake() }
    }
  }

  func wake() {
    guard let continuation else { return }
    self.continuation = nil
    scheduled?.cancel()
    environment.forget(deadlineTimer)
    continuation.resume()
  }
}

extension Duration {
  fileprivate var interval: Interval {
    Interval(
      nanoseconds: components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000)
  }
}
