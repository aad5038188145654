public import ClientInterface
public import Faults
public import Tree

/// What a step does.
public enum Action: Sendable {
  /// A client is called.
  case call(Call)
  /// Something affects a client, the network or the server.
  case fault(NamedFault)
  /// Time passes.
  case wait(Interval)
  /// Time passes until nothing is left to do.
  case settle
  /// Whatever waits for something and has not happened so far never does.
  case disarm
  /// The steps happen at one instant, in any order. None of them lets time pass or has an
  /// expectation.
  case together([Step])
  /// Nothing: the step is only its expectation.
  case expect

  /// Makes what a fault does the action of a step.
  public init(_ fault: NamedFault) { self = .fault(fault) }

  /// One call of a client.
  public struct Call: Sendable {
    /// The name of the client that is called, as in `Scenario.clients`.
    public var client: String
    /// The label, for a listen or once the listener's name too; `#1`, `#2`, … for other calls
    /// without a label, counted for each client.
    public var id: CallID
    /// Whether the file names the call. An unnamed call must succeed, and its success is not
    /// listed; the outcome of a named one must be.
    public var isNamed: Bool
    /// What the client is asked to do, with all arguments.
    public var operation: ClientInterface.Operation

    /// Creates a call; that the client exists and the id is unique is not checked here.
    public init(
      client: String, id: CallID, isNamed: Bool, operation: ClientInterface.Operation
    ) {
      self.client = client
      self.id = id
      self.isNamed = isNamed
      self.operation = operation
    }
  }
}

// MARK: - The questions that other code asks of an action. A new action answers them here

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

  /// The steps that happen together; `nil` for all others, which setting it leaves as they are.
  public var members: [Step]? {
    get { if case let .together(steps) = self { steps } else { nil } }
    set { if members != nil, let newValue { self = .together(newValue) } }
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

// MARK: - Steps with something else in them

extension Action {
  /// The action with another call or fault in place of its own; every other one as it is.
  public func map(
    call: (Call) -> Call = { $0 }, fault: (NamedFault) -> NamedFault = { $0 }
  ) -> Action {
    switch self {
    case let .call(own): .call(call(own))
    case let .fault(own): .fault(fault(own))
    case .wait, .settle, .disarm, .together, .expect: self
    }
  }
}

extension Step {
  /// What `change` makes of the step, or of each of the steps that happen together in it.
  public func mapParts(_ change: (Step) -> Step) -> Step {
    guard let members = action.members else { return change(self) }
    var copy = self
    copy.action = .together(members.map(change))
    return copy
  }

  /// The step with another call or fault in place of its own, those that happen together included.
  public func mapActions(
    call: (Action.Call) -> Action.Call = { $0 }, fault: (NamedFault) -> NamedFault = { $0 }
  ) -> Step {
    mapParts { step in
      var copy = step
      copy.action = step.action.map(call: call, fault: fault)
      return copy
    }
  }
}

// Keys that a scenario cannot know, such as those of pushes: a `$bind` of an expectation names one,
// and `$ref(NAME)` stands for it in the paths of later calls.

extension Key {
  /// The name in `$ref(NAME)`; `nil` for other keys. No key of the database contains a `$` (KEY-1).
  public var referredName: String? {
    guard string.hasPrefix("$ref("), string.hasSuffix(")") else { return nil }
    return String(string.dropFirst(5).dropLast())
  }
}

extension Action.Call {
  /// The call with the keys that have been named in place of `$ref(NAME)` in its paths. A name without
  /// a key stays.
  public func resolved(by bindings: Bindings) -> Action.Call {
    if bindings.values.isEmpty { return self }
    var call = self
    call.operation = operation.mapArguments { given in
      given.path = given.path?.resolved(by: bindings)
      switch given.inspection?.subject {
      case let .reference(path)?:
        given.inspection?.subject = .reference(path.resolved(by: bindings))
      case let .query(path, steps)?:
        given.inspection?.subject = .query(path.resolved(by: bindings), steps: steps)
      case .address?, .snapshot?, .completion?, .mutableData?, nil: break
      }
    }
    return call
  }
}

extension Path {
  fileprivate func resolved(by bindings: Bindings) -> Path {
    guard keys.contains(where: { $0.referredName != nil }) else { return self }
    return Path(
      keys.map { key in
        guard let name = key.referredName, case let .string(text)? = bindings.values[name]?.scalar
        else { return key }
        return Key(text.string)
      })
  }
}
