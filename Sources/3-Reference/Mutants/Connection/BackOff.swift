internal import ClientInterface
internal import Wire

// When a lost connection is tried again.

extension Mutant {
  static let backOffMutants = [
    Mutant(
      "back-off-without-bound", "Each try waits four times as long as the one before.",
      from: "C31", remembering: Int64(1)
    ) { turn, factor in
      turn.backOffs { delay in
        factor = min(factor * 4, 1 << 30)
        return Interval(nanoseconds: max(delay.nanoseconds, 1_000_000) * factor)
      }
    },
    Mutant(
      "back-off-never-starts-anew", "The delay before a try grows even after a success.",
      from: "C31", remembering: Interval.zero
    ) { turn, longest in
      turn.backOffs { delay in
        longest = max(
          delay, Interval(nanoseconds: longest.nanoseconds * 2), .milliseconds(400))
        return longest
      }
    },
    Mutant(
      "tries-an-hour-apart", "A lost connection is tried again after an hour.", from: "C31"
    ) {
      turn in
      turn.backOffs { _ in .seconds(3600) }
    },
    Mutant(
      "clock-set-back-delays",
      "A clock that is set back is added to the delay before the next try.", from: "R48",
      remembering: Instant?.none
    ) { turn, last in
      let elapsed = last.map { turn.now - $0 } ?? .zero
      if turn.outputs.contains(.connect) { last = turn.now }
      return turn.backOffs { delay in
        elapsed < .zero ? delay - elapsed : delay
      }
    },
  ]
}

extension Turn {
  func backOffs(_ change: (Interval) -> Interval) -> [ClientOutput] {
    outputs.map { output in
      guard case let .setTimer(timer, delay, .backOff) = output else { return output }
      return .setTimer(timer, after: change(delay), .backOff)
    }
  }
}
