internal import ClientInterface

/// The connection to the server, and when to try again.
struct ClientConnection {
  enum State: Hashable {
    /// Not wanted: the application took the client offline.
    case offline
    /// Waiting for the next attempt.
    case waiting
    case connecting
    /// Up, but without the server's hello.
    case opened
    case ready
  }

  /// CON-5: the first delay, its growth, and its bound.
  static let firstDelay = 1000.0
  static let growth = 1.3
  static let longestDelay = 300_000.0
  /// A connection that lived longer than this many milliseconds was a good one.
  static let stableAfter = 30_000.0

  var state = State.waiting
  /// Milliseconds; what the next delay is drawn from.
  var delay = firstDelay
  var lastAttempt = Instant(nanoseconds: 0)
  var readySince: Instant?
  var isFirstConnection = true
  /// CON-15: where the server has sent the client; `nil` where it was opened.
  var newHost: String?
  var keepAlive = KeepAlive()

  /// Whether there is a connection that has not ended.
  var isUp: Bool { state == .opened || state == .ready }
  /// Whether there is one, or one was asked for.
  var isUnderWay: Bool { isUp || state == .connecting }

  /// Draws the delay before the next attempt (CON-5).
  mutating func nextDelay(at now: Instant, random: inout RandomNumbers) -> Interval {
    if let since = readySince, (now - since).milliseconds > Self.stableAfter {
      delay = Self.firstDelay
    }
    readySince = nil
    let sinceAttempt = max(0, (now - lastAttempt).milliseconds)
    let drawn = random.nextUnit() * max(0, delay - sinceAttempt)
    delay = min(Self.longestDelay, delay * Self.growth)
    return Interval(nanoseconds: Int64(drawn * 1_000_000))
  }
}
