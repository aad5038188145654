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
  /// What a fault happens in: the event that caused it, or a moment and its effects.
  associatedtype Context

  var faults: FaultRegister { get set }
  var serverFaults: ServerFaults { get set }
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
  func setCause(_ event: Int, in context: inout Context)
  /// The faults that a fault consists of, each of which is reported by itself.
  func parts(of fault: IndexedFault) -> [IndexedFault]
  /// Reports that a fault happens; what follows is caused by that.
  mutating func announce(_ fault: IndexedFault, _ context: inout Context)
  /// Reports that a fault waits from now on.
  mutating func announceArming(of fault: IndexedFault, _ context: inout Context)
  /// Has the moment come after an interval for which an armed fault waits.
  ///
  /// - Returns: When it comes, in the time of the run, where that is asked for.
  mutating func schedule(
    _ mark: Int, after interval: Interval, _ context: inout Context
  ) -> Interval?

  // MARK: Connections, by their numbers

  /// The connections of a client that let messages through, in order.
  func openConnections(of client: Int) -> [Int]
  /// Ends the connections of a client at both ends, now.
  ///
  /// - Returns: Whether there was something to end.
  mutating func breakOff(_ client: Int, _ context: inout Context) -> Bool
  /// Lets nothing through a connection any more.
  ///
  /// - Returns: Whether messages were lost.
  mutating func die(_ connection: Int, mark: Int?, _ context: inout Context) -> Bool
  /// The server notices the end of a dead connection after an interval. The fault with `lateMark`
  /// takes effect then.
  mutating func endLater(
    _ connection: Int, after interval: Interval, lateMark: Int?, _ context: inout Context)
  /// The client sees a dead connection close now; the server does not.
  mutating func closeClientSide(of connection: Int, _ context: inout Context)
  /// The server sees a dead connection close now; the client does not.
  mutating func closeServerSide(of connection: Int, _ context: inout Context)
  /// The client takes a dead connection for open.
  mutating func leaveUnnoticed(_ connection: Int)
  /// The server sends a client something unasked; that takes effect if it is connected.
  mutating func notify(
    _ client: Int, _ message: ServerMessage, mark: Int?, _ context: inout Context)
  /// A stall has begun.
  mutating func didStall(_ client: Int, _ context: inout Context)
  /// Ends stalls of a client, and lets what waits arrive now, in order.
  mutating func endStalls(
    of client: Int, _ direction: FaultDirection, mark: Int?, _ context: inout Context)

  // MARK: The server, and machines of clients

  /// From now on the server has this host too.
  mutating func addHost(_ host: String)
  mutating func deny(_ rule: SecurityRule, _ context: inout Context)
  /// - Returns: Whether a client is notified.
  mutating func revoke(_ path: Path, _ context: inout Context) -> Bool
  /// - Returns: Whether a client is notified.
  mutating func revokeCredential(of client: Int, _ context: inout Context) -> Bool
  mutating func refuseAsStale(next count: Int, _ data: StaleData, _ context: inout Context)
  mutating func change(_ write: ServerWrite, _ context: inout Context)
  /// Ends all connections, and starts the server again.
  ///
  /// - Returns: Whether there was something to end.
  mutating func restart(_ fate: OnDisconnectFate, _ context: inout Context) -> Bool
  /// The server accepts no connection for an interval.
  mutating func goDown(for interval: Interval, mark: Int?, _ context: Context)
  /// What affects the process, the clock or the storage of a client.
  mutating func disturbMachine(_ fault: IndexedFault, mark: Int?, _ context: inout Context)
}
