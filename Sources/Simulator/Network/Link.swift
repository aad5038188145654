internal import ClientInterface

/// One direction of one connection: what is under way in it, in the order in which it was sent.
///
/// The network is a faithful WebSocket. Messages arrive whole and in order until the connection
/// dies; what is under way then is lost.
struct Link<Message> {
  /// A message that is under way, with the event that sent it.
  struct Flight {
    var message: Message
    var cause: Int
  }

  private var flights: [Flight] = []
  /// How many of `flights` have arrived already; they go when they are many.
  private var arrived = 0
  /// When the last message that was sent arrives.
  private var lastDue = Interval.zero

  var count: Int { flights.count - arrived }
  var last: Message? { count == 0 ? nil : flights.last?.message }

  /// When something arrives that is sent now: never before what was sent earlier.
  mutating func due(after latency: Interval, at now: Interval) -> Interval {
    lastDue = max(lastDue, now + latency)
    return lastDue
  }

  mutating func append(_ message: Message, cause: Int) {
    flights.append(Flight(message: message, cause: cause))
  }

  /// Takes out the message that was sent first.
  ///
  /// - Precondition: There is one.
  mutating func removeFirst() -> Flight {
    let flight = flights[arrived]
    arrived += 1
    if arrived == flights.count {
      flights.removeAll(keepingCapacity: true)
      arrived = 0
    } else if arrived >= 32, arrived * 2 > flights.count {
      flights.removeFirst(arrived)
      arrived = 0
    }
    return flight
  }

  /// Takes out everything, in the order in which it was sent.
  mutating func removeAll() -> [Flight] {
    let lost = Array(flights.dropFirst(arrived))
    flights = []
    arrived = 0
    return lost
  }
}
