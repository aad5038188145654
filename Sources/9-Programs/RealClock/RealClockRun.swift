import AdapterProtocol
import AdapterSessions
import ClientInterface
import Conformance
import Document
import Faults
import LiveServer
import ReferenceServer
import RunModel
import Scenario
import ServerHost
import System
import Trace
import Tree
import Wire

/// One run of a scenario with clients that have a clock of their own: it lets the live server, the
/// adapter and the judge work in turn, in one thread.
final class RealClockRun {
  /// For how long nothing must come of the clients for their work to count as done.
  private static let quietInterval = Interval.milliseconds(3)
  /// How often they are asked whether they have done their work, at most.
  private static let maxRounds = 40
  /// The namespace that they use.
  static let namespace = "default"

  let scenario: Scenario
  let profile: Profile
  let seed: UInt64
  let settings: RealClockSettings
  let process: AdapterProcess
  /// The connections to the server under test; nil where that is the kit's.
  private let relay: Relay?
  /// Judges what that server does, where nothing is expected of it; nil elsewhere.
  private var monitor: ServerMonitor?
  /// What was found on its connections.
  private var findings: [WireFinding] = []
  private let server: RunServer
  private let time = RunTime()

  var clock: PausableClock
  var session: SessionTrace
  var judge: RunEvaluation
  var timekeeping = Timekeeping()
  var actors: [RealClockClient] = []
  /// How long the adapter may take for an answer, in milliseconds.
  var timeout = 5000
  /// Whose connection it is.
  var connections: [Int: ClientIndex] = [:]
  /// Something came from a client, or went to one, since this was set to false.
  var hasActivity = false
  var hasDelivered = false
  /// What the adapter was asked last that is not answered.
  var asked: AdapterRequest?
  /// When the period that is being judged began, and for how long time paused then.
  var pausedBefore = Interval.zero

  init(
    _ scenario: Scenario, _ profile: Profile, seed: UInt64, _ settings: RealClockSettings,
    _ process: AdapterProcess, against relay: Relay?, warn: @escaping (String) -> Void
  ) throws(Failure) {
    self.scenario = scenario
    self.profile = profile
    self.seed = seed
    self.settings = settings
    self.process = process
    self.relay = relay
    if relay != nil, scenario.judging == .invariants {
      monitor = ServerMonitor(scenario.data, in: profile)
    }
    clock = PausableClock(at: time.start)
    session = SessionTrace(clients: scenario.clients, start: time.start)
    judge = RunEvaluation(onRealClock: scenario, in: profile)
    server = try RunServer(
      scenario, profile, seed: seed, start: time.start, isRelay: relay != nil,
      watching: process.outputs, warn: warn)
    actors = zip(scenario.clients, server.ports).map { RealClockClient(name: $0, port: $1) }
    loop.observer = self
  }

  var loop: SocketLoop { server.loop }

  /// Closes every connection.
  func end() {
    server.end()
    relay?.end()
  }

  /// What the clock on the wall shows, as if it had not been set since the start.
  var real: Instant { time.now }
}

/// One client of a run.
struct RealClockClient {
  let name: String
  let port: Int
  /// Whether its process runs.
  var isRunning = false
  /// Whether it was taken offline, or sent away for good.
  var isTakenOffline = false
  /// What the application is to do in callbacks, by the names of the calls.
  var nestedCalls: [CallID: Operation] = [:]
  /// Its open connections.
  var connections: Set<Int> = []
  /// What it has stored, and what it had stored at the last rest.
  var storage: [String: String] = [:]
  var settledStorage: [String: String] = [:]
  /// What it is to be sent about its connection, where its messages are carried.
  var pendingMessages: [ClientInput] = []
  /// The connection of one whose messages are carried; nil for none.
  var socket: Socket?
  var assembler = SegmentAssembler()
}

extension RealClockRun {
  /// Lets the next thing happen, or a moment pass.
  func poll() throws(AdapterFault) {
    timekeeping.record(lateness: server.poll())
    clock.look(at: real)
    try receiveOutput()
    receiveRelayed()
    loop.perform { $0.arriveDue() }
    post()
  }

  /// Takes what the server under test has done. When it has done all of its work, more arrives there.
  private func receiveRelayed() {
    guard let relay else { return }
    for (connection, event) in relay.handOver(to: loop) {
      hasActivity = true
      switch event {
      case let .message(message): monitor?.received(message, over: connection)
      case let .response(answer): monitor?.answered(answer.status, over: connection)
      case .ended: monitor?.closed(connection)
      case let .odd(text): reportProblem(text, of: connection)
      case .begun: break
      }
    }
    guard loop.live.server.isHeld, relay.isDone else { return }
    monitor?.done(relay.tree)
    loop.perform { $0.server.isHeld = false }
  }

  /// Notifies a client of what happened to its connection, one thing at a time.
  private func post() {
    guard process.isIdle, let index = actors.firstIndex(where: { !$0.pendingMessages.isEmpty })
    else { return }
    let input = actors[index].pendingMessages.removeFirst()
    guard actors[index].isRunning else { return }
    process.post(.input(client: actors[index].name, input, at: real))
  }

  private var hasPendingMessages: Bool { actors.contains { !$0.pendingMessages.isEmpty } }

  /// Takes what the adapter has written.
  private func receiveOutput() throws(AdapterFault) {
    for receivedOutputs in try process.exchange() {
      guard let client = judge.index(of: receivedOutputs.client) else { continue }
      take(receivedOutputs.output, of: client)
    }
  }

  /// Asks the adapter something, and waits until it has answered. Time pauses meanwhile.
  func ask(_ request: AdapterRequest, within milliseconds: Int) throws(AdapterFault) {
    try awaitAnswer(within: milliseconds)
    asked = request
    process.post(request)
    try awaitAnswer(within: milliseconds)
  }

  private func awaitAnswer(within milliseconds: Int) throws(AdapterFault) {
    let limit = real + .milliseconds(milliseconds)
    while !process.isIdle {
      if real > limit || (Interrupt.hasCome() && real + .milliseconds(200) > limit) {
        throw process.silence(after: milliseconds)
      }
      try poll()
    }
  }

  /// Lets the clients do what follows from what they were given. Time pauses meanwhile.
  func letClientsWork() throws(AdapterFault) {
    clock.hold(true, at: real)
    var rounds = 0
    repeat {
      hasActivity = false
      while !loop.isFlushed || hasPendingMessages || !process.isIdle || loop.live.server.isHeld {
        try poll()
      }
      for _ in 0..<2 {
        try awaitAnswer(within: timeout)
        let start = real
        process.postProbe()
        try awaitAnswer(within: timeout)
        timekeeping.record(answer: real - start)
      }
      let end = real + Self.quietInterval
      while real < end { try poll() }
      rounds += 1
    } while hasActivity && rounds < Self.maxRounds
    hasDelivered = false
    clock.hold(false, at: real)
  }

  /// Lets time pass.
  func advance(by interval: Interval) throws(AdapterFault) {
    let end = clock.now + interval
    while clock.now < end {
      clock.limit = [end, loop.live.nextDue].compactMap { $0 }.min()
      try poll()
      if hasDelivered || hasActivity { try letClientsWork() }
    }
    clock.limit = nil
    loop.perform { $0.arriveDue() }
    if hasDelivered { try letClientsWork() }
  }
}

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
      if index == scenario.steps.count - 1 {
        try judgeEnd()
      } else if let expectation = step.expectation, expectation.timing == .settled {
        examine(at: expectation.position, in: step.file)
      }
      if judge.divergences.isEmpty { judge.stepsRun += 1 }
    }
    return judge.result(
      session.trace, seed: seed, epoch: epoch, marks: loop.live.marks,
      duration: clock.now - epoch, ineffective: .inconclusive)
  }

  /// Judges what is left to be judged behind the last step.
  private func judgeEnd() throws(AdapterFault) {
    guard judge.divergences.isEmpty, let step = scenario.steps.last else { return }
    if scenario.judging == .invariants {
      try rest(expecting: nil)
      try judgeSettled(at: step.position, in: scenario.file)
    }
    examine(at: step.position, in: scenario.file, doing: Set(scenario.rules.map(\.id)))
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
    if let refused = relay?.refusedWrite {
      return add([refused], at: expectation.position, in: step.file)
    }
    judge.judge(
      widened(expectation), of: step, systemState, reachable: reachable, at: clock.now - epoch)
    pausedBefore = clock.paused
  }

  /// Judges by the laws and by what was found at the server, where nothing is expected.
  private func judgeSettled(at position: Position, in file: String) throws(AdapterFault) {
    guard let relay, scenario.judging == .invariants else { return }
    judge.read(session.trace)
    monitor?.settled(relay.tree)
    let refused = relay.refusedWrite.map { [$0] } ?? []
    add(refused + (monitor?.takeFindings() ?? []) + findings, at: position, in: file)
  }

  /// Adds what was found at the server under test.
  private func add(_ found: [WireFinding], at position: Position, in file: String) {
    judge.judgeSettled(
      found, server: relay?.tree ?? .empty, online: reachable, at: position, in: file)
  }

  /// Judges what REST shows when all is done, and what it does about these rules. Time pauses meanwhile.
  private func examine(at position: Position, in file: String, doing rules: Set<String> = []) {
    guard let relay, judge.divergences.isEmpty else { return }
    clock.hold(true, at: real)
    if let finding = relay.examine(in: profile, doing: rules) {
      add([finding], at: position, in: file)
    }
    clock.hold(false, at: real)
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
    let own = loop.live.server.server(of: Self.namespace)?.tree
    return RunEvaluation.SystemState(
      session.trace, server: relay?.tree ?? own ?? scenario.data, online: online, times: [times])
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

  func settle(in step: Step) throws(AdapterFault) {
    try rest(expecting: nil)
    try judgeSettled(at: step.position, in: step.file)
  }

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
      if !isNow, let due = nextToSkipTo { clock.skip(to: due) }
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

  /// What the kit alone waits for: a server that is tested notices the end of a line when that is closed there.
  private var nextToSkipTo: Instant? {
    relay == nil || loop.live.server.isHeld ? nil : loop.live.nextDue
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
    loop.live.network(of: client.number).isDisturbed
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

  private func start(_ client: ClientIndex, storage: StorageCondition) throws(AdapterFault) {
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

// What is seen of the network, and what clients do.

extension RealClockRun: SocketObserver {
  var now: Instant { clock.now }

  func receive(_ record: Effect.Record, of connection: Int) {
    if case let .opened(opening) = record {
      let name = opening.client ?? loop.currentClient
      connections[connection] = name.flatMap { judge.index(of: $0) }
    }
    let owner = connections[connection]
    session.take(record, connection: connection, client: owner, at: clock.now)
    guard let client = owner else { return }
    if case .opened = record { actors[client.number].connections.insert(connection) }
    if case .closed = record { actors[client.number].connections.remove(connection) }
    hasActivity = true
  }

  func reportProblem(_ text: String, of connection: Int) {
    guard let client = connections[connection] else { return }
    session.output(client, .log("the server: " + text), at: clock.now)
  }

  func receive(_ finding: WireFinding, of connection: Int) {
    reportProblem(finding.sentence, of: connection)
    if finding.sender == .server, !finding.isNote { findings.append(finding) }
  }

  func relay(_ relayed: Effect.Relayed, of connection: Int) {
    hasActivity = true
    relay?.give(relayed, of: connection)
    switch relayed {
    case .opened: monitor?.opened(connection)
    case let .message(message): monitor?.sent(message, over: connection)
    case let .asked(request):
      if request.isWrite { monitor?.asked(for: request.write(), over: connection) }
    case .closed: monitor?.closed(connection)
    case let .change(write): monitor?.wrote(write)
    case .denied: break
    }
  }

  func delivers() { hasDelivered = true }

  /// Carries what is for a client without sockets of its own.
  func deliver(_ piece: Channel.Piece, to socket: Socket) {
    guard let index = actors.firstIndex(where: { $0.socket == socket }) else { return }
    hasDelivered = true
    switch piece {
    case let .frame(bytes):
      let frame = String(decoding: bytes, as: UTF8.self)
      guard let text = actors[index].assembler.receive(frame),
        let json = try? JSON(parsing: Array(text.utf8)),
        let message = try? ServerMessage(json: json)
      else { return }
      actors[index].pendingMessages.append(.frame(message))
    case .close:
      actors[index].socket = nil
      actors[index].pendingMessages.append(.closed)
      loop.perform { $0.closed(socket) }
    case .bytes, .end: break
    }
  }
}

extension RealClockRun {
  /// Takes what a client has done.
  func take(_ output: ClientOutput, of client: ClientIndex) {
    guard actors[client.number].isRunning else { return }
    switch output.topic {
    case let .storage(key, text): actors[client.number].storage[key] = text
    case .connect: connect(client.number)
    case .disconnect: disconnect(client.number)
    case let .send(message): send(message, of: client.number)
    case let .nesting(call, .begins): recordNested(call, of: client)
    case .timer, .listener, .call, .nesting, .uncaught, .remark:
      session.output(client, output, at: clock.now)
    }
    hasActivity = true
  }

  private func recordNested(_ call: CallID, of client: ClientIndex) {
    let event = session.output(client, .calling(call), at: clock.now)
    guard let operation = actors[client.number].nestedCalls[call] else { return }
    session.call(client, call, operation, cause: event, at: clock.now)
    follow(operation, of: client)
  }

  /// Follows what a call changes without an output.
  func follow(_ operation: Operation, of client: ClientIndex) {
    if let isOnline = operation.isOnline { actors[client.number].isTakenOffline = !isOnline }
    for call in operation.nestedCalls {
      actors[client.number].nestedCalls[call.id] = call.operation
    }
  }

  private func connect(_ index: Int) {
    disconnect(index)
    var request = HTTPRequest(
      "GET", "/.ws",
      [
        .init("v", "5"), .init("ns", Self.namespace), .init("client", actors[index].name),
      ], headers: ["host": "127.0.0.1:\(actors[index].port)"])
    request.client = actors[index].name
    // Asking for a refusal begins the namespace.
    guard !loop.perform({ $0.refuses(request) }),
      loop.live.server.refusal(ofSocketFor: request) == nil
    else { return actors[index].pendingMessages.append(.refused) }
    let socket = loop.newSocket()
    actors[index].socket = socket
    actors[index].assembler = SegmentAssembler()
    actors[index].pendingMessages.append(.opened)
    loop.perform { $0.open(socket, for: request) }
  }

  private func disconnect(_ index: Int) {
    guard let socket = actors[index].socket else { return }
    actors[index].socket = nil
    loop.perform { $0.closed(socket) }
  }

  private func send(_ message: ClientMessage, of index: Int) {
    guard let socket = actors[index].socket else { return }
    for frame in Segments.frames(of: message.json(in: .firebase).text) {
      loop.perform { $0.receive(frame, from: socket) }
    }
  }
}
