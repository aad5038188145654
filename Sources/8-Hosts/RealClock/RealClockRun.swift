import AdapterProtocol
import AdapterSessions
import ClientInterface
import Conformance
import Faults
import LiveServer
import LiveTraces
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
    _ process: AdapterProcess, warn: @escaping (String) -> Void
  ) throws(Failure) {
    self.scenario = scenario
    self.profile = profile
    self.seed = seed
    self.settings = settings
    self.process = process
    clock = PausableClock(at: time.start)
    session = SessionTrace(clients: scenario.clients, start: time.start)
    judge = RunEvaluation(onRealClock: scenario, in: profile)
    server = try RunServer(
      scenario, profile, seed: seed, start: time.start, watching: process.outputs, warn: warn)
    actors = zip(scenario.clients, server.ports).map { RealClockClient(name: $0, port: $1) }
    loop.observer = self
  }

  var loop: SocketLoop { server.loop }

  /// Closes every connection.
  func end() { server.end() }

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
    loop.perform { $0.arriveDue() }
    post()
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
      while !loop.isFlushed || hasPendingMessages || !process.isIdle { try poll() }
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
