internal import ClientInterface

/// What goes wrong on one WebSocket, and what has gone over it.
struct Line: Sendable {
  var faults: [LineFault]
  /// How many frames the client has sent, keep-alives left out.
  var frames = 0
  /// Nothing gets through, and nobody is told.
  var isDead = false
  /// What comes back is lost; the line is about to break.
  var isMute = false
  /// The server knows that it has ended.
  var isOver = false
  /// When the last thing on its way arrives, each way: what is sent later does not arrive sooner.
  var lastIn = Instant(nanoseconds: 0)
  var lastOut = Instant(nanoseconds: 0)
  /// Until when what the server sends waits.
  var stalledUntil = Instant(nanoseconds: 0)

  var latency: ClosedRange<Interval>? {
    for case let .latency(range) in faults { return range }
    return nil
  }

  /// How much later the server learns of the end.
  var lateness: Interval? {
    for case let .lateEnd(time) in faults { return time }
    return nil
  }

  /// What is to be done about a line after a frame.
  enum Turn: Hashable {
    case goOn
    case cut
  }

  /// The client has sent a frame; what strikes now.
  mutating func count(at now: Instant) -> Turn {
    frames += 1
    var turn = Turn.goOn
    for fault in faults {
      switch fault {
      case .cut(frames): turn = .cut
      case .loseAnswer(frames):
        isMute = true
        turn = .cut
      case .halfOpen(frames): isDead = true
      case .stall(frames, let time): stalledUntil = now + time
      default: break
      }
    }
    return turn
  }
}
