internal import ClientInterface
package import Faults
internal import ReferenceServer
internal import Trace
package import Tree
internal import Wire

extension Simulator {
  /// The time as the server sees it.
  var serverClock: Instant { clock + serverSkew }

  package mutating func deny(_ rule: SecurityRule, _ cause: inout FaultCause) { server.deny(rule) }

  package mutating func revoke(_ path: Path, _ cause: inout FaultCause) -> Bool {
    server.revoke(path, into: &outgoing)
    return transmit(cause)
  }

  package mutating func revokeCredential(of client: Int, _ cause: inout FaultCause) -> Bool {
    if let number = participants[client].connectionNumber {
      server.revokeCredential(of: ReferenceServer.ConnectionID(number), into: &outgoing)
    }
    return transmit(cause)
  }

  package mutating func refuseAsStale(
    next count: Int, _ data: StaleData, _ cause: inout FaultCause
  ) {
    server.refuseAsStale(next: count, data)
  }

  package mutating func change(_ write: ServerWrite, _ cause: inout FaultCause) {
    let write = ReferenceServer.Write(write)
    let kind: TraceEvent.Kind =
      switch write {
      case let .put(path, node): .serverWrite(path, node)
      case let .merge(path, assignments): .serverUpdate(path, assignments)
      }
    cause.event = record(kind, cause: cause.origin)
    server.write(write, at: serverClock, into: &outgoing)
    _ = transmit(cause)
  }

  /// - Returns: Whether a client is notified.
  private mutating func transmit(_ cause: FaultCause) -> Bool {
    guard !outgoing.isEmpty, let event = cause.event else { return false }
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
