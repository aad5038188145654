internal import ClientInterface

/// Work that an SDK has put off.
struct DeferredWork {
  private var scheduled: [TimerID: () throws -> Void] = [:]
  private var posted: ArraySlice<() throws -> Void> = []
  private var lastTimer = 0

  mutating func add(_ work: @escaping () throws -> Void) -> TimerID {
    lastTimer += 1
    scheduled[TimerID(lastTimer)] = work
    return TimerID(lastTimer)
  }

  mutating func remove(_ id: TimerID) -> (() throws -> Void)? { scheduled.removeValue(forKey: id) }

  mutating func post(_ work: @escaping () throws -> Void) { posted.append(work) }

  mutating func takePosted() -> (() throws -> Void)? { posted.popFirst() }
}

/// Work that was put off for an interval.
public struct DeferredTask {
  let id: TimerID
  unowned let environment: Environment

  /// Does not do it. Nothing happens when it was done already.
  public func cancel() { environment.cancel(id) }
}
