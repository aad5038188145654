public import Scenario

extension Invariant {
  /// Those that are judged of clients that have a clock of their own: what they say does not depend
  /// on when a client saw a message. Specs/invariants.md explains why it is these.
  public static let judgedOnRealClock: Set<Invariant> = [
    .addedOnce, .presentChild, .lastShownValue, .withinLimit, .withinRange, .askedFor,
    .silentAfterCancel, .onceIsOnce, .endsOnce, .ascendingKeys, .numbered, .allEnded,
    .acknowledgedIsKept, .requestedOnly,
  ]
}
