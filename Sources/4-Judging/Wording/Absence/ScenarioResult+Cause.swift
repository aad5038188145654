public import ClientInterface
public import Conformance

extension ScenarioResult {
  /// The missing event from which a broken invariant follows, as the cause of its failure:
  /// `missing-event child_changed`. A client that never raises an event breaks several invariants;
  /// all of that is explained once.
  ///
  /// - Parameter makeReference: Makes a conforming client.
  /// - Returns: `nil` where the signature itself states the cause.
  /// - Complexity: O(events).
  public func missingEvent(
    comparedWith makeReference: @escaping () -> any SyncClient
  ) -> String? {
    guard verdict == .fail, let divergence = divergences.first, case .broken = divergence.kind,
      case let .event(event)? = absence(behind: divergence, comparedWith: makeReference)?.output
    else { return nil }
    return "missing-event \(event.type.rawValue)"
  }
}
