internal import ClientInterface
internal import Faults

/// A client, and how the network is for it.
struct ClientNetworkState: Sendable {
  /// Whether somebody has said that he is it. Nobody else is taken for it then.
  var isClaimed = false
  /// How many connections it has that it knows to be open.
  var open = 0
  var network = Network.up
  /// The fault because of which new connections are refused.
  var networkMark: Int?
  var latency: Latency
  /// The fault that takes effect when a latency is drawn next.
  var latencyMark: Int?
  /// Which directions are stalled, with the marks of the faults.
  var toServer: Stall?
  var toClient: Stall?
  /// What would have arrived, in the order in which it would have.
  var held: [InFlightItem] = []
  /// The host to which the server sends it; `nil` where it has always been.
  var home: (host: String, mark: Int?)?
  var random: RandomNumbers

  enum Network: String, Sendable {
    case up
    /// Nothing but new connections is wrong.
    case refusing
    case cut
  }

  /// A stalled direction, with the mark of the fault.
  struct Stall: Sendable {
    var mark: Int?
  }

  init(latency: Latency, seed: UInt64) {
    self.latency = latency
    random = RandomNumbers(seed: seed)
  }

  var isStalled: Bool { toServer != nil || toClient != nil }

  /// The stall that keeps something from arriving; a request for a connection needs both ways.
  func stall(of content: InFlightItem.Content) -> Stall? {
    switch content {
    case .toServer, .leave, .request: toServer
    case .toClient, .response: toClient
    case .attempt: toServer ?? toClient
    case .fault: nil
    }
  }

  mutating func beginStall(_ flow: FaultDirection, mark: Int?) {
    if flow != .toClient, toServer == nil { toServer = Stall(mark: mark) }
    if flow != .toServer, toClient == nil { toClient = Stall(mark: mark) }
  }

  mutating func endStall(_ flow: FaultDirection) {
    if flow != .toClient { toServer = nil }
    if flow != .toServer { toClient = nil }
  }

  /// How long something takes that is sent now.
  mutating func drawLatency() -> Interval {
    guard latency.arity > 1 else { return latency.lowest }
    return latency.interval(of: Int(random.next() % UInt64(latency.arity)))
  }
}
