internal import ClientInterface
internal import Faults
internal import ReferenceServer
internal import Trace
internal import Tree
internal import Wire

/// What is wrong with the server, and the marks of it that wait for something to happen.
struct ServerTroubles: Sendable {
  var skewMark: Int?
  /// Until when nobody can connect.
  var down: (until: Instant, mark: Int)?
  var staleMark: Int?
  /// How many conditional writes had been refused as stale when this was looked at.
  var staleRefusals = 0
  /// The rules that have refused nothing yet.
  var rules: [(rule: SecurityRule, mark: Int)] = []

  mutating func takeSkewMark() -> Int? {
    defer { skewMark = nil }
    return skewMark
  }
}

// Of the server there is one for each namespace: what affects it affects all of them.

extension FaultyServer {
  mutating func fireAtServer(
    _ fault: IndexedFault, _ mark: Int, _ now: Instant, _ effects: inout [Effect]
  ) {
    note(Self.words(for: fault), fault.client, into: &effects)
    switch fault {
    case let .reject(rule): deny(rule, mark, now, &effects)
    case let .revoke(path):
      everywhere(mark, now, &effects) { $0.revoke(path, into: &$1) }
    case let .revokeAuth(client):
      let own = lines.keys.sorted().filter { lines[$0]?.client == client.number }
      everywhere(mark, now, &effects) { server, out in
        for number in own { server.revokeCredential(of: .init(number), into: &out) }
      }
    case let .restart(down, left): restart(down, left, mark, now, &effects)
    case let .serverClock(interval):
      if interval == .zero, server.skew != .zero { takeEffect(mark) }
      server.skew = interval
      troubles.skewMark = interval == .zero ? nil : mark
    case let .stale(count, data):
      server.staleness = count > 0 ? (count, data) : nil
      everywhere(nil, now, &effects) { server, _ in server.refuseAsStale(next: count, data) }
      troubles.staleMark = mark
    case let .write(write):
      takeEffect(mark)
      let time = now + server.skew
      everywhere(nil, now, &effects) { $0.write(ReferenceServer.Write(write), at: time, into: &$1) }
    default: break
    }
  }

  private static func words(for fault: IndexedFault) -> String {
    switch fault {
    case .revokeAuth: "revoke the credential"
    case let .write(write): "somebody else writes \(write.path)"
    default: fault.text
    }
  }

  /// Lets every namespace do something; the fault takes effect when somebody is told.
  private mutating func everywhere(
    _ mark: Int?, _ now: Instant, _ effects: inout [Effect],
    _ body: (inout ReferenceServer, inout [ReferenceServer.Outgoing]) -> Void
  ) {
    var isReceived = false
    act(now, &effects) { isReceived = $0.everywhere(into: &$1, body) }
    if isReceived { takeEffect(mark) }
  }

  private mutating func deny(
    _ rule: SecurityRule, _ mark: Int, _ now: Instant, _ effects: inout [Effect]
  ) {
    server.settings.security.append(rule)
    everywhere(nil, now, &effects) { server, _ in server.deny(rule) }
    troubles.rules.append((rule, mark))
  }

  private mutating func restart(
    _ down: Interval, _ left: OnDisconnectFate, _ mark: Int, _ now: Instant,
    _ effects: inout [Effect]
  ) {
    troubles.down = (now + down, mark)
    if !lines.isEmpty { takeEffect(mark) }
    if breakRequests(of: nil, &effects) { takeEffect(mark) }
    for number in lines.keys.sorted() {
      guard let line = lines[number] else { continue }
      // One whose connection is half-open does not learn of it.
      if line.isDead, !line.isGone {
        keepStaleSocket(number)
      } else {
        server.abandon(number, into: &effects)
      }
    }
    act(now, &effects) { $0.restart(left, at: now, into: &$1) }
  }

  /// Sets the marks of faults because of which a request was answered as it was.
  mutating func judge(_ request: Request, _ response: ServerMessage.Response) {
    if troubles.skewMark != nil, request.holdsTimestamp { skewTakesEffect() }
    guard response.status != "ok", !troubles.rules.isEmpty else { return }
    let index = troubles.rules.firstIndex {
      $0.rule.answer == response.status && request.touches($0.rule)
    }
    if let index { takeEffect(troubles.rules.remove(at: index).mark) }
  }

  mutating func skewTakesEffect() { takeEffect(troubles.takeSkewMark()) }
}
