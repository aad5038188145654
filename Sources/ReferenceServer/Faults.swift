extension ReferenceServer {
  /// Whether a write that is refused as stale is preceded by the data as they are now.
  public enum NewData: String, CaseIterable, Hashable, Sendable {
    case sent
    case withheld
  }

  /// What becomes of the on-disconnect operations when the server goes down.
  public enum LeftBehind: String, CaseIterable, Hashable, Sendable {
    case carriedOut = "carried-out"
    case lost
  }
}
