internal import ClientInterface
internal import Document
package import ReferenceServer
package import Scenario
internal import Simulator
internal import Trace
internal import Tree

/// One run of one scenario.
struct ScenarioRun {
  let scenario: Scenario
  private let profile: Profile
  private let seed: UInt64
  private let cast: Cast
  let epoch: Instant
  var simulator: Simulator
  var journal: Journal
  var invariants: InvariantWatch
  /// The shadows of the clients; `nil` when nothing is compared with them.
  var shadows: ShadowWatch?
  /// What differed at the last rest, to be told after what was expected there.
  var differences: [ShadowDifference] = []
  private var bindings = Bindings()
  private var faults = FaultWatch()
  private var serverTimes = ServerTimes()
  private(set) var divergences: [Divergence] = []
  var stepsRun = 0
  /// Whether the run came to a point from which the steps that follow say nothing.
  var isOver = false
  /// Whether there was anything that could have failed: a call, or something that was expected.
  private(set) var hasJudged = false
  /// The alternatives of expectations that held, of which nothing else tells.
  private(set) var reached: Set<Alternative> = []

  /// Whether invariants that do not hold are divergences.
  var judgesInvariants = true

  init(
    _ scenario: Scenario, _ profile: Profile, _ seed: UInt64, _ clients: [any SyncClient],
    _ cast: Cast
  ) {
    self.scenario = scenario
    self.profile = profile
    self.seed = seed
    self.cast = cast
    let configuration = Self.configuration(scenario, profile, seed, clients, cast)
    epoch = configuration.epoch
    simulator = Simulator(configuration)
    journal = Journal(clients: scenario.clients, profile: profile)
    if scenario.judging == .invariants { journal.keeping = .breaches }
    invariants = InvariantWatch(
      clients: scenario.clients.count, profile: profile, data: scenario.data)
  }

  private static func configuration(
    _ scenario: Scenario, _ profile: Profile, _ seed: UInt64, _ clients: [any SyncClient],
    _ cast: Cast
  ) -> Configuration {
    let setups = zip(scenario.clients, clients).map { name, client in
      ClientSetup(
        name: name, client: client, latency: Latency(scenario.latency.range(of: name)),
        persistence: scenario.persistence[name], renew: { cast.makeClient(name) })
    }
    var configuration = Configuration(profile: profile, clients: setups)
    configuration.data = scenario.data
    configuration.security = scenario.security.map(SecurityRule.init)
    let epoch = configuration.epoch
    configuration.tokens = scenario.tokens.mapValues { token in
      Pass(user: token.user, expiry: token.lifetime.map { epoch + $0 })
    }
    configuration.seed = seed
    configuration.tape = ChoiceTape(for: scenario, seed: seed)
    return configuration
  }

  var result: ScenarioResult {
    let reason = emptiness
    let verdict: Verdict = divergences.isEmpty ? (reason == nil ? .pass : .vacuous) : .fail
    var result = ScenarioResult(
      scenario, profile, seed: seed, verdict, reason: verdict == .vacuous ? reason : nil,
      divergences: divergences, trace: simulator.trace, stepsRun: stepsRun)
    result.faults = FaultCounts(simulator.faultMarks)
    result.queueSteps = simulator.queueSteps
    result.duration = simulator.now
    result.tape = simulator.tape
    if let breakdown = cast.breakdown() { result.take(breakdown) }
    return result
  }

  /// Why a run without a divergence says nothing, or `nil`. Where invariants alone are judged, the
  /// steps were drawn, and not every fault among them need have mattered.
  private var emptiness: String? {
    if !hasJudged { return "no client is called and nothing is expected" }
    return scenario.judging == .expectations ? faults.objection(simulator.faultMarks) : nil
  }

  /// Whether the clients have ceased to answer.
  var hasBrokenDown: Bool { cast.breakdown() != nil }

  mutating func runSteps() {
    open()
    for (index, step) in scenario.steps.enumerated() where !isOver {
      simulator.beginStep(index + 1, step.text)
      perform(step.action, of: step, number: index + 1)
      journal.read(simulator.trace)
      if let expectation = step.expectation, !isOver {
        if expectation.timing == .settled { settle(at: expectation.position, in: step.file) }
        if !isOver { judge(expectation, of: step) }
      }
      if !isOver { stepsRun += 1 }
    }
    if scenario.judging == .invariants { judgeInvariants() }
  }

  mutating func open() {
    simulator.open()
    if scenario.start == .connected {
      let origin = scenario.steps.first?.position ?? Position(line: 1, column: 1)
      settle(at: origin, in: scenario.file)
    }
    journal.read(simulator.trace)
    journal.restartClock(at: simulator.now)
  }

  mutating func perform(_ action: Action, of step: Step, number: Int) {
    switch action {
    case let .call(call):
      guard let client = journal.registry.index(of: call.client) else { return }
      journal.read(simulator.trace)
      journal.registry.add(call, of: client, step: number, sequence: simulator.trace.count)
      simulator.call(client, call.id, call.operation)
      hasJudged = true
    case .process, .network, .server: inject(action.faults(journal.registry), of: step)
    case let .wait(interval):
      simulator.advance(by: interval)
      if let reason = simulator.runaway { giveUp(reason, at: step.position, in: step.file) }
    case .settle: settle(at: step.position, in: step.file)
    case .disarm: simulator.disarm()
    case let .together(steps):
      for step in steps { perform(step.action, of: step, number: number) }
    case .expect: break
    }
  }

  private mutating func inject(_ found: [Fault], of step: Step) {
    let first = simulator.faultMarks.count
    for fault in found {
      if let trigger = step.trigger?.waiting(journal.registry) {
        simulator.arm(fault, when: trigger)
      } else {
        simulator.inject(fault)
      }
    }
    serverTimes.note(step, at: simulator.now)
    faults.add(step, marks: first..<simulator.faultMarks.count)
  }

  /// Lets time pass until nothing is left to do; a run that does not come to rest is over.
  mutating func settle(at position: Position, in file: String) {
    switch simulator.settle(quiet: scenario.quiet) {
    case .settled: judgeRest()
    case let .unsettled(reason): giveUp(reason, at: position, in: file)
    }
  }

  mutating func giveUp(_ reason: String, at position: Position, in file: String) {
    journal.read(simulator.trace)
    let last = journal.period.arrivals.last?.sequence
    add(
      [Divergence(.unsettled(reason), of: .server, at: position, evidence: last)],
      step: stepsRun + 1, file: file)
    isOver = true
  }

  /// Compares what was observed since the last expectation, and begins anew.
  mutating func judge(_ expectation: Expectation, of step: Step) {
    journal.read(simulator.trace)
    bindings.serverTimes = shownTimes
    var judge = Judge(expectation, journal.period, journal.registry, world, bindings)
    add(judge.divergences(), step: stepsRun + 1, file: step.file)
    addBroken(at: expectation.position, file: step.file)
    if divergences.isEmpty { addAtTheirSteps(takeDifferences()) }
    bindings = judge.bindings
    reached.formUnion(judge.reached.map { Alternative(step: stepsRun + 1, index: $0) })
    hasJudged = hasJudged || expectation.statesAnything
    journal.turn(at: simulator.now)
  }

  /// What the server's clock has shown so far, in milliseconds since 1970.
  var shownTimes: [ClosedRange<Double>] {
    serverTimes.ranges(from: epoch, until: simulator.now)
  }

  /// Notes what is wrong now that the run has come to rest.
  mutating func judgeRest() {
    if judgesInvariants {
      invariants.read(simulator.trace, wrongTimes: simulator.wrongTimes)
      invariants.judgeRest(server: simulator.serverTree, online: world.online)
    }
    shadows?.read(simulator.trace, wrongTimes: simulator.wrongTimes)
    differences += shadows?.judgeRest() ?? []
    if scenario.judging == .invariants { judgeInvariants() }
  }

  /// Adds the invariants that were broken since the last expectation.
  ///
  /// Once an expectation has failed they are passed over: they would tell the same defect again, and
  /// with less.
  private mutating func addBroken(at position: Position, file: String) {
    guard judgesInvariants else { return }
    invariants.read(simulator.trace, wrongTimes: simulator.wrongTimes)
    let found = journal.takeFindings() + invariants.takeFindings()
    guard divergences.allSatisfy(\.isBrokenInvariant) else { return }
    add(
      heeded(found).map { journal.registry.divergence($0, at: position) }, step: stepsRun + 1,
      file: file)
  }

  /// The findings about which the scenario makes no exception.
  func heeded(_ findings: [Finding]) -> [Finding] {
    if scenario.without.isEmpty || findings.isEmpty { return findings }
    let exempt = Set(scenario.without.map(\.invariant))
    return exempt.isEmpty ? findings : findings.filter { !exempt.contains($0.invariant) }
  }

  private var world: Judge.World {
    let indices = scenario.clients.indices.map { ClientIndex($0) }
    return Judge.World(
      server: simulator.serverTree, online: Set(indices.filter { simulator.isConnected($0) }))
  }

  mutating func add(_ found: [Divergence], step: Int, file: String) {
    divergences += found.map {
      var divergence = $0
      divergence.step = step
      divergence.file = file
      divergence.rules = divergence.kind.sorted(scenario.rules.map(\.id))
      return divergence
    }
  }
}

extension Expectation {
  /// Whether something must have happened for it to hold.
  var statesAnything: Bool {
    !listeners.isEmpty || !outcomes.isEmpty || server != nil || !frames.isEmpty || isConverged
      || alternatives.contains { $0.statesAnything }
  }
}

extension SecurityRule {
  /// What a scenario forbids, as the server takes it.
  package init(_ restriction: Scenario.Restriction) {
    let denied = restriction.deny.map { $0 == .read ? Access.read : .write }
    let exemption: Exemption =
      switch restriction.unless {
      case .nobody: .nobody
      case .authenticated: .authenticated
      case let .user(name): .user(name)
      }
    self.init(
      restriction.path, deny: Set(denied), unless: exemption,
      status: restriction.status?.name ?? Self.permissionDenied)
  }
}

extension Latency {
  init(_ range: ClosedRange<Interval>) {
    self.init(range.lowerBound, through: range.upperBound)
  }
}
