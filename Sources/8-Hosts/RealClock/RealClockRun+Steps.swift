import AdapterProtocol
import AdapterSessions
import ClientInterface
import Conformance
import Document
import Faults
import LiveServer
import LiveTraces
import ReferenceServer
import Scenario
import ServerHost
import System
import Trace
import Tree

// Doing the steps of a scenario.

extension RealClockRun {
  /// Does everything.
  func run() throws(AdapterFault) -> ScenarioResult {
    try open()
    for (index, step) in scenario.steps.enumerated() where judge.divergences.isEmpty {
      session.step(index + 1, step.text, at: clock.now)
      var stage = self
      try stage.perform(step, number: index + 1)
      if let expectation = step.expectation {
        try rest(expecting: expectation)
        try judge(expectation, of: step)
      }
      if judge.divergences.isEmpty { judge.stepsRun += 1 }
    }
    return judge.result(
      session.trace, seed: seed, epoch: epoch, marks: loop.live.marks,
      duration: clock.now - epoch, ineffective: .inconclusive)
  }

  /// What clocks showed at the start.
  var epoch: Instant { session.start }

  private func open() throws(AdapterFault) {
    setLatency()
    for index in actors.indices { try start(ClientIndex(index), storage: .kept) }
    try rest(expecting: nil)
    judge.read(session.trace)
    judge.restartClock(at: clock.now - epoch)
    pausedBefore = clock.paused
    let missing = actors.indices.filter { awaitsConnection($0) }
    if let first = missing.first, let step = scenario.steps.first {
      let reason = UnsettledReason.Part.noConnection(
        client: actors[first].name, within: settings.connectionTimeout)
      judge.giveUp(UnsettledReason([reason]), at: step.position, in: step.file)
    }
  }

  /// Gives a client an input, and lets everybody do what follows. Time pauses meanwhile.
  private func give(_ input: ClientInput, to client: ClientIndex) throws(AdapterFault) {
    clock.hold(true, at: real)
    let request = AdapterRequest.input(client: actors[client.number].name, input, at: real)
    try ask(request, within: timeout)
    try letClientsWork()
  }

  private func judge(_ expectation: Expectation, of step: Step) throws(AdapterFault) {
    judge.read(session.trace)
    judge.judge(
      widened(expectation), of: step, systemState, reachable: reachable, at: clock.now - epoch)
    pausedBefore = clock.paused
  }

  private func widened(_ expectation: Expectation) -> Expectation {
    expectation.widened(by: settings.tolerance, paused: clock.paused - pausedBefore)
  }

  /// What expectations are compared with besides the observations, as it is now.
  private var systemState: RunEvaluation.SystemState {
    let margin = settings.tolerance
    let times =
      (epoch + (.zero - margin))
      .milliseconds...(clock.now + clock.paused + margin)
      .milliseconds
    return RunEvaluation.SystemState(
      session.trace, server: loop.live.server.server(of: Self.namespace)?.tree ?? scenario.data,
      online: online, times: [times])
  }

  private var online: [ClientIndex] {
    actors.indices.map { ClientIndex($0) }.filter { !actors[$0.number].connections.isEmpty }
  }

  /// The clients that are online and whose messages nothing holds up.
  private var reachable: Set<ClientIndex> { Set(online.filter { !isUnreachable($0) }) }
}

// What the steps do.

extension RealClockRun: StepPerformer {
  typealias StepError = AdapterFault

  func make(_ call: Action.Call, of step: Step, number: Int) throws(AdapterFault) {
    judge.read(session.trace)
    let sequence = session.trace.count
    guard let made = judge.register(call, step: number, sequence: sequence) else { return }
    session.call(made.client, call.id, made.operation, at: clock.now)
    follow(made.operation, of: made.client)
    try give(.call(call.id, made.operation), to: made.client)
  }

  func inject(_ step: Step) throws(AdapterFault) {
    if let fault = step.action.fault, fault.kind.group == .process { return try carryOut(fault) }
    let first = loop.live.marks.count
    let asked = StepFaults(step, of: scenario.clients)
    for fault in asked.faults {
      follow(fault)
      loop.perform {
        if let trigger = asked.trigger { $0.arm(fault, when: trigger) } else { $0.inject(fault) }
      }
    }
    judge.addFaults(of: step, marks: first..<loop.live.marks.count)
    if hasDelivered || hasActivity { try letClientsWork() }
  }

  func wait(for interval: Interval, in step: Step) throws(AdapterFault) {
    try advance(by: interval)
  }

  func settle(in step: Step) throws(AdapterFault) { try rest(expecting: nil) }

  func disarm() { loop.live.disarm() }
}

// Settling.

extension RealClockRun {
  /// Waits until nothing happens any more, and what is expected has come, or does not come.
  ///
  /// With an expectation that is to hold at once, time stands.
  private func rest(expecting expectation: Expectation?) throws(AdapterFault) {
    let isNow = expectation?.timing == .now
    var quiescence = QuiescenceDetector(settings, from: real)
    clock.hold(isNow, at: real)
    var verdict: (count: Int, condition: QuiescenceDetector.Condition)?
    while true {
      clock.limit = loop.live.nextDue
      try poll()
      if hasDelivered || hasActivity {
        quiescence.noteActivity(at: real)
        try letClientsWork()
        clock.hold(isNow, at: real)
      }
      guard isNow || quiescence.isQuiet(at: real) else { continue }
      let count = session.trace.count
      if verdict?.count != count || verdict?.condition == .busy {
        verdict = (count, condition(expecting: expectation))
      }
      guard let condition = verdict?.condition else { continue }
      if isNow && condition == .complete || quiescence.isFinished(condition, at: real) { break }
    }
    clock.limit = nil
    clock.hold(false, at: real)
    for index in actors.indices where actors[index].isRunning && !isNow {
      actors[index].settledStorage = actors[index].storage
    }
  }

  private func condition(expecting expectation: Expectation?) -> QuiescenceDetector.Condition {
    let isNow = expectation?.timing == .now
    if !isNow {
      if loop.live.nextDue != nil { return .busy }
      if actors.indices.contains(where: { awaitsConnection($0) }) { return .disconnected }
    }
    judge.read(session.trace)
    if let expectation, !judge.differences(widened(expectation), systemState).isEmpty {
      return .lacking
    }
    return !isNow && judge.hasOpenCalls(of: reachable) ? .lacking : .complete
  }

  /// Whether a client should connect and has not.
  private func awaitsConnection(_ index: Int) -> Bool {
    let actor = actors[index]
    return actor.isRunning && !actor.isTakenOffline && actor.connections.isEmpty
      && !isUnreachable(ClientIndex(index))
  }

  /// Whether something keeps messages of a client from arriving for good.
  private func isUnreachable(_ client: ClientIndex) -> Bool {
    var unreachableReasons: Set<String> = []
    for mark in loop.live.marks where mark.hasFired {
      guard mark.fault.client == client else { continue }
      switch mark.fault.kind.access {
      case .up: unreachableReasons = []
      case .refusing, .cut: unreachableReasons.insert("cut")
      case nil: break
      }
      switch mark.fault.kind {
      case .stall: unreachableReasons.insert("stall")
      case .resume: unreachableReasons.remove("stall")
      default: break
      }
    }
    return !unreachableReasons.isEmpty
  }
}

// Faults.

extension RealClockRun {
  private func setLatency() {
    for (index, name) in scenario.clients.enumerated() {
      let range = scenario.latency.range(of: name)
      let latency = Latency(range.lowerBound, through: range.upperBound)
      loop.perform { $0.inject(.latency(latency, ClientIndex(index))) }
    }
  }

  private func follow(_ fault: IndexedFault) {
    switch fault {
    case let .shutdown(client?, _): actors[client.number].isTakenOffline = true
    default: break
    }
  }

  private func carryOut(_ fault: NamedFault) throws(AdapterFault) {
    switch fault {
    case let .kill(name):
      guard let client = judge.index(of: name), actors[client.number].isRunning else { return }
      actors[client.number].isRunning = false
      session.process(client, .close, at: clock.now)
      clock.hold(true, at: real)
      try ask(.input(client: name, .close, at: real), within: timeout)
      // What had not arrived goes with it, as it may where a machine loses its power.
      loop.perform { $0.inject(.drop(client)) }
      try letClientsWork()
    case let .start(name, storage):
      guard let client = judge.index(of: name) else { return }
      try start(client, storage: storage)
    default: break
    }
  }

  private func start(
    _ client: ClientIndex, storage: StorageCondition
  ) throws(AdapterFault) {
    let index = client.number
    switch storage {
    case .kept: break
    case .lost: actors[index].storage = [:]
    case .rolledBack: actors[index].storage = actors[index].settledStorage
    }
    actors[index].isRunning = true
    actors[index].isTakenOffline = false
    let stored = actors[index].storage.sorted { $0.key < $1.key }
    let host = "127.0.0.1:\(actors[index].port)"
    var random = RandomNumbers(seed: seed &+ UInt64(index))
    let opening = ClientInput.Opening(
      host: host, seed: random.next(), persistence: scenario.persistence[actors[index].name],
      storage: stored.map { ClientInput.StoredItem($0.key, $0.value) },
      url: "http://\(host)/?ns=\(Self.namespace)")
    session.process(client, .open(opening), at: clock.now)
    try give(.open(opening), to: client)
  }
}
