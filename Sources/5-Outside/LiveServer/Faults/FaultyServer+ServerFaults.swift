package import ClientInterface
package import Faults
internal import ReferenceServer
package import Tree
internal import Wire

// Of the server there is one for each namespace: what affects it affects all of them.

extension FaultyServer {
  package mutating func deny(_ rule: SecurityRule, _ moment: inout FaultMoment) {
    server.settings.security.append(rule)
    _ = everywhere(&moment) { server, _ in server.deny(rule) }
  }

  package mutating func revoke(_ path: Path, _ moment: inout FaultMoment) -> Bool {
    everywhere(&moment) { $0.revoke(path, into: &$1) }
  }

  package mutating func revokeCredential(of client: Int, _ moment: inout FaultMoment) -> Bool {
    let own = lines.keys.sorted().filter { lines[$0]?.client == client }
    return everywhere(&moment) { server, out in
      for number in own { server.revokeCredential(of: .init(number), into: &out) }
    }
  }

  package mutating func refuseAsStale(
    next count: Int, _ data: StaleData, _ moment: inout FaultMoment
  ) {
    server.staleness = count > 0 ? (count, data) : nil
    _ = everywhere(&moment) { server, _ in server.refuseAsStale(next: count, data) }
  }

  package mutating func change(_ write: ServerWrite, _ moment: inout FaultMoment) {
    let time = moment.now + server.skew
    _ = everywhere(&moment) { $0.write(ReferenceServer.Write(write), at: time, into: &$1) }
  }

  /// Lets every namespace do something.
  ///
  /// - Returns: Whether a client is notified.
  private mutating func everywhere(
    _ moment: inout FaultMoment,
    _ body: (inout ReferenceServer, inout [ReferenceServer.Outgoing]) -> Void
  ) -> Bool {
    var isReceived = false
    act(moment.now, &moment.effects) { isReceived = $0.everywhere(into: &$1, body) }
    return isReceived
  }

  package func addHost(_ host: String) {}

  package mutating func goDown(for interval: Interval, mark: Int?, _ moment: FaultMoment) {
    serverFaults.goDown(until: moment.now + interval, mark: mark)
  }

  package mutating func restart(
    _ fate: OnDisconnectFate, _ moment: inout FaultMoment
  ) -> Bool {
    let now = moment.now
    var wasConnected = !lines.isEmpty
    if breakRequests(of: nil, &moment.effects) { wasConnected = true }
    for number in lines.keys.sorted() {
      guard let line = lines[number] else { continue }
      // One whose connection is half-open does not learn of it.
      if line.isDead, !line.isGone {
        keepStaleSocket(number)
      } else {
        server.abandon(number, into: &moment.effects)
      }
    }
    act(now, &moment.effects) { $0.restart(fate, at: now, into: &$1) }
    return wasConnected
  }

  /// Sets the marks of faults because of which a request was answered as it was.
  mutating func judge(_ request: Request, _ response: ServerMessage.Response) {
    if serverFaults.skewMark != nil, request.holdsTimestamp { skewTakesEffect() }
    takeEffect(serverFaults.takeRefusal(of: request, by: response))
  }

  mutating func skewTakesEffect() { takeEffect(serverFaults.takeSkewMark()) }
}
