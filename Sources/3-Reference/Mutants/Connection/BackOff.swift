internal import ClientInterface
internal import Interception

// When a lost connection is tried again.

extension Mutant {
  static let backOffMutants = [
    Mutant(
      "back-off-without-bound", "Each try waits four times as long as the one before.",
      from: "C31", violating: "CON-5", remembering: Int64(1)
    ) { step, factor in
      step.backOffs { delay in
        factor = min(factor * 4, 1 << 30)
        return Interval(nanoseconds: max(delay.nanoseconds, 1_000_000) * factor)
      }
    },
    Mutant(
      "back-off-never-starts-anew", "The delay before a try grows even after a success.",
      from: "C31", violating: "CON-6", remembering: Interval.zero
    ) { step, longest in
      step.backOffs { delay in
        longest = max(
          delay, Interval(nanoseconds: longest.nanoseconds * 2), .milliseconds(400))
        return longest
      }
    },
    Mutant(
      "tries-an-hour-apart", "A lost connection is tried again after an hour.", from: "C31",
      violating: "CON-5"
    ) {
      step in
      step.backOffs { _ in .seconds(3600) }
    },
    Mutant(
      "clock-set-back-delays",
      "A clock that is set back is added to the delay before the next try.", from: "R48",
      violating: "CON-20",
      remembering: Instant?.none
    ) { step, last in
      let elapsed = last.map { step.now - $0 } ?? .zero
      if step.outputs.contains(.connect) { last = step.now }
      return step.backOffs { delay in
        elapsed < .zero ? delay - elapsed : delay
      }
    },
  ]
}

extension InterceptedStep {
  func backOffs(_ change: (Interval) -> Interval) -> [ClientOutput] {
    outputs.map { output in
      guard case let .setTimer(timer, delay, .backOff) = output else { return output }
      return .setTimer(timer, after: change(delay), .backOff)
    }
  }
}
