public import ClientInterface

/// The time of the server and of the network in a run whose clients have a clock of their own.
///
/// It goes as the clock on the wall does, and stands still while the clients work on what they were
/// just given, and between the steps of a scenario that happen at one instant. So nothing depends
/// on how long a client takes, which is what makes slow machines harmless: what two clients do at
/// one instant meets at the server as if both had done it at once.
public struct PausableClock: Sendable {
  /// The most that one look at the clock on the wall may be worth: when this process did not run
  /// for a while, nothing happened in that time.
  public static let longestStride = Interval.milliseconds(20)

  /// What it shows.
  public private(set) var now: Instant
  /// For how long it has not gone, although the clock on the wall did.
  public private(set) var paused = Interval.zero
  /// Whether it stands still, as `hold` last said.
  public private(set) var isPaused = false
  /// What it does not go beyond: something is to happen then.
  public var limit: Instant?
  private var last: Instant

  /// Shows the given time of the clock on the wall at first, and goes from there on.
  public init(at real: Instant) {
    now = real
    last = real
  }

  /// Looks at the clock on the wall.
  public mutating func look(at real: Instant) {
    let passed = max(.zero, real - last)
    last = max(last, real)
    var gained = isPaused ? .zero : min(passed, Self.longestStride)
    if let limit { gained = max(.zero, min(gained, limit - now)) }
    now = now + gained
    paused = paused + (passed - gained)
  }

  /// Goes on to a moment at once: nothing happens until then.
  public mutating func skip(to moment: Instant) { now = max(now, moment) }

  /// Lets it stand, or go.
  public mutating func hold(_ holds: Bool, at real: Instant) {
    look(at: real)
    isPaused = holds
  }
}
