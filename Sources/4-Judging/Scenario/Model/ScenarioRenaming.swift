public import ClientInterface
internal import Faults
public import Tree
internal import Wire

/// Other names for what a scenario names, each wherever it stands: clients, labels and keys of the
/// tree.
///
/// It is the one way to give a scenario other names: for what is made small, for changes that must
/// not matter, and for what is moved elsewhere. What is not replaced stays.
public struct ScenarioRenaming {
  /// Replaces the name of a client.
  public var client: (String) -> String = { $0 }
  /// Replaces the label of a listener or of a call, given with the old name of its client.
  public var label: (String, _ client: String) -> String = { label, _ in label }
  /// Replaces a key that stands so many keys below the root; `nil` leaves all keys as they are. What
  /// cannot be a key is there to be refused, and stays.
  public var key: ((Key, _ depth: Int) -> Key)?
  /// The location of what was at the root.
  public var prefix = Path.root
  /// How many keys all locations lose at their beginning.
  public var dropped = 0
  /// Replaces the argument of a transaction's function; `nil` has it renamed like a value that is
  /// written.
  public var argument: ((JSON) -> JSON)?
  /// Replaces what a client is asked about its own data.
  public var inspection: (Inspection) -> Inspection = { $0 }
  /// Replaces what something that is expected must look like.
  public var pattern: (Pattern, ExpectedContent) -> Pattern = { pattern, _ in pattern }
  /// Is shown each location that is named or where a value is written, with the one that it becomes.
  public var onMove: ((Path, _ moved: Path) -> Void)?

  /// Creates a renaming that replaces nothing.
  public init() {}

  /// What a pattern of an expectation is about.
  public enum ExpectedContent: Hashable, Sendable {
    /// The server's whole tree.
    case tree
    /// A value that listeners or functions of transactions are given.
    case value
    /// The name of a child.
    case key
    /// The answer to an inspection, a call of a client.
    case answer(client: String, CallID)
  }

  /// The scenario with other names.
  public func callAsFunction(_ scenario: Scenario) -> Scenario {
    var copy = scenario
    copy.clients = scenario.clients.map(client)
    copy.latency.overrides = scenario.latency.overrides.map {
      .init(client: client($0.client), range: $0.range)
    }
    copy.persistence = Dictionary(
      scenario.persistence.map { (client($0.key), $0.value) },
      uniquingKeysWith: { first, _ in first })
    copy.choices = scenario.choices?.map(choice)
    copy.data = whole(scenario.data)
    for index in copy.security.indices {
      copy.security[index].path = path(scenario.security[index].path)
    }
    copy.steps = scenario.steps.map(step)
    return copy
  }

  private func choice(_ choice: Scenario.Choice) -> Scenario.Choice {
    switch choice {
    case .seed, .order: choice
    case let .message(number, direction, name, late):
      .message(number, direction, client: client(name), late: late)
    case let .connection(number, name, late): .connection(number, client: client(name), late: late)
    case let .form(number, name, form): .form(number, client: client(name), form)
    }
  }
}

extension Scenario {
  /// Is shown every key that the scenario names, also several times, with the number of keys above it.
  package func visitKeys(_ visit: (Key, _ depth: Int) -> Void) {
    withoutActuallyEscaping(visit) { visit in
      var renaming = ScenarioRenaming()
      renaming.key = { key, depth in
        visit(key, depth)
        return key
      }
      _ = renaming(self)
    }
  }
}

// Steps.

extension ScenarioRenaming {
  private func step(_ step: Step) -> Step {
    var copy = step.mapParts(part)
    copy.expectation = step.expectation.map(expectation)
    return copy
  }

  private func part(_ step: Step) -> Step {
    var copy = step
    copy.action = step.action.map(call: call) {
      $0.mapping(client: client).mapping(path: path, write: write)
    }
    switch step.trigger {
    case var .frame(frame)?:
      frame.client = frame.client.map(client)
      copy.trigger = .frame(frame)
    case let .messages(count, direction, name)?:
      copy.trigger = .messages(count, direction, client: client(name))
    case .after?, nil: break
    }
    return copy
  }

  private func write(_ write: ServerWrite) -> ServerWrite {
    switch write {
    case let .set(path, node): .set(self.path(path), self.node(node, at: path))
    case let .update(path, parts): .update(self.path(path), assignments(parts, at: path))
    case let .remove(path): .remove(self.path(path))
    }
  }

  /// The call with other names.
  public func call(_ call: Action.Call) -> Action.Call {
    var copy = call
    copy.client = client(call.client)
    copy.id = CallID(label(call.id.name, call.client))
    copy.operation = call.operation.mapArguments { given in
      renameLabels(in: &given, of: call.client)
      let location = given.path ?? .root
      given.path = given.path.map(path)
      given.query = given.query.map { query($0, depth: location.count) }
      // What is pushed stands below a key that the client makes.
      let depth = location.count + (call.operation.kind == .push ? 1 : 0)
      given.value = given.value.map { node($0, at: location, depth: depth) }
      given.changes = given.changes.map { assignments($0, at: location) }
      given.function = given.function?.mapValues { argument($0, at: location) }
      given.inspection = given.inspection.map(inspection)
    }
    return copy
  }

  private func renameLabels(
    in given: inout ClientInterface.Operation.Arguments, of client: String
  ) {
    given.listener = given.listener.map { ListenerID(label($0.name, client)) }
    if let subject = given.inspection?.subject, let name = subject.name {
      given.inspection?.subject = subject.renamed(label(name, client))
    }
    guard var reaction = given.reaction else { return }
    reaction.callback = reaction.callback.renamed(label(reaction.callback.name, client))
    for index in reaction.calls.indices {
      reaction.calls[index].id = CallID(label(reaction.calls[index].id.name, client))
    }
    given.reaction = reaction
  }
}

// Locations and what is there.

extension ScenarioRenaming {
  /// What becomes of a location of the tree. Those of `.info` stay where they are.
  public func path(_ path: Path) -> Path {
    if path.keys.first == .info { return path }
    let moved = prefix.appending(relative(path).dropFirst(dropped))
    onMove?(path, moved)
    return moved
  }

  /// A way from a location that stands so many keys below the root to another one below it.
  public func relative(_ path: Path, depth: Int = 0) -> Path {
    Path(path.keys.enumerated().map { name(of: $0.element, depth + $0.offset) })
  }

  private func name(of key: Key, _ depth: Int) -> Key {
    key.problem == nil ? self.key?(key, depth) ?? key : key
  }

  /// The server's whole tree.
  private func whole(_ node: Node) -> Node {
    var tree = self.node(node, at: .root)
    for _ in 0..<dropped { tree = tree.children.first { _ in true }?.node ?? .empty }
    return prefix.isRoot ? tree : Node.empty.setting(tree, at: prefix)
  }

  /// A value that is written at a location, so many keys below the root.
  private func node(_ node: Node, at location: Path, depth given: Int? = nil) -> Node {
    let depth = given ?? location.count
    if node.children.isEmpty {
      if onMove != nil { _ = path(location) }
      return node
    }
    let children = node.children.map { child in
      let below = location.appending(child.key)
      return (name(of: child.key, depth), self.node(child.node, at: below, depth: depth + 1))
    }
    return Node(Children(children), priority: node.priority)
  }

  private func assignments(_ parts: [Assignment], at location: Path) -> [Assignment] {
    parts.map { part in
      Assignment(
        relative(part.path, depth: location.count),
        node(part.node, at: location.appending(part.path)))
    }
  }

  private func argument(_ json: JSON, at location: Path) -> JSON {
    if let argument { return argument(json) }
    return key == nil || json.members == nil ? json : node(Node(json: json), at: location).json
  }

  private func query(_ query: Query, depth: Int) -> Query {
    var copy = query
    if case let .child(path) = query.ordering {
      copy.ordering = .child(relative(path, depth: depth + 1))
    }
    copy.start = query.start.map { bound($0, query.ordering, depth) }
    copy.end = query.end.map { bound($0, query.ordering, depth) }
    return copy
  }

  /// Ranges by key hold keys; all others hold values.
  private func bound(_ bound: Query.Bound, _ ordering: Query.Ordering, _ depth: Int) -> Query.Bound
  {
    var copy = bound
    copy.key = bound.key.map { name(of: $0, depth) }
    if ordering == .key, case let .string(text)? = bound.value {
      copy.value = .string(name(of: Key(text.string), depth).text)
    }
    return copy
  }
}

// What is expected.

extension ScenarioRenaming {
  /// The expectation with other names.
  public func expectation(_ expectation: Expectation) -> Expectation {
    var copy = expectation
    copy.server = expectation.server.map { pattern($0, .tree) }
    copy.listeners = expectation.listeners.map(listener)
    copy.outcomes = expectation.outcomes.map(outcome)
    for index in copy.frames.indices {
      copy.frames[index].client = client(expectation.frames[index].client)
    }
    for index in copy.order.indices {
      copy.order[index].first = moment(expectation.order[index].first)
      copy.order[index].second = moment(expectation.order[index].second)
    }
    copy.alternatives = expectation.alternatives.map(self.expectation)
    return copy
  }

  private func moment(_ moment: OrderConstraint.Moment) -> OrderConstraint.Moment {
    .init(
      client: client(moment.client), label: label(moment.label, moment.client),
      index: moment.index)
  }

  private func listener(_ expectation: ListenerExpectation) -> ListenerExpectation {
    var copy = expectation
    copy.client = client(expectation.client)
    copy.listener = ListenerID(label(expectation.listener.name, expectation.client))
    copy.items = expectation.items.map { item in
      switch item {
      case let .event(event): .event(self.event(event))
      case let .unordered(events): .unordered(events.map(event))
      }
    }
    return copy
  }

  private func event(_ event: ExpectedEvent) -> ExpectedEvent {
    var copy = event
    copy.key = event.key.map { pattern($0, .key) }
    copy.value = event.value.map { pattern($0, .value) }
    if case let .key(previous) = event.previous { copy.previous = .key(pattern(previous, .key)) }
    return copy
  }

  private func outcome(_ expectation: OutcomeExpectation) -> OutcomeExpectation {
    var copy = expectation
    copy.client = client(expectation.client)
    copy.call = CallID(label(expectation.call.name, expectation.client))
    copy.outcome.key = expectation.outcome.key.map { pattern($0, .key) }
    copy.outcome.inputs = expectation.outcome.inputs?.map { pattern($0, .value) }
    switch expectation.outcome.end {
    case let .committed(value?): copy.outcome.end = .committed(pattern(value, .value))
    case let .notCommitted(value?): copy.outcome.end = .notCommitted(pattern(value, .value))
    case let .answered(answer):
      let content = ExpectedContent.answer(client: expectation.client, expectation.call)
      copy.outcome.end = .answered(pattern(answer, content))
    case .ok, .error, .threw, .committed(nil), .notCommitted(nil), nil: break
    }
    return copy
  }
}
