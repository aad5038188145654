internal import ClientInterface
internal import Faults

/// A client, and how the network is for it.
struct ServedClient: Sendable {
  /// Whether a client has claimed this name. No other client is taken for it then.
  var isClaimed = false
  /// Whether it has its name from a scenario or a file of faults, and not because it came.
  var isExpected = false
  /// Whether it has had a connection.
  var hasConnected = false
  /// How many connections it has that it knows to be open.
  var open = 0
  var network: ClientNetwork
  /// What would have arrived if its direction were not stalled, in the order in which it would
  /// have.
  var held: [InFlightItem] = []
  var random: RandomNumbers

  init(latency: Latency, seed: UInt64) {
    network = ClientNetwork(latency: latency)
    random = RandomNumbers(seed: seed)
  }

  /// How long something takes that is sent now.
  mutating func drawLatency() -> Interval {
    let latency = network.latency
    guard latency.arity > 1 else { return latency.lowest }
    return latency.interval(of: Int(random.next() % UInt64(latency.arity)))
  }
}

extension InFlightItem.Content {
  /// Which ways it needs to arrive; `nil` for what is not on its way.
  var need: Stalls.Need? {
    switch self {
    case .toServer, .leave, .request: .toServer
    case .toClient, .response: .toClient
    case .attempt: .bothWays
    case .fault: nil
    }
  }
}
