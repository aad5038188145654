public import ClientInterface

/// Decides when a run has settled, by the clock on the wall.
public struct QuiescenceDetector: Sendable {
  /// How things stand.
  public enum Condition: Hashable, Sendable {
    /// Something is under way.
    case busy
    /// Nothing is under way, but something that should come has not.
    case lacking
    /// As `lacking`, because a client is not connected.
    case disconnected
    case complete
  }

  private let settings: RealClockSettings
  /// When the last thing happened.
  private var last: Instant
  private let start: Instant

  /// Begins to watch at `start`, which counts as the last moment at which something happened.
  public init(_ settings: RealClockSettings, from start: Instant) {
    self.settings = settings
    self.start = start
    last = start
  }

  /// Something happened.
  public mutating func noteActivity(at real: Instant) { last = max(last, real) }

  /// Whether there can be something to wait for; looking closer can wait until then.
  public func isQuiet(at real: Instant) -> Bool { real - last >= settings.quiet }

  /// Whether there is nothing more to wait for.
  public func isFinished(_ condition: Condition, at real: Instant) -> Bool {
    let silence = real - last
    switch condition {
    case .busy: return real - start > settings.connectionTimeout + settings.timeout
    case .lacking: return silence >= max(settings.timeout, settings.quiet)
    case .disconnected: return silence >= max(settings.connectionTimeout, settings.timeout)
    case .complete: return silence >= settings.quiet
    }
  }
}
