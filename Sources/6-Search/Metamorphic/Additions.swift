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

extension Scenario {
  /// With a second listener beside each, which is registered and removed with it and receives the
  /// same.
  func withTwinListeners() throws(UnsupportedReason) -> Scenario {
    if let delicateFault { throw UnsupportedReason(delicateFault) }
    if calls.flatMap(\.operation.nestedCalls).contains(where: { $0.operation.removesListeners }) {
      throw UnsupportedReason("a callback removes a listener, whose twin it does not know")
    }
    var twins = TwinListeners()
    for call in calls { twins.add(call) }
    guard !twins.isEmpty else { throw UnsupportedReason("nothing is listened to") }
    var changed = self
    changed.steps = steps.flatMap { twins.steps(of: $0) }
    return changed
  }
}

extension ClientInterface.Operation {
  fileprivate var removesListeners: Bool {
    switch listenerChange {
    case .removes, .removesAll: true
    case .registers, nil: false
    }
  }
}

/// The second listeners of a scenario.
private struct TwinListeners {
  private var labels: Set<Label> = []

  private struct Label: Hashable {
    var client: String
    var name: String
  }

  var isEmpty: Bool { labels.isEmpty }

  mutating func add(_ call: Action.Call) {
    guard case let .listen(id, _, _) = call.operation else { return }
    labels.insert(Label(client: call.client, name: id.name))
  }

  /// No label of a file contains an apostrophe.
  private func twin(of name: String, _ client: String) -> String? {
    labels.contains(Label(client: client, name: name)) ? name + "'" : nil
  }

  /// The step, with the same for the second listener behind it.
  func steps(of step: Step) -> [Step] {
    var step = step
    let expectation = step.expectation.map(expectation)
    step.action.members = step.action.members?.flatMap { self.steps(of: $0) }
    guard case let .call(call) = step.action, let twin = twin(of: call) else {
      step.expectation = expectation
      return [step]
    }
    step.expectation = nil
    var second = step
    second.action = .call(twin)
    second.expectation = expectation
    return [step, second]
  }

  private func twin(of call: Action.Call) -> Action.Call? {
    switch call.operation.listenerChange {
    case let .registers(new) where !new.isOnce: break
    case let .removes(id, _) where twin(of: id.name, call.client) != nil: break
    case .registers, .removes, .removesAll, nil: return nil
    }
    var second = renaming.call(call)
    second.id = CallID(call.id.name + "'")
    return second
  }

  /// Names the second listeners in place of the first ones.
  private var renaming: ScenarioRenaming {
    var renaming = ScenarioRenaming()
    renaming.label = { twin(of: $0, $1) ?? $0 }
    return renaming
  }

  private func expectation(_ expectation: Expectation) -> Expectation {
    let second = renaming.expectation(expectation)
    var doubled = expectation
    doubled.listeners = zip(expectation.listeners, second.listeners).flatMap {
      $0.listener == $1.listener ? [$0] : [$0, $1]
    }
    doubled.outcomes = zip(expectation.outcomes, second.outcomes).flatMap {
      $0.call == $1.call ? [$0] : [$0, $1]
    }
    doubled.alternatives = expectation.alternatives.map(self.expectation)
    return doubled
  }
}

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

extension Scenario {
  /// Why a message or a connection more could be noticed by a fault, or `nil`.
  var delicateFault: String? {
    if steps.flatMap(\.parts).contains(where: { $0.trigger != nil }) {
      return "a fault waits for something"
    }
    let dependsOnTraffic = actions.contains {
      $0.fault?.kind.traits.contains(.dependsOnTraffic) ?? false
    }
    return dependsOnTraffic ? "a fault counts messages or connections" : nil
  }

  /// All expectations and alternatives of them.
  var expectations: [Expectation] {
    steps.compactMap(\.expectation).flatMap { $0.alternatives.isEmpty ? [$0] : $0.alternatives }
  }

  /// Whether lists are compared where lists are not the same as mappings.
  var showsLists: Bool {
    let inspects = calls.contains { if case .inspect = $0.operation { true } else { false } }
    return inspects
      || expectations.contains { expectation in
        expectation.outcomes.contains { $0.outcome.inputs?.contains { $0.hasList } ?? false }
      }
  }

  /// A name that no client has and none of its listeners and calls.
  func unusedName(like name: String) -> String {
    let used = Set(clients).union(calls.map(\.id.name))
    let names = [name] + (2...used.count + 2).map { "\(name)-\($0)" }
    return names.first { !used.contains($0) } ?? name
  }
}

extension Action {
  static func call(_ client: String, _ id: String, _ operation: ClientInterface.Operation) -> Action
  {
    .call(.init(client: client, id: CallID(id), isNamed: false, operation: operation))
  }
}
