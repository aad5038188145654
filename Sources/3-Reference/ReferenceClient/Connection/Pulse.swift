internal import ClientInterface
internal import Wire

/// What tells a dead connection from one on which there is nothing to say (CON-19).
struct Pulse {
  /// How long nothing must be heard before the client asks for a sign of life. A connection that is
  /// up must have said hello by then.
  static let silence = Interval.seconds(45)
  /// How long the server may take to give it.
  static let patience = Interval.seconds(30)

  private(set) var lastHeard = Instant(nanoseconds: 0)
  /// Whether a sign of life was asked for and nothing was heard since.
  var isAwaited = false

  /// Something was heard.
  mutating func feel(at now: Instant) {
    lastHeard = now
    isAwaited = false
  }

  /// How long it may still be silent. A clock that was set back says nothing of that: the timer has
  /// run, so it was long enough.
  func rest(at now: Instant) -> Interval {
    guard now >= lastHeard else { return .zero }
    return Self.silence - min(Self.silence, now - lastHeard)
  }
}

extension ReferenceClient {
  mutating func opened() {
    link.state = .opened
    link.pulse.feel(at: now)
    outputs.append(.setTimer(.keepAlive, after: Pulse.silence, .keepAlive))
  }

  /// It is time to see whether the connection lives. Only what is heard counts: what the client
  /// sends may vanish.
  mutating func takePulse() {
    guard link.isUp else { return }
    if link.state == .opened || link.pulse.isAwaited {
      outputs.append(.disconnect)
      connectionLost()
      return
    }
    let rest = link.pulse.rest(at: now)
    if rest > .zero {
      outputs.append(.setTimer(.keepAlive, after: rest, .keepAlive))
    } else {
      link.pulse.isAwaited = true
      outputs += [.send(.ping), .setTimer(.keepAlive, after: Pulse.patience, .keepAlive)]
    }
  }

  mutating func stopPulse() {
    if link.isUp { outputs.append(.cancelTimer(.keepAlive)) }
  }
}
