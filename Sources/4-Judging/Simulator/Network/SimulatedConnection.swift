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
