internal import ClientInterface
internal import Wire

/// What distinguishes a dead connection from one on which there is nothing to say (CON-19).
struct KeepAlive {
  /// How long nothing must be received before the client asks for a keep-alive. A connection that
  /// is up must have sent hello by then.
  static let silence = Interval.seconds(45)
  /// How long the server may take to give it.
  static let timeout = Interval.seconds(30)

  private(set) var lastReceived = Instant(nanoseconds: 0)
  /// Whether a keep-alive was asked for and nothing was received since.
  var isAwaited = false

  /// Something was received.
  mutating func feel(at now: Instant) {
    lastReceived = now
    isAwaited = false
  }

  /// How long it may still be silent. A clock that was set back says nothing of that: the timer has
  /// run, so it was long enough.
  func rest(at now: Instant) -> Interval {
    guard now >= lastReceived else { return .zero }
    return Self.silence - min(Self.silence, now - lastReceived)
  }
}

extension ReferenceClient {
  mutating func opened() {
    link.state = .opened
    link.keepAlive.feel(at: now)
    outputs.append(.setTimer(.keepAlive, after: KeepAlive.silence, .keepAlive))
  }

  /// It is time to see whether the connection lives. Only what is received counts: what the client
  /// sends may vanish.
  mutating func receiveKeepAlive() {
    guard link.isUp else { return }
    if link.state == .opened || link.keepAlive.isAwaited {
      outputs.append(.disconnect)
      connectionLost()
      return
    }
    let rest = link.keepAlive.rest(at: now)
    if rest > .zero {
      outputs.append(.setTimer(.keepAlive, after: rest, .keepAlive))
    } else {
      link.keepAlive.isAwaited = true
      outputs += [.send(.ping), .setTimer(.keepAlive, after: KeepAlive.timeout, .keepAlive)]
    }
  }

  mutating func stopKeepAlive() {
    if link.isUp { outputs.append(.cancelTimer(.keepAlive)) }
  }
}
