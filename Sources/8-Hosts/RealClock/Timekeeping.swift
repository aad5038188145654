public import ClientInterface
internal import Trace

/// Measures how well the machine keeps its time during a run.
///
/// Two things are measured, both all the time: how late this process comes back to its work, and
/// how long the adapter takes to answer a question that costs it nothing.
public struct Timekeeping: Hashable, Sendable {
  /// By how much this process was late at worst; zero until something is recorded.
  public private(set) var longestDelay = Interval.zero
  /// How long the adapter took at worst to answer; zero until something is recorded.
  public private(set) var worstAnswer = Interval.zero

  /// Begins with nothing measured, which counts as a machine that kept its time.
  public init() {}

  /// This process has come back so much later than it wanted to.
  public mutating func record(lateness: Interval) { longestDelay = max(longestDelay, lateness) }

  /// The adapter has answered a question that costs nothing.
  public mutating func record(answer: Interval) { worstAnswer = max(worstAnswer, answer) }

  /// Why nothing is known about a run on a machine like that, as a clause; `nil` when it kept its
  /// time.
  public func unsupportedReason(_ settings: RealClockSettings) -> String? {
    if longestDelay > settings.longestAllowedDelay {
      return "kennel itself was late by \(longestDelay.wholeText) once (at most "
        + "\(settings.longestAllowedDelay.text) are all right)"
    }
    if worstAnswer > settings.latestAnswer {
      return
        "the adapter took \(worstAnswer.wholeText) once to answer a question that costs nothing "
        + "(at most \(settings.latestAnswer.text) are all right)"
    }
    return nil
  }
}

extension Interval {
  /// In whole milliseconds: `37 ms`.
  var wholeText: String { "\((nanoseconds + 500_000) / 1_000_000) ms" }
}
