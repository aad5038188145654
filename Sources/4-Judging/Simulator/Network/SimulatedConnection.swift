internal import ClientInterface
internal import ReferenceServer
internal import Wire

/// A connection that the server knows of.
///
/// It outlives the client's interest in it: after the client has closed it, what the client sent
/// still arrives, and then the server notices.
struct SimulatedConnection {
  let id: ReferenceServer.ConnectionID
  let client: Int
  /// Whether the client still listens at its end.
  var clientSide = ClientSide.open
  /// Whether nothing gets through any more, in either direction.
  var isDead = false
  /// Whether the server's end is scheduled to close.
  var isEnding = false
  /// The fault because of which the server notices the end later than the client.
  var lateMark: Int?
  /// The fault because of which nothing gets through.
  var deathMark: Int?
  /// The actions of requests that arrived while a fault was armed, by their numbers.
  var asked: [Int: Request.Action] = [:]
  var toServer = DirectedLink<ClientMessage>()
  var toClient = DirectedLink<ServerMessage>()

  enum ClientSide {
    case open
    case closed
  }
}

/// The connections of a run, in order of their numbers.
struct SimulatedConnections {
  private var elements: [SimulatedConnection] = []
  private var nextNumber = 1

  /// The position of the connection with this number, or `nil` when it has ended.
  ///
  /// - Complexity: O(log *n*).
  func index(of number: Int) -> Int? {
    var low = 0
    var high = elements.count
    while low < high {
      let middle = (low + high) / 2
      if elements[middle].id.number < number { low = middle + 1 } else { high = middle }
    }
    return low < elements.count && elements[low].id.number == number ? low : nil
  }

  // Without closures: one that looked at the connections of a simulator would get a copy of it.

  /// Whether the connection with this number exists and lets messages through.
  func isAlive(_ number: Int) -> Bool {
    guard let index = index(of: number) else { return false }
    return !elements[index].isDead
  }

  /// Whether the connection with this number exists and lets nothing through.
  func isDead(_ number: Int) -> Bool {
    guard let index = index(of: number) else { return false }
    return elements[index].isDead
  }

  subscript(index: Int) -> SimulatedConnection {
    _read { yield elements[index] }
    _modify { yield &elements[index] }
  }

  var indices: Range<Int> { elements.indices }

  /// Adds a connection under a number that no other one had or will have.
  mutating func open(for client: Int) -> ReferenceServer.ConnectionID {
    let id = ReferenceServer.ConnectionID(nextNumber)
    nextNumber += 1
    elements.append(SimulatedConnection(id: id, client: client))
    return id
  }

  @discardableResult
  mutating func remove(at index: Int) -> SimulatedConnection { elements.remove(at: index) }

  /// The numbers of the connections of one client, oldest first.
  func numbers(of client: Int) -> [Int] {
    elements.filter { $0.client == client }.map(\.id.number)
  }
}

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

  /// What arrives after that.
  var second: Message? { count < 2 ? nil : ring[(start + 1) & (ring.count - 1)]?.message }

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
