public import ClientInterface
public import Tree

// The questions that other code asks of an action. A new action answers them here.

/// What is done to the process of a client, to the network or at the server.
///
/// Only such actions can wait for a trigger.
public enum SystemAction: Sendable {
  case process(ProcessAction)
  case network(NetworkAction)
  case server(ServerAction)

  /// The client that it is about; `nil` for what is about none or all.
  public var client: String? {
    switch self {
    case let .process(action): action.client
    case let .network(action): action.client
    case let .server(action): action.client
    }
  }

  public var traits: Traits {
    switch self {
    case let .process(action): action.traits
    case let .network(action): action.traits
    case let .server(action): action.traits
    }
  }
}

extension Action {
  /// What an action is for.
  public enum Category: Hashable, Sendable {
    case call
    case system
    /// Several of these two at one instant.
    case group
    case delay
    /// The run settles, or is compared with what is expected.
    case observation
    /// The run itself is controlled.
    case control
  }

  public var category: Category {
    switch self {
    case .call: .call
    case .process, .network, .server: .system
    case .together: .group
    case .wait: .delay
    case .settle, .expect: .observation
    case .disarm: .control
    }
  }

  /// Whether clients or the system are acted on.
  public var isIntervention: Bool {
    switch category {
    case .call, .system, .group: true
    case .delay, .observation, .control: false
    }
  }

  /// Whether time passes in it, not counting that of an expectation behind it.
  public var passesTime: Bool {
    switch self {
    case .wait, .settle: true
    case .call, .process, .network, .server, .disarm, .together, .expect: false
    }
  }

  /// How long it keeps a run waiting at least.
  public var duration: Interval {
    switch self {
    case let .wait(interval): interval
    case let .server(.restart(down, _)): down
    case let .network(.lateClose(_, interval)): interval
    case let .together(steps): steps.reduce(.zero) { $0 + $1.duration }
    case .call, .process, .network, .server, .settle, .disarm, .expect: .zero
    }
  }

  /// One word for it and its like, so that all of a family can be left out at once.
  public var family: String {
    switch self {
    case let .call(call): call.operation.name
    case .process, .network, .server: system?.traits.family ?? ""
    case .wait: "wait"
    case .settle, .expect: "settle"
    case .disarm: "disarm"
    case .together: "together"
    }
  }
}

extension Action {
  /// The call that it makes; `nil` for all others.
  public var call: Call? {
    if case let .call(call) = self { call } else { nil }
  }

  /// What it does to the system; `nil` for all others.
  public var system: SystemAction? {
    switch self {
    case let .process(action): .process(action)
    case let .network(action): .network(action)
    case let .server(action): .server(action)
    case .call, .wait, .settle, .disarm, .together, .expect: nil
    }
  }

  /// The steps that happen together; `nil` for all others.
  public var members: [Step]? {
    if case let .together(steps) = self { steps } else { nil }
  }

  /// The client that does it or that it is done to; `nil` for what is about none or all.
  public var client: String? { call?.client ?? system?.client }

  /// The path that it is about; `nil` for what is about none.
  public var path: Path? {
    if case let .unlisten(_, path)? = call?.operation { return path }
    if case let .server(action)? = system { return action.path }
    return call?.operation.path
  }
}

extension Step {
  /// The step itself, or the steps that happen together in it.
  public var parts: [Step] { action.members ?? [self] }

  /// How long it keeps a run waiting at least, with what it waits for.
  public var duration: Interval {
    if case let .after(interval)? = trigger { return interval + action.duration }
    return action.duration
  }
}

extension Scenario {
  /// All that the steps do, in the order of the file, those of `together` one by one.
  public var actions: [Action] { steps.flatMap(\.parts).map(\.action) }

  /// All calls of clients, in the order of the file.
  public var calls: [Action.Call] { actions.compactMap(\.call) }
}
