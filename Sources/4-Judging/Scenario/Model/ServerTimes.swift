package import ClientInterface
internal import Faults

/// Which times the server's clock has shown in a run, however wrong it was set.
package struct ServerTimes {
  private struct Period {
    var start: Interval
    /// `nil` as long as it lasts.
    var end: Interval?
    var skew: Interval
  }

  private var periods = [Period(start: .zero, end: nil, skew: .zero)]

  package init() {}

  /// Takes a step that sets the clock. One that waits for something does so at an unknown moment
  /// from now on.
  package mutating func follow(_ step: Step, at now: Interval) {
    guard case let .fault(.serverClock(skew)) = step.action else { return }
    if step.trigger == nil {
      for index in periods.indices where periods[index].end == nil { periods[index].end = now }
    }
    periods.append(Period(start: now, end: nil, skew: skew))
  }

  /// In milliseconds since 1970.
  package func ranges(from epoch: Instant, until now: Interval) -> [ClosedRange<Double>] {
    periods.map { period in
      let start = epoch + period.start + period.skew
      let end = epoch + (period.end ?? now) + period.skew
      return start.milliseconds...end.milliseconds
    }
  }
}
