internal import ClientInterface

/// One direction of one connection: what is under way in it, in the order in which it was sent.
///
/// The network is a faithful WebSocket. Messages arrive whole and in order until the connection
/// dies; what is under way then is lost.
struct DirectedLink<Message> {
  /// A message that is under way, with the event that sent it.
  struct InFlightMessage {
    var message: Message
    var cause: Int
  }

  /// A ring: the first flight is at `start`, and `nil` stands where none is.
  private var ring: [InFlightMessage?] = []
  private var start = 0
  private(set) var count = 0
  /// When the last message that was sent arrives.
  private var lastDue = Interval.zero

  /// What arrives next.
  var first: Message? { count == 0 ? nil : ring[start]?.message }

  /// What was sent last and is still under way.
  var last: Message? {
    count == 0 ? nil : ring[(start + count - 1) & (ring.count - 1)]?.message
  }

  /// When something arrives that is sent now: never before what was sent earlier.
  mutating func due(after latency: Interval, at now: Interval) -> Interval {
    lastDue = max(lastDue, now + latency)
    return lastDue
  }

  mutating func append(_ message: Message, cause: Int) {
    if count == ring.count { grow() }
    ring[(start + count) & (ring.count - 1)] = InFlightMessage(message: message, cause: cause)
    count += 1
  }

  /// Takes out the message that was sent first; `nil` when none is under way.
  mutating func removeFirst() -> InFlightMessage? {
    guard count > 0 else { return nil }
    let first = ring[start].take()
    start = (start + 1) & (ring.count - 1)
    count -= 1
    return first
  }

  /// Takes out everything, in the order in which it was sent.
  mutating func removeAll() -> [InFlightMessage] {
    var lost: [InFlightMessage] = []
    while let flight = removeFirst() { lost.append(flight) }
    return lost
  }

  /// Doubles the ring; its size is a power of two.
  private mutating func grow() {
    let size = max(4, 2 * ring.count)
    var larger: [InFlightMessage?] = []
    larger.reserveCapacity(size)
    for offset in 0..<count { larger.append(ring[(start + offset) & (ring.count - 1)]) }
    while larger.count < size { larger.append(nil) }
    ring = larger
    start = 0
  }
}
