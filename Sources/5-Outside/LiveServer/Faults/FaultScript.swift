package import ClientInterface
internal import Faults
public import Scenario
internal import ScenarioFiles

/// What a scenario does to the network and the server, one thing after the other. It begins when
/// the first client has had its hello.
public struct FaultScript: Sendable {
  enum FaultAction: Sendable {
    case wait(Interval)
    case fault([IndexedFault], Trigger?)
    case disarm
  }

  private let clients: [String]
  /// How many steps are done, waits not counted.
  public private(set) var stepCount = 0
  /// How many steps are passed over, because they are the part of clients and of who judges them.
  public private(set) var passedOver = 0
  /// Why others are passed over: a line for each.
  public private(set) var unsupportedReasons: [String] = []
  private(set) var moves: [FaultAction] = []
  private var next = 0
  /// When the next move is made; `nil` before the beginning and after the end.
  private(set) var due: Instant?
  private var hasBegun = false

  /// Takes the steps of a scenario.
  public init(_ scenario: Scenario) {
    clients = scenario.clients
    for (index, step) in scenario.statedSteps.enumerated() { perform(step, number: index + 1) }
  }

  /// It begins, if it has not begun before.
  mutating func begin(at now: Instant) {
    guard !hasBegun else { return }
    hasBegun = true
    due = moves.isEmpty ? nil : now
  }

  /// Takes out what is to be done now.
  mutating func take() -> FaultAction? {
    guard let now = due, next < moves.count else { return nil }
    let move = moves[next]
    next += 1
    if case let .wait(interval) = move { due = now + interval }
    if next == moves.count { due = nil }
    return move
  }
}

/// Steps are not done at once but become moves; what is the part of clients is passed over.
extension FaultScript: StepPerformer {
  package mutating func make(_ call: Action.Call, of step: Step, number: Int) { passedOver += 1 }

  package mutating func inject(_ step: Step) {
    let faults = StepFaults(step, of: clients)
    if let unsupportedReason = faults.faults.compactMap(FaultyServer.unsupportedReason).first {
      unsupportedReasons.append("\(step.file):\(step.position): \(unsupportedReason)")
    } else {
      stepCount += 1
      moves.append(.fault(faults.faults, faults.trigger))
    }
  }

  package mutating func wait(for interval: Interval, in step: Step) {
    moves.append(.wait(interval))
  }

  package mutating func settle(in step: Step) { passedOver += 1 }

  package mutating func disarm() { moves.append(.disarm) }

  package mutating func expectOnly(in step: Step) { passedOver += 1 }
}

extension FaultyServer {
  /// A server with the data, the rules and the tokens of a scenario, of which the latency and the
  /// steps of the network and the server are done too.
  public init(_ server: LiveServer, _ scenario: Scenario, seed: UInt64 = 0) {
    let latency = Latency(scenario.latency.standard)
    self.init(server, clients: scenario.clients, latency: latency, seed: seed)
    for override in scenario.latency.overrides {
      guard let index = clientsByName[override.client] else { continue }
      servedClients[index].network.latency = Latency(override.range)
    }
    script = FaultScript(scenario)
    watch()
  }

  /// Makes the next move of the script.
  mutating func runScript() {
    switch script?.take() {
    case let .fault(faults, nil):
      for fault in faults { injectNow(fault) }
    case let .fault(faults, trigger?):
      for fault in faults { armNow(fault, trigger) }
    case .disarm: disarm()
    case .wait, nil: break
    }
  }
}
