internal import ClientInterface
internal import Document
internal import Faults
internal import Scenario
internal import Tree

/// A scenario while it is being drawn.
struct RandomScenarioBuilder {
  let plan: Plan
  private(set) var steps: [Step] = []
  /// What has happened so far.
  private(set) var marks = StepKindSet()
  var clients: [State]
  /// Whether something may still wait for what it waits for.
  private(set) var isArmed = false
  /// Whether the server's clock may be wrong, and whether it may still refuse writes as stale.
  var server = (hasWrongClock: false, refusesAsStale: false)

  /// What is known of a client at this place of the story.
  struct State {
    var isRunning = true
    var isOnline = true
    var network = Network.up
    /// Whether something may be wrong with its network, perhaps when what waits happens.
    var needsHealing = false
    /// Whether it may stay away although it runs: for every sender and every process of it.
    var mayStayAway = false
    /// Whether its end waits for something.
    var isEnding = false
    var hasBadStorage = false
    var hasWrongClock = false
    /// The listeners of its process, removed or not.
    var listeners: [ListenerID] = []
    /// What any of its listeners listened to.
    var targets: [ClientInterface.Operation.Target] = []
    /// Where something is to happen when its connection ends.
    var left: [Path] = []
    var listens = 0
    var calls = 0
    /// The calls with names of their own: the others are counted without them.
    var namedCalls = 0
    /// The listeners in whose callbacks something is done: one thing each.
    var reacting: Set<ListenerID> = []

    enum Network { case up, down, waiting, stalled }
  }

  init(_ plan: Plan) {
    self.plan = plan
    clients = Array(repeating: State(), count: plan.clients.count)
    steps.reserveCapacity(2 * plan.acts + 24)
  }

  mutating func mark(_ stepKind: StepKind) { marks.insert(StepKindSet(stepKind)) }

  /// Adds a step. Its text is left out: it is written when it is to be read.
  mutating func add(_ action: consuming Action, when trigger: consuming Step.Trigger? = nil) {
    if trigger != nil {
      mark(.trigger)
      isArmed = true
    } else if case let .fault(fault) = action, fault.kind.traits.contains(.waits) {
      isArmed = true
    }
    steps.append(
      Step(
        file: Generator.file, position: Position(line: steps.count + 1, column: 1), text: "",
        action: action, trigger: trigger))
  }

  /// Has a client called, if it can be.
  mutating func call(_ client: Int, _ operation: ClientInterface.Operation) {
    guard clients[client].isRunning else { return }
    clients[client].calls += 1
    let id = CallID("#" + String(clients[client].calls))
    add(.call(.init(client: plan.clients[client], id: id, isNamed: false, operation: operation)))
  }

  /// A name that no listener of the client has.
  mutating func nextListener(_ client: Int) -> ListenerID {
    clients[client].listens += 1
    return ListenerID("l" + String(clients[client].listens))
  }

  /// Has a client listen, under a name that none of its listeners had.
  mutating func listen(
    _ client: Int, as name: ListenerID? = nil,
    _ operation: (ListenerID) -> ClientInterface.Operation
  ) {
    guard clients[client].isRunning else { return }
    let id = name ?? nextListener(client)
    let call = operation(id)
    clients[client].listeners.append(id)
    // No client writes below .info, and the server must not.
    if let target = call.registration?.target, target.path.keys.first != .info {
      clients[client].targets.append(target)
    }
    add(
      .call(
        .init(
          client: plan.clients[client], id: CallID(id.name), isNamed: true, operation: call)))
  }
}
