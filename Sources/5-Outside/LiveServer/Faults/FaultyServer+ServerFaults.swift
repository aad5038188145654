internal import ClientInterface
package import Faults
internal import ReferenceServer
package import Tree
internal import Wire

// Of the server there is one for each namespace: what affects it affects all of them.

extension FaultyServer {
  package mutating func enforce(_ rule: SecurityRule) {
    server.settings.security.append(rule)
    _ = everywhere { server, _ in server.deny(rule) }
  }

  package mutating func endListens(at path: Path) -> Bool {
    everywhere { $0.revoke(path, into: &$1) }
  }

  package mutating func withdrawCredential(of client: Int) -> Bool {
    let own = lines.keys.sorted().filter { lines[$0]?.client == client }
    return everywhere { server, out in
      for number in own { server.revokeCredential(of: .init(number), into: &out) }
    }
  }

  package mutating func refuseAsStale(next count: Int, _ data: StaleData) {
    server.staleness = count > 0 ? (count, data) : nil
    _ = everywhere { server, _ in server.refuseAsStale(next: count, data) }
  }

  package mutating func change(_ write: ServerWrite) {
    let time = server.time
    _ = everywhere { $0.write(ReferenceServer.Write(write), at: time, into: &$1) }
  }

  /// Lets every namespace do something.
  ///
  /// - Returns: Whether a client is notified.
  private mutating func everywhere(
    _ body: (inout ReferenceServer, inout [ReferenceServer.Outgoing]) -> Void
  ) -> Bool {
    var isReceived = false
    act { isReceived = $0.everywhere(body) }
    return isReceived
  }

  package func addHost(_ host: String) {}

  package mutating func restart(_ fate: OnDisconnectFate) -> Bool {
    var wasConnected = !lines.isEmpty
    if breakRequests(of: nil) { wasConnected = true }
    for number in lines.keys.sorted() {
      guard let line = lines[number] else { continue }
      // One whose connection is half-open does not learn of it.
      if line.isDead, !line.isGone {
        keepStaleSocket(number)
      } else {
        server.abandon(number)
      }
    }
    act { $0.restart(fate) }
    return wasConnected
  }

  /// Sets the marks of faults because of which a request was answered as it was.
  mutating func judge(_ request: Request, _ response: ServerMessage.Response) {
    if serverFaults.skewMark != nil, request.holdsTimestamp { skewTakesEffect() }
    takeEffect(serverFaults.takeRefusal(of: request, by: response))
  }

  mutating func skewTakesEffect() { takeEffect(serverFaults.takeSkewMark()) }
}
