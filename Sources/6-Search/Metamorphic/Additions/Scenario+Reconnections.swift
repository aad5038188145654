internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree

extension Scenario {
  /// With a reconnection of every client behind each expectation that waits for rest, and nothing
  /// to be learned of it.
  func withReconnections() throws(UnsupportedReason) -> Scenario {
    if let obstacle = delicateFault ?? obstacleToReconnection { throw UnsupportedReason(obstacle) }
    var changed = self
    changed.steps = []
    var state = ConnectionStates(clients)
    var count = 0
    for step in steps {
      changed.steps.append(step)
      for part in step.parts { state.follow(part.action) }
      guard let expectation = step.expectation, expectation.timing == .settled,
        !state.connected.isEmpty
      else { continue }
      changed.steps += reconnection(of: state.connected, behind: step, at: expectation)
      count += 1
    }
    if count == 0 { throw UnsupportedReason("no client is connected when nothing is under way") }
    return changed
  }

  private func reconnection(
    of clients: [String], behind step: Step, at expectation: Expectation
  ) -> [Step] {
    func added(_ text: String, _ action: Action) -> Step {
      Step(file: step.file, position: expectation.position, text: text, action: action)
    }
    var rest = added("expect: {}", .expect)
    rest.expectation = Expectation(position: expectation.position, timing: .settled)
    return clients.map { added("network.cut: \($0)", .fault(.cut($0))) }
      + clients.map { added("network.heal: \($0)", .fault(.heal($0))) } + [rest]
  }

  /// Why something may come of a lost connection although nothing is under way.
  private var obstacleToReconnection: String? {
    if tokens.values.contains(where: { $0.lifetime != nil }) {
      return "a token is worth something only for a time"
    }
    let nested = calls.flatMap(\.operation.nestedCalls).map(\.operation)
    if nested.contains(where: { $0.kind.family == .connection }) {
      return "a callback changes whether there is a connection"
    }
    for operation in calls.map(\.operation) + nested {
      if operation.name.hasPrefix("on-disconnect") {
        return "on-disconnect operations would be done"
      }
      if operation.path == ".info/connected" { return "it listens to .info/connected" }
    }
    for action in actions {
      if case let .fault(.reject(rule)) = action, rule.deny.contains(.read) {
        return "what may be read changes, which a new connection notices"
      }
      if case .fault(.revokeAuth) = action {
        return "a token is taken back, which a new connection notices"
      }
    }
    return nil
  }
}

/// Which clients are connected, as far as the steps so far determine it.
private struct ConnectionStates {
  private let clients: [String]
  private var isDown: Set<String> = []
  private var isOffline: Set<String> = []
  private var isKilled: Set<String> = []

  init(_ clients: [String]) {
    self.clients = clients
  }

  var connected: [String] {
    clients.filter { !isDown.contains($0) && !isOffline.contains($0) && !isKilled.contains($0) }
  }

  mutating func follow(_ action: Action) {
    guard let client = action.client else { return }
    if let isOnline = action.call?.operation.isOnline { isOffline.set(!isOnline, client) }
    if let access = action.fault?.kind.access { isDown.set(access != .up, client) }
    switch action.fault?.kind {
    case .kill:
      isKilled.insert(client)
      isOffline.remove(client)
    case .start: isKilled.remove(client)
    default: break
    }
  }
}

extension Set {
  fileprivate mutating func set(_ isMember: Bool, _ element: Element) {
    if isMember { insert(element) } else { remove(element) }
  }
}
