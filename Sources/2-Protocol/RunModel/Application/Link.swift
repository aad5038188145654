package import ClientInterface
internal import Wire

/// What the application of one process wants of the connection, and how the client goes about it.
package struct Link {
  /// How often the server has said hello to this process.
  package private(set) var helloCount = 0
  private var helloReceived: (at: Interval, wrongClock: Instant?)?
  package private(set) var wantsOffline = false
  private var wasSentAway = false
  /// Whether the client gave its connection up by itself, as one that is idle may (CON-23).
  private var isIdle = false
  /// Milliseconds; the bound of the next delay (CON-5).
  package private(set) var longestDelay = Link.firstDelay
  /// The timers that are set to try again.
  package private(set) var tries: Set<TimerID> = []
  /// Whether the present turn is that of a timer.
  private var isTimed = false

  private static let firstDelay = 1000.0
  private static let growth = 1.3
  private static let maxDelay = 300_000.0
  private static let stableAfter = Interval.seconds(30)

  mutating func begin(_ step: ClientStep) {
    isTimed = false
    switch step.input {
    case .frame(.hello):
      helloCount += 1
      helloReceived = (step.time, step.wrongClock)
    case .refused: helloReceived = nil
    case .closed:
      // CON-6: a connection that lived long was a good one.
      if hasLivedLong(until: step) { longestDelay = Self.firstDelay }
      helloReceived = nil
    case let .timer(id):
      isTimed = true
      tries.remove(id)
    case .call(_, .goOffline): wantsOffline = true
    case .call(_, .goOnline):
      wantsOffline = false
      longestDelay = Self.firstDelay
    case .frame(.shutdown): wasSentAway = true
    case .open, .opened, .call, .frame, .close: break
    }
  }

  /// Takes what an output says of the connection.
  package mutating func take(_ output: ClientOutput) {
    switch output {
    case .connect: isIdle = false
    case .disconnect:
      if isTimed { isIdle = true }
      helloReceived = nil
    case let .setTimer(id, _, .backOff):
      tries.insert(id)
      longestDelay = min(Self.maxDelay, longestDelay * Self.growth)
    case let .setTimer(id, _, _), let .cancelTimer(id): tries.remove(id)
    default: break
    }
  }

  package var hasReceivedHello: Bool { helloReceived != nil }

  /// Whether the client is to come back by itself when its connection is gone.
  package var shouldComeBack: Bool { !wantsOffline && !wasSentAway && !isIdle }

  /// Whether it is certain that the connection was no short one. A client whose clock was set
  /// meanwhile cannot know.
  private func hasLivedLong(until step: ClientStep) -> Bool {
    guard let helloReceived, step.time - helloReceived.at > Self.stableAfter else { return false }
    switch (helloReceived.wrongClock, step.wrongClock) {
    case (nil, nil): return true
    case let (began?, ended?): return ended - began > Self.stableAfter
    default: return false
    }
  }
}
