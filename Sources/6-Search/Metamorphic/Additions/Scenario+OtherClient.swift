internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree

extension Scenario {
  /// With one more client. Where nothing can disturb that, it listens at a location of its own.
  func withOtherClient() throws(UnsupportedReason) -> Scenario {
    var changed = self
    let name = unusedName(like: "bystander")
    changed.clients.append(name)
    if obstacleToListening == nil { changed.beginByListening([name]) }
    return changed
  }

  /// With one more listener of each client, at a location where nothing ever is.
  func withOtherListener() throws(UnsupportedReason) -> Scenario {
    if let obstacle = delicateFault ?? obstacleToListening { throw UnsupportedReason(obstacle) }
    if countsListens, losesConnections {
      throw UnsupportedReason("it counts the listens that are sent after a reconnection")
    }
    var changed = self
    changed.beginByListening(clients)
    return changed
  }

  /// Why a listener at a location where nothing is may receive something, or change when things
  /// happen.
  private var obstacleToListening: String? {
    if judging == .invariants { return "it expects no events, and is judged by invariants" }
    if start == .opening { return "its steps begin before any connection is up" }
    if tokens.values.contains(where: { $0.lifetime != nil }) {
      return "a token is worth something only for a time"
    }
    if databaseRules != nil { return "the rules of the database are not for it" }
    let touchesRoot = actions.contains {
      if case let .fault(.reject(rule)) = $0 {
        return rule.path.isRoot && rule.deny.contains(.read)
      }
      return if case let .fault(.revoke(path)) = $0 { path.isRoot } else { false }
    }
    let isClosed = security.contains { $0.path.isRoot && $0.deny.contains(.read) }
    return touchesRoot || isClosed ? "the server refuses to let the root be read" : nil
  }

  private var countsListens: Bool {
    expectations.contains { $0.frames.contains { ["listen", "unlisten"].contains($0.kind) } }
  }

  /// Whether a connection ends, so that what is listened to is sent again.
  private var losesConnections: Bool {
    actions.contains {
      guard let kind = $0.fault?.kind else { return $0.call?.operation == .goOffline }
      return kind.group == .process || [.cut, .drop, .revokeAuth].contains(kind)
    }
  }

  /// Puts in front that these clients listen where nothing is, and receive that.
  private mutating func beginByListening(_ clients: [String]) {
    guard let first = steps.first else { return }
    let path = Path([Key(unusedName(like: "bystander-place"))])
    let label = unusedName(like: "bystander-listener")
    var opening: [Step] = clients.map { client in
      let target = ClientInterface.Operation.Target(path)
      return Step(
        file: first.file, position: first.position, text: "\(client) listens at \(path)",
        action: .call(client, label, .listen(ListenerID(label), target, [.value])))
    }
    var expectation = Expectation(position: first.position, timing: .settled)
    expectation.listeners = clients.map { client in
      let event = ExpectedEvent(
        position: first.position, kind: .event(.value), value: .exactly(.null))
      return ListenerExpectation(
        client: client, listener: ListenerID(label), position: first.position,
        items: [.event(event)])
    }
    opening[opening.count - 1].expectation = expectation
    steps = opening + steps
  }
}
