internal import ClientInterface
import HTTP
internal import Wire

/// Something that is on its way between a client and the server.
struct InFlightItem: Sendable {
  enum Content: Sendable {
    /// The request for the connection with this number.
    case attempt(Int)
    /// A message over the connection with this number.
    case toServer(Int, ClientMessage)
    case toClient(Int, ServerMessage)
    /// The end of a connection, which the server is to notice.
    case leave(Int)
    /// A request of REST, and its answer.
    case request(Socket, HTTPRequest)
    case response(Socket, Effect)
    /// The time for which the fault with this mark waits.
    case fault(Int)
  }

  var due: Instant
  /// Another one for each: of what is due at the same time, what was sent first arrives first.
  let number: Int
  /// Whose it is; `nil` for what belongs to no client.
  let client: Int?
  let content: Content

  /// The connection that it belongs to.
  var connection: Int? {
    switch content {
    case let .attempt(number), let .toServer(number, _), let .toClient(number, _),
      let .leave(number):
      number
    case .request, .response, .fault: nil
    }
  }

  var isMessage: Bool {
    switch content {
    case .toServer, .toClient: true
    case .attempt, .leave, .request, .response, .fault: false
    }
  }
}

/// What is on its way, in the order in which it arrives.
struct DeliveryQueue: Sendable {
  private var flights: [InFlightItem] = []
  /// How many of them have been taken out.
  private var taken = 0

  var first: InFlightItem? { taken < flights.count ? flights[taken] : nil }

  /// - Complexity: O(1) for what arrives last, as most things do.
  mutating func insert(_ flight: InFlightItem) {
    var index = flights.count
    while index > taken, Self.precedes(flight, flights[index - 1]) { index -= 1 }
    flights.insert(flight, at: index)
  }

  private static func precedes(_ a: InFlightItem, _ b: InFlightItem) -> Bool {
    (a.due, a.number) < (b.due, b.number)
  }

  mutating func removeFirst() -> InFlightItem? {
    guard let first else { return nil }
    taken += 1
    if taken == flights.count || taken >= 1024 {
      flights.removeFirst(taken)
      taken = 0
    }
    return first
  }

  /// Takes out what a condition picks, in order.
  mutating func remove(where condition: (InFlightItem) -> Bool) -> [InFlightItem] {
    let rest = flights[taken...]
    let picked = rest.filter(condition)
    if picked.isEmpty { return [] }
    flights = rest.filter { !condition($0) }
    taken = 0
    return picked
  }
}
