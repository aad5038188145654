public import TraceFiles

/// What is known of a recorded session: what clients and server said to each
/// other, and perhaps what applications asked for and received.
public struct ObservedSession: Sendable {
  /// Who wrote down when things happened.
  public enum View: Hashable, Sendable {
    /// The server, or an observer of everything: the order between clients is right.
    case everything
    /// The clients, each for itself.
    case clients
  }

  /// All that happened, in order.
  public var file: TraceFile
  /// Who wrote down the times, and so whether the order between clients can be relied on.
  public var view: View
  /// What could not be read, and whatever else its user must know; one line each.
  public var warnings: [String]

  /// The session of a trace. One of a run in virtual time is a session as well.
  public init(_ file: TraceFile) {
    self.file = file
    view = .everything
    warnings = file.cut.map { ["\($0); using what comes before"] } ?? []
  }

  init(_ file: TraceFile, _ view: View, _ warnings: [String]) {
    self.file = file
    self.view = view
    self.warnings = warnings
  }
}
