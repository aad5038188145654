internal import ClientInterface
internal import ReferenceServer
public import Scenario
public import Simulator
internal import Trace
internal import Tree
internal import Wire

// What the steps of a scenario are to the simulator.

/// The faults that a step consists of, and what they wait for.
public struct StepFaults: Hashable, Sendable {
  /// Empty where the step is none; one that concerns every client is one for each.
  public var faults: [Fault]
  /// `nil` for at once.
  public var trigger: Trigger?

  /// What a step is for clients with these names; faults call each by its place among them.
  public init(_ step: Step, of clients: [String]) {
    self.init(step, Registry(clients: clients))
  }

  init(_ step: Step, _ registry: Registry) {
    faults = step.action.faults(registry)
    trigger = step.trigger?.waiting(registry)
  }
}

extension Action {
  /// The faults that the action consists of; empty where it is none. One that concerns every client
  /// is one for each.
  func faults(_ clients: Registry) -> [Fault] {
    switch system {
    case let .process(action):
      clients.index(of: action.client).map { [action.fault(of: $0)] } ?? []
    case let .network(action): action.fault(clients).map { [$0] } ?? []
    case let .server(action): action.faults(clients)
    case nil: []
    }
  }
}

extension ProcessAction {
  fileprivate func fault(of client: ClientIndex) -> Fault {
    switch self {
    case .kill: .kill(client)
    case let .start(_, storage): .start(client, storage.condition)
    case let .clock(_, .skew(interval)): .skew(client, interval)
    case let .clock(_, .jump(interval)): .jump(client, interval)
    case let .clock(_, .drift(interval)):
      .drift(client, .init(gain: Int(interval.nanoseconds / 1000), per: 1_000_000))
    case let .storage(_, .writes(count)): .writeError(client, count: count)
    case .storage(_, .torn): .tornRecord(client)
    case let .storage(_, .full(bytes)): .storageFull(client, bytes: bytes)
    case .storage(_, .sound): .storageWorks(client)
    }
  }
}

extension ProcessAction.Storage {
  fileprivate var condition: StorageCondition {
    switch self {
    case .kept: .kept
    case .lost: .lost
    case .rolledBack: .rolledBack
    }
  }
}

extension NetworkAction {
  fileprivate func fault(_ clients: Registry) -> Fault? {
    if case let .latency(range, nil) = self { return .latency(Latency(range), nil) }
    guard let name = self.client, let client = clients.index(of: name) else { return nil }
    return switch self {
    case .cut: .cut(client)
    case .drop: .drop(client)
    case .heal: .heal(client)
    case .refuse: .refuse(client)
    case let .latency(range, _): .latency(Latency(range), client)
    case let .stall(_, direction): .stall(client, direction.flow)
    case let .resume(_, direction): .resume(client, direction.flow)
    case let .halfOpen(_, notices): .halfOpen(client, notices: notices.side)
    case let .closeAfter(_, count, direction):
      .closeAfter(client, messages: count, direction.flow)
    case .loseAcknowledgement: .lostAcknowledgement(client)
    case let .lateClose(_, interval): .lateClose(client, after: interval)
    }
  }
}

extension NetworkAction.Direction {
  fileprivate var flow: Fault.Flow {
    switch self {
    case .toServer: .toServer
    case .toClient: .toClient
    case .both: .both
    }
  }
}

extension NetworkAction.Notice {
  fileprivate var side: Fault.Side {
    switch self {
    case .nobody: .nobody
    case .client: .client
    case .server: .server
    }
  }
}

extension ServerAction {
  fileprivate func faults(_ clients: Registry) -> [Fault] {
    let addressed = client.map { clients.index(of: $0).map { [$0] } ?? [] }
    let everyone = clients.clients.indices.map { ClientIndex($0) }
    return switch self {
    case let .set(path, node): [.write(.put(path, node))]
    case let .update(path, assignments): [.write(.merge(path, assignments))]
    case let .remove(path): [.write(.put(path, .empty))]
    case let .reject(restriction): [.deny(SecurityRule(restriction))]
    case let .revoke(path): [.revoke(path)]
    case .revokeCredential: (addressed ?? []).map { .revokeCredential($0) }
    case let .restart(down, operations):
      [.restart(down: down, operations == .done ? .carriedOut : .lost)]
    case let .redirect(_, host): (addressed ?? everyone).map { .redirect($0, host: host) }
    case .shutdown: (addressed ?? everyone).map { .shutdown($0, reason: "server_kill") }
    case let .clock(skew): [.serverSkew(skew)]
    case let .stale(count, data): [.staleHash(count: count, data == .sent ? .sent : .withheld)]
    }
  }
}

extension Step.Trigger {
  /// What the simulator waits for.
  func waiting(_ clients: Registry) -> Trigger? {
    switch self {
    case let .after(interval): return .after(interval)
    case let .messages(count, direction, client):
      return clients.index(of: client).map { .count(count, $0, direction.flow) }
    case let .frame(frame):
      guard let kind = frame.simulated else { return nil }
      let client = frame.client.flatMap { clients.index(of: $0) }
      return .message(kind, of: client, nth: frame.count, frame.edge == .before ? .before : .after)
    }
  }
}

extension Step.Trigger.Frame {
  fileprivate var simulated: Trigger.Frame? {
    switch kind {
    case "hello": .hello
    case "data": .data
    case "answer": .answer(nil)
    case "acknowledgement": .acknowledgement
    case "revoke": .revoked
    case "revoke-auth": .credentialRevoked
    case "redirect": .reset
    case "shutdown": .shutdown
    default: Request.Action(rawValue: kind).map { .request($0) }
    }
  }
}
