public import ClientInterface
public import Conformance
internal import Trace

/// One run with clients that have a clock of their own, and how the machine was meanwhile.
public struct RealClockAttempt: Sendable {
  /// How this run was judged, before it is compared with other runs of the same scenario.
  public var result: ScenarioResult
  /// How late this process and the adapter were during the run.
  public var timekeeping: Timekeeping

  /// Takes the result of a run and what was measured meanwhile.
  public init(_ result: ScenarioResult, _ timekeeping: Timekeeping) {
    self.result = result
    self.timekeeping = timekeeping
  }
}

/// Decides what several runs of one scenario come to.
///
/// A divergence is one only if it comes in every run, in the same way, on a machine that kept its
/// time; what comes and goes is reported, but proves no defect.
public struct RealClockVerdict: Sendable {
  private let settings: RealClockSettings
  private var attempts: [RealClockAttempt] = []

  /// Takes how often a divergence is run again, and the delays up to which a machine counts as
  /// keeping its time; no run has been made yet.
  public init(_ settings: RealClockSettings) { self.settings = settings }

  /// Takes a run.
  ///
  /// - Returns: Whether the scenario is to be run again.
  public mutating func take(_ attempt: RealClockAttempt) -> Bool {
    attempts.append(attempt)
    let isBad = attempt.result.verdict == .fail || attempt.result.verdict == .hang
    guard isBad, attempt.result.signature == attempts[0].result.signature else { return false }
    return attempts.count <= settings.repeats
  }

  /// What it all comes to; `nil` when there was no run.
  public var result: ScenarioResult? {
    guard let first = attempts.first else { return nil }
    guard first.result.verdict == .fail || first.result.verdict == .hang else {
      return first.result
    }
    guard let unsupportedReason = unsupportedReason(to: first) else {
      var result = first.result
      result.context += [proof]
      return result
    }
    var result = first.result
    result.verdict = .inconclusive
    result.reason = unsupportedReason
    result.divergences = []
    result.context = details
    return result
  }

  /// Why the divergence of the first run proves nothing.
  private func unsupportedReason(to first: RealClockAttempt) -> String? {
    for (index, attempt) in attempts.enumerated().dropFirst() {
      if attempt.result.signature == first.result.signature { continue }
      let second = index == 1 ? "second" : index == 2 ? "third" : "\(index + 1)th"
      let other =
        attempt.result.verdict == .fail
        ? "diverged in another way" : "ended with \(attempt.result.verdict.rawValue)"
      return "the first run diverged, and the \(second) \(other)"
    }
    for attempt in attempts {
      if let slowness = attempt.timekeeping.unsupportedReason(settings) {
        return "it diverged, but the machine did not keep its time: \(slowness)"
      }
    }
    return nil
  }

  /// What each run came to, a line for each.
  private var details: [String] {
    attempts.enumerated().map { index, attempt in
      let end =
        attempt.result.signature.map { "\(attempt.result.verdict.rawValue) (\($0))" }
        ?? attempt.result.verdict.rawValue
      return "run \(index + 1): \(end); \(attempt.timekeeping.text)"
    }
  }

  private var proof: String {
    let worst = attempts.map(\.timekeeping).reduce(Timekeeping()) { $0.worse($1) }
    let times =
      attempts.count == 1 ? "in one run" : "in \(attempts.count) runs of \(attempts.count)"
    return "it diverged in the same way \(times); \(worst.text)"
  }
}

extension Timekeeping {
  /// `kennel was late by 3 ms at most, the adapter answered within 2 ms`.
  public var text: String {
    "kennel was late by \(longestDelay.wholeText) at most, the adapter answered within "
      + worstAnswer.wholeText
  }

  func worse(_ other: Timekeeping) -> Timekeeping {
    var worse = self
    worse.record(lateness: other.longestDelay)
    worse.record(answer: other.worstAnswer)
    return worse
  }
}

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
