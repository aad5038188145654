internal import ClientInterface
internal import Document
internal import Scenario

/// A scenario while it is being drawn.
struct Draft {
  let plan: Plan
  private(set) var steps: [Step] = []
  /// What has happened so far.
  private(set) var marks = Marks()
  var clients: [State]

  /// What is known of a client at this place of the story.
  struct State {
    var isRunning = true
    var isOnline = true
    var network = Network.up
    /// The listeners of its process, removed or not.
    var listeners: [ListenerID] = []
    var listens = 0
    var calls = 0

    enum Network { case up, cut, refusing }
  }

  init(_ plan: Plan) {
    self.plan = plan
    clients = Array(repeating: State(), count: plan.clients.count)
    steps.reserveCapacity(2 * plan.acts + 24)
  }

  mutating func mark(_ ingredient: Ingredient) { marks.insert(Marks(ingredient)) }

  /// Adds a step. Its text is left out: it is written when somebody wants to read it.
  mutating func add(_ action: Action) {
    steps.append(
      Step(
        file: Generator.file, position: Position(line: steps.count + 1, column: 1), text: "",
        action: action))
  }

  /// Has a client called, if it can be.
  mutating func call(_ client: Int, _ operation: ClientInterface.Operation) {
    guard clients[client].isRunning else { return }
    clients[client].calls += 1
    add(
      .call(
        .init(
          client: plan.clients[client], id: CallID("#\(clients[client].calls)"), isNamed: false,
          operation: operation)))
  }

  /// Has a client listen, under a name that none of its listeners had.
  mutating func listen(
    _ client: Int, _ operation: (ListenerID) -> ClientInterface.Operation
  ) {
    guard clients[client].isRunning else { return }
    clients[client].listens += 1
    let name = "l\(clients[client].listens)"
    clients[client].listeners.append(ListenerID(name))
    add(
      .call(
        .init(
          client: plan.clients[client], id: CallID(name), isNamed: true,
          operation: operation(ListenerID(name)))))
  }
}
