package import ClientInterface
package import Tree
package import Wire

/// What carries messages between clients and a server, and lets faults happen on the way: the
/// simulator and the live server.
///
/// What each fault means is defined once, here. A carrier defines how things are done in it: what
/// ends a connection, what is lost with it, and who sees what when. It keeps its own connections
/// and its own queue, because they differ in kind: the simulator has one connection for each
/// client, all of it plain data that is branched and hashed; the live server has sockets, streams
/// and requests of HTTP, and real time.
package protocol FaultCarrier {
  var faults: FaultRegister { get set }
  var serverFaults: ServerFaults { get set }
  /// The time of day, as it is.
  var clock: Instant { get }
  /// How much the server's clock shows too much.
  var serverSkew: Interval { get set }
  /// Of the clients, in order.
  var clientIndices: Range<Int> { get }
  func network(of client: Int) -> ClientNetwork
  mutating func changeNetwork(of client: Int, _ change: (inout ClientNetwork) -> Void)
  /// Messages of clients that are still to come take this long.
  mutating func setLatencyOfNewClients(_ latency: Latency)

  /// Whether a fault is possible here.
  func canHappen(_ fault: IndexedFault) -> Bool
  /// What happens next is caused by something that was sent.
  mutating func setCause(_ event: Int)
  /// The faults that a fault consists of, each of which is reported by itself.
  func parts(of fault: IndexedFault) -> [IndexedFault]
  /// Reports that a fault happens; what follows is caused by that.
  mutating func announce(_ fault: IndexedFault)
  /// Reports that a fault waits from now on.
  mutating func announceArming(of fault: IndexedFault)
  /// Has the moment come after an interval for which an armed fault waits.
  ///
  /// - Returns: When it comes, in the time of the run, where that is asked for.
  mutating func schedule(_ mark: Int, after interval: Interval) -> Interval?

  // MARK: Connections, by their numbers

  /// The connections of a client that let messages through, in order.
  func openConnections(of client: Int) -> [Int]
  /// Ends the connections of a client at both ends, now.
  ///
  /// - Returns: Whether there was something to end.
  mutating func breakOff(_ client: Int) -> Bool
  /// Lets nothing through a connection any more.
  ///
  /// - Returns: Whether messages were lost.
  mutating func die(_ connection: Int, mark: Int?) -> Bool
  /// The server notices the end of a dead connection after an interval. The fault with `lateMark`
  /// takes effect then.
  mutating func endLater(_ connection: Int, after interval: Interval, lateMark: Int?)
  /// The client sees a dead connection close now; the server does not.
  mutating func closeClientSide(of connection: Int)
  /// The server sees a dead connection close now; the client does not.
  mutating func closeServerSide(of connection: Int)
  /// The client takes a dead connection for open.
  mutating func leaveUnnoticed(_ connection: Int)
  /// The server sends a client something unasked; that takes effect if it is connected.
  mutating func notify(_ client: Int, _ message: ServerMessage, mark: Int?)
  /// A stall has begun.
  mutating func didStall(_ client: Int)
  /// Ends stalls of a client, and lets what waits arrive now, in order.
  mutating func endStalls(of client: Int, _ direction: FaultDirection, mark: Int?)

  // MARK: The server, and machines of clients

  /// From now on the server has this host too.
  mutating func addHost(_ host: String)
  /// Refuses what the rule is about from now on.
  mutating func enforce(_ rule: SecurityRule)
  /// Ends the listens at a path and below.
  ///
  /// - Returns: Whether a client is notified.
  mutating func endListens(at path: Path) -> Bool
  /// Takes back the token with which a client has signed in.
  ///
  /// - Returns: Whether a client is notified.
  mutating func withdrawCredential(of client: Int) -> Bool
  mutating func refuseAsStale(next count: Int, _ data: StaleData)
  mutating func change(_ write: ServerWrite)
  /// Ends all connections, and starts the server again.
  ///
  /// - Returns: Whether there was something to end.
  mutating func restart(_ fate: OnDisconnectFate) -> Bool
  /// What affects the process, the clock or the storage of a client.
  mutating func disturbMachine(_ fault: IndexedFault, mark: Int?)
}
