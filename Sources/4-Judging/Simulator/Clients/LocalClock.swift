internal import ClientInterface
internal import Faults

/// The clock of a client's device, which need not be right. It outlives the process.
///
/// It only shows the time: timers go by the time of the run, as they go by a steady clock in the
/// field, whatever happens to the time of day.
struct LocalClock {
  /// How much it showed too much at `since`.
  private var offset = Interval.zero
  private var drift = ClockDrift.none
  private var since = Interval.zero
  /// The faults that take effect when it is read next while it is wrong.
  var marks: [Int] = []

  var isRight: Bool { offset == .zero && drift == .none }

  /// How much it shows too much.
  func deviation(at now: Interval) -> Interval {
    if drift == .none { return offset }
    let elapsed = (now - since).nanoseconds
    let gain = Int64(drift.gain)
    let per = Int64(drift.per)
    // Apart, because the product would overflow after long runs.
    return offset
      + Interval(nanoseconds: elapsed / per * gain + elapsed % per * gain / per)
  }

  mutating func setDeviation(_ deviation: Interval, at now: Interval) {
    offset = deviation
    since = now
  }

  mutating func jump(by interval: Interval, at now: Interval) {
    setDeviation(deviation(at: now) + interval, at: now)
  }

  mutating func setDrift(_ drift: ClockDrift, at now: Interval) {
    setDeviation(deviation(at: now), at: now)
    self.drift = drift
  }
}

extension Simulator {
  /// The time as a client sees it.
  mutating func readClock(of index: Int) -> Instant {
    if participants[index].clock.isRight { return clock }
    if !participants[index].clock.marks.isEmpty {
      for mark in participants[index].clock.marks { takeEffect(mark) }
      participants[index].clock.marks = []
    }
    return clock + participants[index].clock.deviation(at: now)
  }

  /// Changes the clock of a client, which is right after that or not.
  mutating func moveClock(
    of index: Int, _ mark: Int?, isRight: Bool, _ move: (inout LocalClock, Interval) -> Void
  ) {
    faults.takeEffect(mark, if: isRight && !participants[index].clock.isRight)
    move(&participants[index].clock, now)
    if let mark { participants[index].clock.marks.append(mark) }
  }
}
