public import ClientInterface
public import Document
public import Faults
public import ReferenceServer
public import Tree
public import Wire

/// One scenario: what is set up, what is done, and all that may be observed.
///
/// A file with a matrix gives one scenario for each combination of its parameters. Scenarios come
/// out of `ScenarioReader` checked: every client, listener and call that is named exists.
public struct Scenario: Sendable {
  /// The path below `Scenarios/` without its suffix, then the parameters: `writes/merge[root=/]`.
  public var id: String
  /// The path under which the file was read.
  public var file: String
  /// What the scenario shows, as a sentence, for reports and for the documentation.
  public var title: String
  /// Who suffers when this fails. Empty when the file does not state it.
  public var why = ""
  /// The rules that the scenario is evidence for, as its file cites them; empty for none.
  public var rules: [Citation] = []
  /// The profiles it holds for: those that it names, or every one.
  public var profiles = Profile.all
  /// Capabilities without which a client cannot be judged.
  public var needs: [String] = []
  /// The words by which `ScenarioSelection` finds the scenario, in the order of the file.
  public var tags: [String] = []
  /// In the order of the file, which is also the order in which they are opened.
  public var clients: [String]
  /// Whether the clients are connected before the first step.
  public var start = Start.connected
  /// How long messages travel between each client and the server; 10 ms one way by default.
  public var latency = Latency()
  /// How long nothing may be due for the simulation to count as settled.
  public var quiet = Interval.seconds(2)
  /// The server's tree at the start.
  public var data = Node.empty
  /// What the server denies from the start, those of included fragments too; empty for nothing.
  public var security: [SecurityRule] = []
  /// The rules of the database, in their own language (SEC-1); `nil` for none.
  public var databaseRules: SecurityRules?
  /// With what clients can sign in, by the token.
  public var tokens: [String: Token] = [:]
  /// Whether the run is judged by expectations and invariants, or by invariants alone.
  public var judging = Judging.expectations
  /// Why the expectations hold only in the order that time gives; `nil` when they hold in any.
  public var fixedOrder: String?
  /// The invariants that are not judged.
  public var without: [Exception] = []
  /// What becomes of the choices that the steps leave open; those that are missing are benign.
  /// `nil` draws them from the seed.
  public var choices: [Choice]?
  /// In which form the server words everything that it conveys; `nil` for what `choices` say.
  public var form: WireForm?
  /// What clients keep over the end of their processes; those that are missing keep nothing.
  public var persistence: [String: ClientInput.Persistence] = [:]
  /// Ends with an expectation that settles: the reader adds an empty one where the file has none.
  /// Without any expectation when only invariants are judged.
  public var steps: [Step] = []
  /// What the hunt that found it knows; `nil` for any other scenario.
  public var find: Find?
  /// The values of the matrix, in its order. Empty without a matrix.
  public var parameters: [Parameter] = []

  /// Creates a scenario without steps or data, for every profile, in which all else has its
  /// default.
  public init(id: String, file: String, title: String, clients: [String]) {
    self.id = id
    self.file = file
    self.title = title
    self.clients = clients
  }

  /// By what runs are judged.
  public enum Judging: String, CaseIterable, Sendable {
    /// By what the steps expect, and by the invariants.
    case expectations
    /// By the invariants alone, and by whether the run settles: for stories of which no one
    /// has written down the outcome.
    case invariants
  }

  /// Where the steps begin.
  public enum Start: String, CaseIterable, Sendable {
    /// When every client is connected and nothing is left to do.
    case connected
    /// At the instant the clients are opened, before any connection is up.
    case opening
  }

  /// A rule that the scenario is evidence for.
  public struct Citation: Hashable, Sendable {
    /// Such as `EVT-7`. The form is checked, and that the rule exists if the reader could ask.
    public var id: String
    /// Where the scenario's file cites the rule.
    public var position: Position
    /// How binding the rule is; MUST where the reader could not ask.
    public var level: Rule.Level
    /// The profiles in which a MUST is SHOULD.
    public var advisedIn: [String] = []
    /// Whom the rule binds; clients where the reader could not ask.
    public var binds: Rule.Party

    /// Creates a citation; neither the form of the id nor the rule's existence is checked here.
    public init(
      id: String, position: Position, level: Rule.Level = .must, binds: Rule.Party = .client
    ) {
      self.id = id
      self.position = position
      self.level = level
      self.binds = binds
    }

    /// Whether a client of `profile` that does otherwise is wrong.
    public func isRequired(in profile: Profile) -> Bool {
      level == .must && !advisedIn.contains(profile.name)
    }
  }

  /// An invariant that this scenario does without, and why.
  public struct Exception: Hashable, Sendable {
    /// The invariant that is not judged in this scenario.
    public var invariant: Invariant
    /// Why the scenario may break it, as the file states under `because`.
    public var reason: String
    /// Where the exception is in the scenario's file.
    public var position: Position

    /// Creates an exception; the reader demands a reason that is not empty, this does not.
    public init(_ invariant: Invariant, because reason: String, position: Position) {
      self.invariant = invariant
      self.reason = reason
      self.position = position
    }
  }

  /// One parameter of the matrix with the value it has in this scenario.
  public struct Parameter: Hashable, Sendable {
    /// The name that `$(name)` refers to, without the dollar sign and the parentheses.
    public var name: String
    /// The scalar that replaces `$(name)`; it keeps its type where it replaces a whole string.
    public var value: JSON

    /// Creates a parameter; the reader gives only scalars as values.
    public init(name: String, value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// What a token stands for.
  public struct Token: Hashable, Sendable {
    /// The id of the user that a client acts for once it has signed in with the token.
    public var user: String
    /// How long after the start of the run it is valid; `nil` for all of it.
    public var lifetime: Interval?

    /// Creates a token that is valid for the whole run unless a lifetime is given.
    public init(user: String, lifetime: Interval? = nil) {
      self.user = user
      self.lifetime = lifetime
    }
  }
}

extension Scenario {
  /// How long a message travels one way: a single length, or a range that each message draws from.
  public struct Latency: Hashable, Sendable {
    /// Holds for every client that is not in `overrides`.
    public var standard: ClosedRange<Interval>
    /// The clients with a latency of their own; the first entry for a client counts.
    public var overrides: [Override]

    /// Creates a latency that is 10 ms one way for every client unless stated otherwise.
    public init(
      _ standard: ClosedRange<Interval> = .milliseconds(10)...(.milliseconds(10)),
      overrides: [Override] = []
    ) {
      self.standard = standard
      self.overrides = overrides
    }

    /// The latency of one client.
    public struct Override: Hashable, Sendable {
      /// The name of the client, as in `Scenario.clients`.
      public var client: String
      /// The shortest and the longest time that a message takes one way; equal for a fixed latency.
      public var range: ClosedRange<Interval>

      /// Creates the latency of one client, for both directions.
      public init(client: String, range: ClosedRange<Interval>) {
        self.client = client
        self.range = range
      }
    }

    /// The latency between this client and the server.
    public func range(of client: String) -> ClosedRange<Interval> {
      overrides.first { $0.client == client }?.range ?? standard
    }
  }
}

extension Scenario {
  /// The same with the expectation of nothing at its end that every scenario has, if it has none.
  ///
  /// - Parameter text: What the file says there.
  /// - Returns: This one where it has an expectation there.
  package func closed(by text: String) -> Scenario {
    guard let last = steps.last, last.expectation?.timing != .settled else { return self }
    var copy = self
    copy.steps.append(
      Step(
        file: last.file, position: last.position, text: text, action: .expect,
        expectation: Expectation(position: last.position, timing: .settled)))
    return copy
  }

  /// The same story without what it expects, so that it is judged by the invariants alone: where it
  /// settles in order to compare, it only settles.
  public var withoutExpectations: Scenario {
    var free = self
    free.judging = .invariants
    free.steps = steps.flatMap(\.withoutExpectation)
    return free
  }
}

extension Step {
  fileprivate var withoutExpectation: [Step] {
    guard let expectation else { return [self] }
    var step = self
    step.expectation = nil
    var rest = step
    rest.action = .settle
    rest.position = expectation.position
    if case .expect = action { return expectation.timing == .settled ? [rest] : [] }
    rest.text = "settle"
    return expectation.timing == .settled ? [step, rest] : [step]
  }
}

// What is left of a scenario for a client that cannot do everything.

extension Scenario {
  /// The scenario without what needs other capabilities than these: calls that need them, or what
  /// of a listener or a value needs them. What is left can be judged by invariants, but not by the
  /// expectations that the scenario had.
  ///
  /// - Complexity: O(*n*) in the size of the steps and their data.
  public func limited(to capabilities: Set<String>) -> Scenario {
    let limit = CapabilityLimit(capabilities)
    var limited = limit.excludes(Feature.equivalentKeys.rawValue) ? withoutEquivalentKeys : self
    limited.data = limit.node(limited.data)
    if limit.excludes("persistence") { limited.persistence = [:] }
    var dropped: Set<ListenerID> = []
    var singles: Set<ListenerID> = []
    var counts: [String: Int] = [:]
    limited.steps = limited.steps.compactMap { step -> Step? in
      guard var call = step.action.call else { return step.mapActions(fault: limit.fault) }
      if limit.excludes(Feature.unlistenOnce.rawValue) {
        if case var .on(reaction) = call.operation {
          reaction.calls.removeAll { $0.operation.removes(oneOf: &singles) }
          call.operation = .on(reaction)
        } else if call.operation.removes(oneOf: &singles) {
          return nil
        }
      }
      guard let operation = limit.operation(call.operation, &dropped) else { return nil }
      call.operation = operation.renumbered(&counts[call.client, default: 0])
      if !call.isNamed {
        counts[call.client, default: 0] += 1
        call.id = CallID("#\(counts[call.client, default: 1])")
      }
      var step = step
      step.action = .call(call)
      return step
    }
    return limited
  }

  /// With other names for keys where two are canonically equivalent.
  private var withoutEquivalentKeys: Scenario {
    let names = namesOfEquivalentKeys
    if names.isEmpty { return self }
    var renaming = ScenarioRenaming()
    renaming.key = { key, _ in names[key] ?? key }
    renaming.inspection = { [renaming] inspection in
      var renamed = inspection
      renamed.part = renaming.relative(inspection.part)
      return renamed
    }
    return renaming(self)
  }

  /// For each key that is canonically equivalent to one before it, a name that is so to none.
  private var namesOfEquivalentKeys: [Key: Key] {
    var keys: Set<Key> = []
    visitKeys { key, _ in keys.insert(key) }
    // Swift takes texts for equal that are canonically equivalent; `Key` does not.
    var texts: Set<String> = []
    var names: [Key: Key] = [:]
    for key in keys.sorted() where !texts.insert(key.string).inserted {
      var name = key.string
      repeat { name += "_" } while !texts.insert(name).inserted
      names[key] = Key(name)
    }
    return names
  }
}

extension ClientInterface.Operation {
  /// With new numbers for the calls of a reaction that have no name.
  fileprivate func renumbered(_ count: inout Int) -> ClientInterface.Operation {
    guard case var .on(reaction) = self else { return self }
    for index in reaction.calls.indices where !reaction.calls[index].isNamed {
      count += 1
      reaction.calls[index].id = CallID("#\(count)")
    }
    return .on(reaction)
  }
}

/// What a client can do.
private struct CapabilityLimit {
  private let capabilities: Set<String>

  init(_ capabilities: Set<String>) { self.capabilities = capabilities }

  func excludes(_ capability: String) -> Bool { !capabilities.contains(capability) }

  /// What is left of an operation; `nil` for nothing.
  func operation(
    _ operation: ClientInterface.Operation, _ dropped: inout Set<ListenerID>
  ) -> ClientInterface.Operation? {
    if case let .on(reaction) = operation {
      return self.reaction(reaction, &dropped).map { .on($0) }
    }
    let limited = reduced(operation)
    if case let .removes(id, _) = limited.listenerChange, dropped.contains(id) { return nil }
    if limited.capabilities.isSubset(of: capabilities), limited.arguments.events?.isEmpty != true {
      return limited
    }
    if let registration = limited.registration { dropped.insert(registration.listener) }
    return nil
  }

  /// What is left of a reaction, unless that is no call.
  private func reaction(_ reaction: Reaction, _ dropped: inout Set<ListenerID>) -> Reaction? {
    var limited = reaction
    limited.calls = []
    for var call in reaction.calls {
      guard let operation = self.operation(call.operation, &dropped) else { continue }
      call.operation = operation
      limited.calls.append(call)
    }
    let isLost =
      excludes("callbacks") || limited.calls.isEmpty
      || dropped.contains(ListenerID(reaction.callback.name))
    if isLost { dropped.formUnion(limited.calls.compactMap(\.operation.registration?.listener)) }
    return isLost ? nil : limited
  }

  private func reduced(_ operation: ClientInterface.Operation) -> ClientInterface.Operation {
    operation.mapArguments { given in
      if given.query != nil, excludes("listen.query") { given.query = .all }
      given.events = given.events?.filter(receives)
      given.value = given.value.map(node)
      given.changes = given.changes.map(assignments)
      if operation.kind == .onDisconnectUpdate, excludes(Feature.orderOfUpdate.rawValue) {
        given.changes = given.changes?.inOrder
      }
    }
  }

  private func receives(_ type: EventType) -> Bool {
    !excludes(type == .value ? "listen.value" : "listen.child")
  }

  /// What is left of what the server writes.
  func fault(_ fault: NamedFault) -> NamedFault {
    fault.mapping(path: { $0 }) { write in
      switch write {
      case let .set(path, node): .set(path, self.node(node))
      case let .update(path, parts): .update(path, assignments(parts))
      case .remove: write
      }
    }
  }

  private func assignments(_ parts: [Assignment]) -> [Assignment] {
    parts.filter { !$0.namesPriority || !excludes("priority") }.map {
      Assignment($0.path, node($0.node))
    }
  }

  /// A value without priorities, and with a number in place of what the server would fill in.
  func node(_ node: Node) -> Node {
    let priority = excludes("priority") ? nil : plain(node.priority)
    if let scalar = node.scalar { return Node(plain(scalar) ?? 0, priority: priority) }
    return Node(Children(node.children.map { ($0.key, self.node($0.node)) }), priority: priority)
  }

  private func plain(_ scalar: Scalar?) -> Scalar? {
    guard case let .serverValue(value) = scalar else { return scalar }
    if case .increment = value, excludes(Feature.increment.rawValue) { return 0 }
    return excludes("server-values") ? 0 : scalar
  }
}

extension Scenario {
  /// The capabilities without which a client cannot be judged: those that the file names, and those
  /// that its steps use; in the order of the documentation.
  ///
  /// - Complexity: O(*n*) in the size of the steps and their data.
  public var capabilities: [String] {
    var used = Set(needs)
    if data.hasPriorities { used.insert("priority") }
    if !persistence.isEmpty { used.insert("persistence") }
    var singles: Set<ListenerID> = []
    for call in calls {
      used.formUnion(call.operation.capabilities)
      if call.operation.removes(oneOf: &singles) { used.insert(Feature.unlistenOnce.rawValue) }
    }
    if expectsEndOfCredential { used.insert(Feature.authEnds.rawValue) }
    if showsEquivalentKeys { used.insert(Feature.equivalentKeys.rawValue) }
    return Capability.inDetail.filter { used.contains($0) }
  }

  /// Whether an application may be shown a value with two keys that are canonically equivalent. Where nothing is
  /// expected, any two that are named may come to stand beside each other.
  private var showsEquivalentKeys: Bool {
    if judging == .invariants { return !namesOfEquivalentKeys.isEmpty }
    var isShown = false
    var renaming = ScenarioRenaming()
    renaming.pattern = { pattern, content in
      if content != .tree, pattern.hasEquivalentKeys { isShown = true }
      return pattern
    }
    for expectation in steps.compactMap(\.expectation) { _ = renaming.expectation(expectation) }
    return isShown
  }

  /// Whether an expectation lists how signing in or out ended.
  private var expectsEndOfCredential: Bool {
    let credentials = calls.filter { $0.operation.kind.family == .credential }
    if credentials.isEmpty { return false }
    let ends = steps.compactMap(\.expectation).flatMap { [$0] + $0.alternatives }
      .flatMap(\.outcomes)
    return ends.contains { end in
      credentials.contains { $0.client == end.client && $0.id == end.call }
    }
  }
}

extension ClientInterface.Operation {
  /// Whether it, or a call in it, removes a listener for a single event, of which `singles` has all that were registered
  /// so far.
  func removes(oneOf singles: inout Set<ListenerID>) -> Bool {
    if case let .once(listener, _, _) = self { singles.insert(listener) }
    for call in nestedCalls where call.operation.removes(oneOf: &singles) { return true }
    guard case let .unlisten(listener, _) = self else { return false }
    return singles.contains(listener)
  }

  /// What a client must be able to do for this.
  var capabilities: Set<String> {
    var used = Set(features.map(\.rawValue))
    if let capability = kind.capability { used.insert(capability) }
    if let registration {
      let types = registration.isOnce ? [] : registration.events
      used.formUnion(registration.target.capabilities(receiving: types))
    }
    for value in arguments.values { used.formUnion(value.capabilities) }
    if arguments.changes?.contains(where: \.namesPriority) == true { used.insert("priority") }
    if case .mutableData? = arguments.inspection?.subject { used.insert("mutable-data") }
    for call in nestedCalls { used.formUnion(call.operation.capabilities) }
    return used
  }
}

extension Assignment {
  /// Whether it is `a/.priority`, which sets the priority of `a` alone.
  fileprivate var namesPriority: Bool { path.key?.isPriority == true }
}

extension ClientInterface.Operation.Target {
  fileprivate func capabilities(receiving types: Set<EventType>) -> Set<String> {
    if path.keys.first == .info { return ["info"] }
    var used: Set<String> = []
    if types.contains(.value) { used.insert("listen.value") }
    if types.contains(where: { $0 != .value }) { used.insert("listen.child") }
    if query != .all { used.insert("listen.query") }
    return used
  }
}

extension Node {
  fileprivate var capabilities: Set<String> {
    var used: Set<String> = []
    if hasPriorities { used.insert("priority") }
    if hasServerValues { used.insert("server-values") }
    return used
  }
}
