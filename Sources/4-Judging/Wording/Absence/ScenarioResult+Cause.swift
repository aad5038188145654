public import ClientInterface
public import Conformance

extension ScenarioResult {
  /// The missing event from which a failure follows, as its cause: `missing-event child_changed`.
  /// A client that never raises an event breaks several invariants, and makes no call in the callback
  /// of that event; all of that is explained once.
  ///
  /// - Parameter makeReference: Makes a conforming client.
  /// - Returns: `nil` where the signature itself states the cause.
  /// - Complexity: O(events).
  public func missingEvent(
    comparedWith makeReference: @escaping () -> any SyncClient
  ) -> String? {
    guard verdict == .fail, let divergence = divergences.first, !divergence.kind.isMissingEvent,
      case let .event(event)? = absence(behind: divergence, comparedWith: makeReference)?.output
    else { return nil }
    return "missing-event \(event.type.rawValue)"
  }
}

extension Divergence.Kind {
  /// Whether an event is missing that an expectation lists.
  fileprivate var isMissingEvent: Bool { if case .missing = base { true } else { false } }
}
