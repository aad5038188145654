/// Which of the two families of the protocol is spoken.
///
/// The messages are the same; a handful of fields differ (WIR-15).
public enum Dialect: String, CaseIterable, Hashable, Sendable {
  case wilddog
  case firebase

  /// What the server's hello calls the protocol version.
  public var version: String {
    switch self {
    case .wilddog: "1.0"
    case .firebase: "5"
    }
  }

  /// Whether the ends of a range say on the wire whether they are inclusive.
  var statesInclusion: Bool { self == .firebase }
}
