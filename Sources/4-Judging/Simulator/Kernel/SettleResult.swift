/// How a run settled.
public enum SettleResult: Hashable, Sendable {
  case settled
  /// It did not; the reason lists who waits for what, for example `alice waits for a connection:
  /// the next attempt is in 12 s`.
  case unsettled(reason: String)
}
