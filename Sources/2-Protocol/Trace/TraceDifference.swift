/// Where two runs that should have gone the same way part.
public struct TraceDifference: Hashable, Sendable {
  /// The number of the first event that is not the same.
  public var number: Int
  /// The event in the first run; `nil` when it ended before.
  public var first: TraceEvent?
  /// The event in the second run; `nil` when it ended before.
  public var second: TraceEvent?

  /// Compares two runs as their hashes do, event by event.
  ///
  /// - Returns: `nil` when they went the same way.
  /// - Precondition: Both traces have kept their events.
  public init?(_ first: Trace, _ second: Trace) {
    if first.hash == second.hash, first.count == second.count { return nil }
    var hashes = (Trace(retention: .hashOnly), Trace(retention: .hashOnly))
    for (a, b) in zip(first.events, second.events) {
      hashes.0.append(a)
      hashes.1.append(b)
      guard hashes.0.hash == hashes.1.hash else {
        self.init(number: a.sequence, first: a, second: b)
        return
      }
    }
    let number = min(first.events.count, second.events.count)
    self.init(
      number: number, first: number < first.events.count ? first.events[number] : nil,
      second: number < second.events.count ? second.events[number] : nil)
  }

  /// States a difference that has been found already; nothing is compared.
  public init(number: Int, first: TraceEvent?, second: TraceEvent?) {
    self.number = number
    self.first = first
    self.second = second
  }
}

extension Trace {
  fileprivate mutating func append(_ event: TraceEvent) {
    append(event.kind, cause: event.cause, time: event.time, step: event.step)
  }
}
