internal import ClientInterface
package import Faults
internal import ReferenceServer
internal import Trace
package import Tree
internal import Wire

extension Simulator {
  /// The time as the server sees it.
  var serverClock: Instant { clock + serverSkew }

  package mutating func enforce(_ rule: SecurityRule) { server.deny(rule) }

  package mutating func endListens(at path: Path) -> Bool {
    server.revoke(path, into: &outgoing)
    return transmit()
  }

  package mutating func withdrawCredential(of client: Int) -> Bool {
    if let number = participants[client].connectionNumber {
      server.revokeCredential(of: ReferenceServer.ConnectionID(number), into: &outgoing)
    }
    return transmit()
  }

  package mutating func refuseAsStale(next count: Int, _ data: StaleData) {
    server.refuseAsStale(next: count, data)
  }

  package mutating func change(_ write: ServerWrite) {
    let write = ReferenceServer.Write(write)
    let kind: TraceEvent.Kind =
      switch write {
      case let .put(path, node): .serverWrite(path, node)
      case let .merge(path, assignments): .serverUpdate(path, assignments)
      }
    faultCause.event = record(kind, cause: faultCause.origin)
    server.write(write, at: serverClock, into: &outgoing)
    _ = transmit()
  }

  /// - Returns: Whether a client is notified.
  private mutating func transmit() -> Bool {
    guard !outgoing.isEmpty, let event = faultCause.event else { return false }
    transmit(cause: event)
    return true
  }

  /// Sets the marks of faults that changed what the server just did with a message.
  mutating func serverFaultsTakeEffect(_ message: ClientMessage, staleBefore: Int) {
    if server.staleRefusalsLeft < staleBefore { takeEffect(serverFaults.staleMark) }
    guard case let .request(number, request) = message else { return }
    if serverFaults.skewMark != nil, request.holdsTimestamp {
      takeEffect(serverFaults.takeSkewMark())
    }
    for outgoing in outgoing {
      guard case let .response(response) = outgoing.message, response.request == number else {
        continue
      }
      takeEffect(serverFaults.takeRefusal(of: request, by: response))
    }
  }
}
