public import Trace

/// How a run settled.
public enum SettleResult: Hashable, Sendable {
  case settled
  /// It did not, because of who waits for what.
  case unsettled(UnsettledReason)
}
