internal import ClientInterface
internal import Document
internal import Faults
import Invariants
internal import ReferenceServer
internal import Scenario
internal import Simulator
internal import Trace
internal import Tree

/// One run of one scenario.
struct ScenarioRun {
  private let seed: UInt64
  private let clientFactory: ClientFactory
  /// What the interface of each client lacks.
  let lacks: [Set<Feature>]
  let epoch: Instant
  var simulator: Simulator
  var evaluation: RunEvaluation
  /// The shadows of the clients; `nil` when nothing is compared with them.
  var shadows: ShadowMonitor?
  /// What differed at the last rest, to be reported after what was expected there.
  var differences: [ShadowDifference] = []
  private var serverTimes = ServerTimes()
  /// Whether the run came to a point from which the steps that follow say nothing.
  var isFinished = false

  /// Whether invariants that do not hold are divergences.
  var judgesInvariants: Bool {
    get { evaluation.invariants.judgesLaws }
    set { evaluation.invariants.judgesLaws = newValue }
  }

  var scenario: Scenario { evaluation.scenario }

  init(
    _ scenario: Scenario, _ profile: Profile, _ seed: UInt64, _ clients: [any SyncClient],
    _ clientFactory: ClientFactory
  ) {
    self.seed = seed
    self.clientFactory = clientFactory
    lacks = clients.map { $0.lacks }
    let configuration = Self.configuration(scenario, profile, seed, clients, clientFactory)
    epoch = configuration.epoch
    simulator = Simulator(configuration)
    evaluation = RunEvaluation(scenario, in: profile)
    if scenario.judging == .invariants { evaluation.observationLog.retention = .breaches }
  }

  private static func configuration(
    _ scenario: Scenario, _ profile: Profile, _ seed: UInt64, _ clients: [any SyncClient],
    _ clientFactory: ClientFactory
  ) -> Configuration {
    let setups = zip(scenario.clients, clients).map { name, client in
      ClientSetup(
        name: name, client: client, latency: Latency(scenario.latency.range(of: name)),
        persistence: scenario.persistence[name], renew: { clientFactory.makeClient(name) })
    }
    var configuration = Configuration(profile: profile, clients: setups)
    configuration.data = scenario.data
    configuration.security = scenario.security
    configuration.databaseRules = scenario.databaseRules
    let epoch = configuration.epoch
    configuration.tokens = scenario.tokens.mapValues { token in
      TokenClaims(user: token.user, expiry: token.lifetime.map { epoch + $0 })
    }
    configuration.seed = seed
    configuration.form = scenario.form
    configuration.tape = ChoiceTape(for: scenario, seed: seed)
    return configuration
  }

  var result: ScenarioResult {
    var result = evaluation.result(simulator.trace, seed: seed, marks: simulator.faultMarks)
    result.queueSteps = simulator.queueSteps
    result.duration = simulator.now
    result.serverTree = simulator.serverTree
    result.wrongTimes = simulator.wrongTimes
    result.tape = simulator.tape
    if let outage = clientFactory.outage() { result.take(outage) }
    return result
  }

  /// Whether the clients have ceased to answer.
  var hasBrokenDown: Bool { clientFactory.outage() != nil }

  mutating func runSteps() {
    open()
    for (index, step) in scenario.steps.enumerated() where !isFinished {
      simulator.beginStep(index + 1, step.text)
      perform(step, number: index + 1)
      read()
      if let expectation = step.expectation, !isFinished {
        if expectation.timing == .settled { settle(at: expectation.position, in: step.file) }
        if !isFinished { judge(expectation, of: step) }
      }
      if !isFinished { evaluation.stepsRun += 1 }
    }
    if scenario.judging == .invariants { judgeInvariants() }
  }

  mutating func open() {
    simulator.open()
    if scenario.start == .connected {
      let origin = scenario.steps.first?.position ?? Position(line: 1, column: 1)
      settle(at: origin, in: scenario.file)
    }
    read()
    evaluation.observationLog.restartClock(at: simulator.now)
  }

  /// Lets time pass until nothing is left to do; a run that does not settle is over.
  mutating func settle(at position: Position, in file: String) {
    switch simulator.settle(quiet: scenario.quiet) {
    case .settled: judgeSettled()
    case let .unsettled(reason): giveUp(reason, at: position, in: file)
    }
  }

  mutating func giveUp(_ reason: UnsettledReason, at position: Position, in file: String) {
    read()
    evaluation.giveUp(reason, at: position, in: file)
    isFinished = true
  }

  /// Compares what was observed since the last expectation, and begins again.
  mutating func judge(_ expectation: Expectation, of step: Step) {
    read()
    evaluation.compare(with: expectation, of: step, systemState)
    if judgesInvariants { evaluation.addBroken(at: expectation.position, file: step.file) }
    if evaluation.divergences.isEmpty { addAtTheirSteps(takeDifferences()) }
    evaluation.observationLog.beginWindow(at: simulator.now)
  }

  /// What the server's clock has shown so far, in milliseconds since 1970.
  var shownTimes: [ClosedRange<Double>] {
    serverTimes.ranges(from: epoch, until: simulator.now)
  }

  /// Records what is wrong now that the run has settled.
  mutating func judgeSettled() {
    read()
    if judgesInvariants {
      evaluation.invariants.judgeSettled(
        server: simulator.serverTree, online: online, stranded: stranded)
    }
    differences += shadows?.judgeSettled() ?? []
    if scenario.judging == .invariants { judgeInvariants() }
  }

  private var stranded: Set<ClientIndex> {
    Set(scenario.clients.indices.map { ClientIndex($0) }.filter { simulator.isStranded($0) })
  }

  private var online: Set<ClientIndex> {
    Set(scenario.clients.indices.map { ClientIndex($0) }.filter { simulator.isConnected($0) })
  }

  private var systemState: RunEvaluation.SystemState {
    .init(server: simulator.serverTree, online: online, times: shownTimes)
  }

  /// Takes what was added to the trace.
  mutating func read() {
    evaluation.read(simulator.trace, wrongTimes: simulator.wrongTimes, &shadows)
  }
}

extension ScenarioRun: StepPerformer {
  mutating func make(_ call: Action.Call, of step: Step, number: Int) {
    guard let client = evaluation.observationLog.registry.index(of: call.client) else { return }
    read()
    let call = evaluation.resolved(call)
    evaluation.register(call, of: client, step: number, sequence: simulator.trace.count)
    simulator.call(client, call.id, call.operation)
  }

  mutating func inject(_ step: Step) {
    let first = simulator.faultMarks.count
    let asked = StepFaults(step, of: scenario.clients)
    for fault in asked.faults {
      if let trigger = asked.trigger {
        simulator.arm(fault, when: trigger)
      } else {
        simulator.inject(fault)
      }
    }
    serverTimes.follow(step, at: simulator.now)
    evaluation.addFaults(of: step, marks: first..<simulator.faultMarks.count)
  }

  mutating func wait(for interval: Interval, in step: Step) {
    simulator.advance(by: interval)
    if let reason = simulator.runaway { giveUp(reason, at: step.position, in: step.file) }
  }

  mutating func settle(in step: Step) { settle(at: step.position, in: step.file) }

  mutating func disarm() { simulator.disarm() }
}
