public import ClientInterface
public import Faults
public import Tree

// The questions that other code asks of an action. A new action answers them here.

extension Action {
  /// What an action is for.
  public enum Category: Hashable, Sendable {
    case call
    case fault
    /// Several of these two at one instant.
    case group
    case delay
    /// The run settles, or is compared with what is expected.
    case observation
    /// The run itself is controlled.
    case control
  }

  /// What the action is for; always `group` for `together`, whatever its members are.
  public var category: Category {
    switch self {
    case .call: .call
    case .fault: .fault
    case .together: .group
    case .wait: .delay
    case .settle, .expect: .observation
    case .disarm: .control
    }
  }

  /// Whether clients or the system are acted on.
  public var isIntervention: Bool {
    switch category {
    case .call, .fault, .group: true
    case .delay, .observation, .control: false
    }
  }

  /// Whether time passes in it, not counting that of an expectation behind it.
  public var passesTime: Bool {
    switch self {
    case .wait, .settle: true
    case .call, .fault, .disarm, .together, .expect: false
    }
  }

  /// How long it keeps a run waiting at least.
  public var duration: Interval {
    switch self {
    case let .wait(interval): interval
    case let .fault(fault): fault.duration
    case let .together(steps): steps.reduce(.zero) { $0 + $1.duration }
    case .call, .settle, .disarm, .expect: .zero
    }
  }

  /// One word for it and its like, so that all of a family can be left out at once.
  public var family: String {
    switch self {
    case let .call(call): call.operation.name
    case let .fault(fault): fault.kind.family
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

  /// The fault that it is; `nil` for all others.
  public var fault: NamedFault? {
    if case let .fault(fault) = self { fault } else { nil }
  }

  /// The steps that happen together; `nil` for all others.
  public var members: [Step]? {
    if case let .together(steps) = self { steps } else { nil }
  }

  /// The client that does it or that it is done to; `nil` for what is about none or all.
  public var client: String? { call?.client ?? fault?.client }

  /// The path that it is about; `nil` for what is about none.
  public var path: Path? {
    if case let .unlisten(_, path)? = call?.operation { return path }
    return call?.operation.path ?? fault?.path
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
