internal import ClientInterface
package import ReferenceServer
internal import Trace
internal import Tree
package import Wire

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

  mutating func fireAtServer(_ fault: Fault, _ origin: Origin) {
    switch fault {
    case let .deny(rule): deny(rule, origin)
    case let .revoke(path): revoke(path, origin)
    case let .revokeCredential(client): revokeCredential(of: client.number, origin)
    case let .restart(down, left): restart(down: down, left, origin)
    case let .serverSkew(interval):
      note(.fault(fault.text, nil), cause: origin.cause)
      if interval == .zero, serverFaults.skew != .zero { bite(origin.mark) }
      serverFaults.skew = interval
      serverFaults.skewMark = interval == .zero ? nil : origin.mark
    case let .staleHash(count, data):
      note(.fault(fault.text, nil), cause: origin.cause)
      server.refuseAsStale(next: count, data)
      serverFaults.staleMark = origin.mark
    default: break
    }
  }

  mutating func deny(_ rule: SecurityRule, _ origin: Origin) {
    note(.fault("deny \(rule.kinds) at \(rule.path)", nil), cause: origin.cause)
    server.deny(rule)
    if let mark = origin.mark { serverFaults.rules.append((rule, mark)) }
  }

  mutating func revoke(_ path: Path, _ origin: Origin) {
    let event = note(.fault("revoke \(path)", nil), cause: origin.cause)
    server.revoke(path, into: &outgoing)
    if !outgoing.isEmpty { bite(origin.mark) }
    transmit(cause: event)
  }

  mutating func revokeCredential(of index: Int, _ origin: Origin) {
    let text = "revoke the credential of \(names[index])"
    let event = note(.fault(text, nil), cause: origin.cause)
    if let number = participants[index].connectionNumber {
      server.revokeCredential(of: ReferenceServer.ConnectionID(number), into: &outgoing)
    }
    if !outgoing.isEmpty { bite(origin.mark) }
    transmit(cause: event)
  }

  /// Sets the marks of faults that changed what the server just did with a message.
  mutating func biteServerFaults(_ message: ClientMessage, staleBefore: Int) {
    if server.staleAnswers < staleBefore { bite(serverFaults.staleMark) }
    guard case let .request(number, request) = message else { return }
    if serverFaults.skewMark != nil, request.holdsTimestamp { bite(serverFaults.takeSkewMark()) }
    guard !serverFaults.rules.isEmpty else { return }
    for outgoing in outgoing {
      guard case let .response(response) = outgoing.message, response.request == number,
        response.status != "ok",
        let index = serverFaults.rules.firstIndex(where: {
          $0.rule.status == response.status && request.touches($0.rule)
        })
      else { continue }
      bite(serverFaults.rules.remove(at: index).mark)
    }
  }
}

extension Request {
  /// Whether the request is of a kind and at a place that the rule is about.
  package func touches(_ rule: SecurityRule) -> Bool {
    let places: [Path]
    let access: SecurityRule.Access
    switch self {
    case let .listen(listen): (places, access) = ([listen.path], .read)
    case let .get(path, _): (places, access) = ([path], .read)
    case let .put(path, _, _), let .onDisconnectPut(path, _): (places, access) = ([path], .write)
    case let .merge(path, assignments, _), let .onDisconnectMerge(path, assignments):
      (places, access) = ([path] + assignments.map { path.appending($0.path) }, .write)
    case .unlisten, .onDisconnectCancel, .stats, .authenticate, .unauthenticate: return false
    }
    return rule.deny.contains(access) && places.contains { $0.starts(with: rule.path) }
  }

  /// Whether the server fills in the time when it does what is asked.
  package var holdsTimestamp: Bool {
    switch self {
    case let .put(_, node, _): node.holdsTimestamp
    case let .merge(_, assignments, _): assignments.contains { $0.node.holdsTimestamp }
    default: false
    }
  }
}
