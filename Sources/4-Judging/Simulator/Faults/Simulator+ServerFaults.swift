internal import ClientInterface
internal import Faults
internal import ReferenceServer
internal import Trace
internal import Tree
internal import Wire

/// What is wrong with the server, and the marks of it that wait for something to happen.
struct ServerFaults {
  /// How much its clock shows too much.
  var skew = Interval.zero
  var skewMark: Int?
  /// Until when it accepts no connection.
  var down: (until: Interval, mark: Int?)?
  /// Where it serves clients besides its own host.
  var hosts: [String] = []
  var staleMark: Int?
  /// The rules that have refused nothing yet.
  var rules: [(rule: SecurityRule, mark: Int)] = []

  /// Whether a mark is to be set when something happens.
  var waits: Bool { skewMark != nil || staleMark != nil || !rules.isEmpty }

  mutating func takeSkewMark() -> Int? {
    defer { skewMark = nil }
    return skewMark
  }
}

extension Simulator {
  /// The time as the server sees it.
  var serverClock: Instant { clock + serverFaults.skew }

  mutating func fireAtServer(_ fault: IndexedFault, _ origin: Origin) {
    switch fault {
    case let .reject(rule): deny(rule, origin)
    case let .revoke(path): revoke(path, origin)
    case let .revokeAuth(client): revokeCredential(of: client.number, origin)
    case let .restart(down, fate): restart(down: down, fate, origin)
    case let .serverClock(interval):
      note(.fault(fault.text, nil), cause: origin.cause)
      if interval == .zero, serverFaults.skew != .zero { takeEffect(origin.mark) }
      serverFaults.skew = interval
      serverFaults.skewMark = interval == .zero ? nil : origin.mark
    case let .stale(count, data):
      note(.fault(fault.text, nil), cause: origin.cause)
      server.refuseAsStale(next: count, data)
      serverFaults.staleMark = origin.mark
    default: break
    }
  }

  mutating func deny(_ rule: SecurityRule, _ origin: Origin) {
    note(.fault(IndexedFault.reject(rule).text, nil), cause: origin.cause)
    server.deny(rule)
    if let mark = origin.mark { serverFaults.rules.append((rule, mark)) }
  }

  mutating func revoke(_ path: Path, _ origin: Origin) {
    let event = note(.fault("revoke \(path)", nil), cause: origin.cause)
    server.revoke(path, into: &outgoing)
    if !outgoing.isEmpty { takeEffect(origin.mark) }
    transmit(cause: event)
  }

  mutating func revokeCredential(of index: Int, _ origin: Origin) {
    let text = "revoke the credential of \(names[index])"
    let event = note(.fault(text, nil), cause: origin.cause)
    if let number = participants[index].connectionNumber {
      server.revokeCredential(of: ReferenceServer.ConnectionID(number), into: &outgoing)
    }
    if !outgoing.isEmpty { takeEffect(origin.mark) }
    transmit(cause: event)
  }

  /// Sets the marks of faults that changed what the server just did with a message.
  mutating func serverFaultsTakeEffect(_ message: ClientMessage, staleBefore: Int) {
    if server.staleAnswers < staleBefore { takeEffect(serverFaults.staleMark) }
    guard case let .request(number, request) = message else { return }
    if serverFaults.skewMark != nil, request.holdsTimestamp {
      takeEffect(serverFaults.takeSkewMark())
    }
    guard !serverFaults.rules.isEmpty else { return }
    for outgoing in outgoing {
      guard case let .response(response) = outgoing.message, response.request == number,
        response.status != "ok",
        let index = serverFaults.rules.firstIndex(where: {
          $0.rule.answer == response.status && request.touches($0.rule)
        })
      else { continue }
      takeEffect(serverFaults.rules.remove(at: index).mark)
    }
  }
}
