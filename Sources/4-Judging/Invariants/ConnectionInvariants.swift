internal import ClientInterface
internal import Scenario
internal import Wire

/// Follows the connection of one process of a client.
struct ConnectionInvariants {
  private(set) var hasReceivedHello = false
  private var helloReceived: (at: Interval, wrongClock: Instant?)?
  private var wantsOffline = false
  private var wasSentAway = false
  /// Whether the client gave its connection up by itself, as one that is idle may (CON-23).
  private var isIdle = false
  /// Milliseconds; the bound of the next delay.
  private var limit = ConnectionInvariants.firstLimit
  /// The timers that are set to try again.
  private(set) var tries: Set<TimerID> = []

  private static let firstLimit = 1000.0
  private static let growth = 1.3
  private static let longest = 300_000.0
  private static let stableAfter = Interval.seconds(30)

  mutating func begin(_ step: ClientStep) {
    switch step.input {
    case .frame(.hello):
      hasReceivedHello = true
      helloReceived = (step.time, step.wrongClock)
    case .refused: end()
    case .closed:
      // CON-6: a connection that lived long was a good one.
      if hasLivedLong(until: step) { limit = Self.firstLimit }
      end()
    case let .timer(id): tries.remove(id)
    case .call(_, .goOffline): wantsOffline = true
    case .call(_, .goOnline):
      wantsOffline = false
      limit = Self.firstLimit
    case .frame(.shutdown): wasSentAway = true
    case .open, .opened, .call, .frame, .close: break
    }
  }

  /// Whether the client is to come back by itself when its connection is gone.
  var shouldComeBack: Bool { !wantsOffline && !wasSentAway && !isIdle }

  /// Whether it is certain that the connection was no a short one. A client whose clock was set
  /// meanwhile cannot know.
  private func hasLivedLong(until step: ClientStep) -> Bool {
    guard let helloReceived, step.time - helloReceived.at > Self.stableAfter else { return false }
    switch (helloReceived.wrongClock, step.wrongClock) {
    case (nil, nil): return true
    case let (began?, ended?): return ended - began > Self.stableAfter
    default: return false
    }
  }

  private mutating func end() {
    helloReceived = nil
    hasReceivedHello = false
  }

  mutating func take(
    _ output: ClientOutput, at sequence: Int, in step: ClientStep
  ) -> [InvariantViolation] {
    if case .connect = output { isIdle = false }
    switch output {
    case .connect where wantsOffline, .connectTo where wantsOffline:
      return [
        InvariantViolation(
          .staysOffline, .client(step.client), at: sequence,
          "the client asked for a connection after it was taken offline")
      ]
    case .disconnect:
      if case .timer = step.input { isIdle = true }
      end()
    case let .setTimer(id, delay, .backOff):
      tries.insert(id)
      return takeDelay(delay, at: sequence, in: step)
    case let .setTimer(id, _, _), let .cancelTimer(id): tries.remove(id)
    default: break
    }
    return []
  }

  private mutating func takeDelay(
    _ delay: Interval, at sequence: Int, in step: ClientStep
  ) -> [InvariantViolation] {
    let bound = limit
    limit = min(Self.longest, limit * Self.growth)
    guard delay.milliseconds > bound + 1 else { return [] }
    return [
      InvariantViolation(
        .boundedBackOff, .client(step.client), at: sequence,
        "the client waits \(Int(delay.milliseconds)) ms before it tries again, but the limit is "
          + "\(Int(bound)) ms")
    ]
  }
}
