internal import ClientInterface
public import Scenario
package import Trace

extension Invariant {
  /// Those that are judged of clients that have a clock of their own: what they say does not depend
  /// on when a client saw a message. Specs/invariants.md explains why it is these.
  public static let judgedOnRealClock: Set<Invariant> = [
    .addedOnce, .presentChild, .lastShownValue, .withinLimit, .withinRange, .askedFor,
    .silentAfterCancel, .onceIsOnce, .endsOnce, .ascendingKeys, .numbered, .allEnded,
    .acknowledgedIsKept, .requestedOnly,
  ]
}

extension InvariantMonitor {
  /// Takes what was added to a trace in which it is unknown what a client did because of what: each
  /// thing that it did stands for itself.
  package mutating func readLoosely(_ trace: Trace) {
    judgeLoosely()
    read(
      trace,
      openingSteps: { event in
        guard case let .output(client, _) = event.kind else { return nil }
        var step = event
        step.kind = .input(client, .timer(TimerID(-1)))
        return step
      })
  }
}
