public import ClientInterface
public import Scenario

extension Expectation {
  /// What can be expected of clients that have a clock of their own.
  ///
  /// Each bound on a time is widened by the tolerance on both sides, and by `paused`, for which the
  /// time of the run paused still, below: a client's own timers went on then. Which of two clients
  /// received something first is unknown, so it is not compared; nor is by how much a delay
  /// grows.
  public func widened(by tolerance: Interval, paused: Interval = .zero) -> Expectation {
    var loose = self
    let margin = TimingTolerance(before: tolerance + paused, after: tolerance)
    loose.listeners = listeners.map { $0.widened(by: margin) }
    loose.outcomes = outcomes.map {
      var outcome = $0
      outcome.time = outcome.time.map { $0.widened(by: margin) }
      return outcome
    }
    loose.order = order.filter { $0.first.client == $0.second.client }
    loose.alternatives = alternatives.map { $0.widened(by: tolerance, paused: paused) }
    return loose
  }
}

/// By how much something may be earlier, and later.
private struct TimingTolerance {
  var before: Interval
  var after: Interval
}

extension TimeBound {
  fileprivate func widened(by margin: TimingTolerance) -> TimeBound {
    let range: ClosedRange<Interval> =
      switch self {
      case let .at(moment): moment...moment
      case let .within(range): range
      }
    return .within(max(.zero, range.lowerBound - margin.before)...(range.upperBound + margin.after))
  }
}

extension ListenerExpectation {
  fileprivate func widened(by margin: TimingTolerance) -> ListenerExpectation {
    var loose = self
    loose.items = items.map { item in
      switch item {
      case let .event(event): .event(event.widened(by: margin))
      case let .unordered(events): .unordered(events.map { $0.widened(by: margin) })
      }
    }
    loose.gap = gap.map {
      Gap(
        minimum: $0.minimum.map { max(.zero, $0 - margin.before) },
        maximum: $0.maximum.map { $0 + margin.after }, growth: nil)
    }
    return loose
  }
}

extension ExpectedEvent {
  fileprivate func widened(by margin: TimingTolerance) -> ExpectedEvent {
    var loose = self
    loose.time = time.map { $0.widened(by: margin) }
    return loose
  }
}
