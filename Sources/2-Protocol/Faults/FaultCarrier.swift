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

// What each fault does, wherever it happens.

extension FaultCarrier {
  /// Lets a fault do what it is about. The mark is `nil` for one that is not asked about.
  package mutating func happen(_ fault: IndexedFault, mark: Int?) {
    for part in parts(of: fault) {
      announce(part)
      perform(part, mark)
    }
  }

  private mutating func perform(_ fault: IndexedFault, _ mark: Int?) {
    switch fault {
    case let .cut(client): cut(client.number, mark)
    case let .drop(client): faults.takeEffect(mark, if: breakOff(client.number))
    case let .heal(client): heal(client.number, mark)
    case let .refuse(client):
      changeNetwork(of: client.number) { $0.setAccess(.refusing, mark: mark) }
    case let .latency(latency, client): setLatency(latency, of: client, mark)
    case let .stall(client, direction): stall(client.number, direction, mark)
    case let .resume(client, direction):
      endStalls(of: client.number, direction, mark: mark)
    case let .halfOpen(client, side): halfOpen(client.number, side, mark)
    case let .lateClose(client, interval): closeLate(client.number, interval, mark)
    case let .redirect(client, host): redirect(client, to: host, mark)
    case let .shutdown(client, reason):
      for index in indices(of: client) { notify(index, .shutdown(reason), mark: mark) }
    case let .closeAfter(client, count, direction):
      armSecondPart(.count(count, client, direction), mark)
    case let .loseAcknowledgement(client):
      armSecondPart(.message(.acknowledgement, of: client, .before), mark)
    case let .serverClock(skew): setServerClock(skew, mark)
    case let .reject(rule): reject(rule, mark)
    case let .revoke(path):
      if endListens(at: path) {
        faults.takeEffect(mark)
      } else {
        serverFaults.add(.revocation(of: path), mark: mark)
      }
    case let .revokeAuth(client):
      faults.takeEffect(mark, if: withdrawCredential(of: client.number))
    case let .stale(count, data): refuseAsStale(next: count, data, mark)
    case let .restart(down, fate): restart(down, fate, mark)
    case let .write(write):
      faults.takeEffect(mark)
      change(write)
    case .kill, .start, .skew, .drift, .jump, .writeError, .storageFull, .tornRecord,
      .storageWorks:
      disturbMachine(fault, mark: mark)
    }
  }

  private mutating func cut(_ client: Int, _ mark: Int?) {
    changeNetwork(of: client) { $0.setAccess(.cut, mark: mark) }
    faults.takeEffect(mark, if: breakOff(client))
  }

  private mutating func heal(_ client: Int, _ mark: Int?) {
    faults.takeEffect(mark, if: network(of: client).access != .up)
    changeNetwork(of: client) { $0.access = .up }
    endStalls(of: client, .both, mark: mark)
  }

  private mutating func setLatency(_ latency: Latency, of client: ClientIndex?, _ mark: Int?) {
    if client == nil { setLatencyOfNewClients(latency) }
    for index in indices(of: client) {
      changeNetwork(of: index) { $0.setLatency(latency, mark: mark) }
    }
  }

  private mutating func stall(_ client: Int, _ direction: FaultDirection, _ mark: Int?) {
    changeNetwork(of: client) { $0.stalls.begin(direction, mark: mark) }
    didStall(client)
  }

  private mutating func halfOpen(_ client: Int, _ side: FaultSide, _ mark: Int?) {
    for connection in openConnections(of: client) {
      let isLoss = die(connection, mark: mark)
      faults.takeEffect(mark, if: isLoss || side != .neither)
      if side != .client { leaveUnnoticed(connection) }
      if side == .server {
        closeServerSide(of: connection)
      } else {
        endLater(connection, after: longestSilence, lateMark: nil)
      }
      if side == .client { closeClientSide(of: connection) }
    }
  }

  private mutating func closeLate(_ client: Int, _ interval: Interval, _ mark: Int?) {
    for connection in openConnections(of: client) {
      faults.takeEffect(mark, if: die(connection, mark: mark))
      endLater(connection, after: max(.zero, interval), lateMark: mark)
      closeClientSide(of: connection)
    }
  }

  private mutating func redirect(_ client: ClientIndex?, to host: String, _ mark: Int?) {
    addHost(host)
    for index in indices(of: client) {
      changeNetwork(of: index) { $0.home = (host, mark) }
      notify(index, .reset(host: host), mark: mark)
    }
  }

  private mutating func setServerClock(_ skew: Interval, _ mark: Int?) {
    faults.takeEffect(mark, if: skew == .zero && serverSkew != .zero)
    serverSkew = skew
    serverFaults.setSkew(skew, mark: mark)
  }

  private mutating func reject(_ rule: SecurityRule, _ mark: Int?) {
    enforce(rule)
    serverFaults.add(rule, mark: mark)
  }

  private mutating func refuseAsStale(next count: Int, _ data: StaleData, _ mark: Int?) {
    refuseAsStale(next: count, data)
    serverFaults.staleMark = mark
  }

  private mutating func restart(_ down: Interval, _ fate: OnDisconnectFate, _ mark: Int?) {
    serverFaults.goDown(until: clock + down, mark: mark)
    faults.takeEffect(mark, if: restart(fate))
  }

  /// Records that a fault has changed what happened.
  package mutating func takeEffect(_ mark: Int?) { faults.takeEffect(mark, if: true) }

  /// The client with this index, or every client.
  private func indices(of client: ClientIndex?) -> Range<Int> {
    client.map { $0.number..<$0.number + 1 } ?? clientIndices
  }
}

// When faults happen.

extension FaultCarrier {
  /// Lets a fault happen now.
  ///
  /// - Returns: The position of its mark.
  @discardableResult
  package mutating func injectNow(_ fault: IndexedFault) -> Int {
    let mark = faults.add(fault, trigger: nil)
    fire(mark)
    return mark
  }

  /// Lets a fault happen once, when the trigger matches. Nothing happens when it never does.
  ///
  /// Several that match at the same message happen in the order in which they were armed.
  ///
  /// - Returns: The position of its mark.
  @discardableResult
  package mutating func armNow(_ fault: IndexedFault, _ trigger: Trigger) -> Int {
    let mark = faults.add(fault, trigger: trigger)
    announceArming(of: fault)
    arm(ArmedFault(mark: mark, trigger: trigger))
    return mark
  }

  private mutating func arm(_ element: ArmedFault) {
    var element = element
    if case let .after(interval) = element.trigger {
      element.due = schedule(element.mark, after: max(.zero, interval))
    }
    faults.arm(element)
  }

  /// Waits for what a fault is really about.
  private mutating func armSecondPart(_ trigger: Trigger, _ mark: Int?) {
    guard let mark else { return }
    arm(ArmedFault(mark: mark, trigger: trigger, isSecondPart: true))
  }

  /// The time for which an armed fault waits has come.
  package mutating func fireArmed(_ mark: Int) {
    if let element = faults.take(mark) { fire(element) }
  }

  /// A message passes: what waits for it happens.
  package mutating func fireArmed(at messageDelivery: MessageDelivery, _ edge: Trigger.Edge) {
    for element in faults.take(at: messageDelivery, edge) {
      // Each is caused by the message, not by the one before.
      setCause(messageDelivery.cause)
      fire(element)
    }
  }

  private mutating func fire(_ element: ArmedFault) {
    if element.isSecondPart, let client = faults.marks[element.mark].fault.client {
      return happen(.drop(client), mark: element.mark)
    }
    fire(element.mark)
    let left = faults.repeats(of: element.mark)
    guard left > 0 else { return }
    let mark = armNow(faults.marks[element.mark].fault, element.trigger)
    faults.setRepeats(left - 1, of: mark)
  }

  private mutating func fire(_ mark: Int) {
    let fault = faults.marks[mark].fault
    guard canHappen(fault) else { return }
    faults.fire(mark)
    happen(fault, mark: mark)
  }
}
