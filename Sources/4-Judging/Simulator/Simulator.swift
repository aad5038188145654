public import ClientInterface
package import Faults
public import ReferenceServer
public import Trace
public import Tree
internal import Wire

/// A run: clients, network and server in virtual time.
///
/// Everything that happens, happens in here and in a stated order: there are no threads, no clock
/// but `now`, no randomness but the tape. The same configuration and the same calls give the same
/// trace, in every process.
///
/// A simulator is a value. A copy goes its own way from where it was taken, with everything that is
/// in flight, which is how orders are explored; this needs clients that are values too.
public struct Simulator {
  /// Time since the start of the run.
  public internal(set) var now = Interval.zero
  /// What has happened so far, as far as the configuration's `retention` keeps it.
  public internal(set) var trace: Trace
  /// The choices, with those that were made so far.
  public internal(set) var tape: ChoiceTape
  /// The names of the clients, in order of their index.
  public let names: [String]
  /// Why the run cannot go on: more and more happens without time moving. `nil` normally.
  public internal(set) var runaway: UnsettledReason?
  /// How many things were taken out of the queue: messages that arrived, timers that fired, answers
  /// to attempts to connect, and ends of connections that the server noticed. The unit in which the
  /// cost of runs is stated.
  public internal(set) var queueSteps = 0

  /// What clients whose clocks were wrong were given as the time, by the event of the input.
  public internal(set) var wrongTimes: [Int: Instant] = [:]

  var participants: [Participant]
  var server: ReferenceServer
  var connections = SimulatedConnections()
  var queue = EventQueue()
  package var faults = FaultRegister()
  package var serverFaults = ServerFaults()
  package var serverSkew = Interval.zero
  /// Where the fault comes from that happens now.
  var faultCause = FaultCause()
  /// Where the server serves clients besides its own host.
  var hosts: [String] = []
  /// What is under way when the order of deliveries is open; `nil` when time orders them.
  var order: OpenOrder?
  /// The clients that were sent something or closed their connection since what happens now began,
  /// a bit for each.
  var recipients: UInt64 = 0
  /// Whether the network of any client was ever stalled.
  var hasStalled = false
  /// How many messages, requests for a connection and endings of one are under way.
  var inFlight = 0
  var step = -1
  /// How many events happened since time moved last.
  var eventsAtThisInstant = 0
  /// Buffers that are kept for their capacity.
  var outputs: [ClientOutput] = []
  var outgoing: [ReferenceServer.Outgoing] = []

  let form: WireForm?
  let host: String
  let epoch: Instant
  let eventLimit: Int

  /// A run at time zero, before its first step; the seed of its tape is that of the configuration.
  public init(_ configuration: Configuration) {
    trace = Trace(retention: configuration.retention)
    tape = configuration.tape
    tape.seed = configuration.seed
    names = configuration.clients.map(\.name)
    participants = configuration.clients.map {
      Participant($0, latency: configuration.latency)
    }
    server = ReferenceServer(
      data: configuration.data, security: configuration.security, tokens: configuration.tokens,
      dialect: configuration.profile.dialect, host: configuration.host,
      ranges: configuration.profile.ranges)
    server.rules = configuration.databaseRules
    form = configuration.form
    server.offersForms = form.map { $0 != .asWritten } ?? tape.isOpen(.form)
    host = configuration.host
    epoch = configuration.epoch
    eventLimit = configuration.eventLimit
  }

  /// What the server does wrong from now on; `nil` for nothing.
  public var serverDefect: ServerDefect? {
    get { server.defect }
    set { server.defect = newValue }
  }

  /// Everything that the server stores.
  public var serverTree: Node { server.tree }

  /// Whether the client has a connection that works and over which it got the server's hello.
  public func isConnected(_ client: ClientIndex) -> Bool {
    guard case .helloReceived = participants[client.number].connection else { return false }
    return !participants[client.number].isHalfOpen
      && participants[client.number].network.stalls.isEmpty
  }

  /// The time of day.
  package var clock: Instant { epoch + now }

  /// Has something happen later.
  mutating func schedule(_ scheduled: ScheduledEvent) {
    if order == nil { queue.insert(scheduled) } else { order?.pending.append(scheduled) }
  }

  /// Adds an event to the trace.
  @discardableResult
  mutating func record(_ kind: consuming TraceEvent.Kind, cause: Int?) -> Int {
    trace.append(kind, cause: cause, time: now, step: step)
  }
}

// What the steps of a scenario do. Their consequences at the same instant have happened when the
// call returns; everything else takes until time moves.

extension Simulator {
  /// Starts every client, in order of their index. No connection is up yet.
  public mutating func open() {
    for index in participants.indices { open(index) }
  }

  /// Says which step begins; what follows is stamped with its number.
  ///
  /// - Parameters:
  ///   - number: From 0.
  ///   - text: The step as reports show it.
  public mutating func beginStep(_ number: Int, _ text: String) {
    step = number
    record(.step(text), cause: nil)
  }

  /// Has the application call its client. A client that was killed cannot be called.
  public mutating func call(_ client: ClientIndex, _ id: CallID, _ operation: Operation) {
    guard participants[client.number].process.isRunning else {
      record(.fault(.futile(.deadCall, client)), cause: nil)
      return
    }
    give(.call(id, operation), to: client.number, cause: nil)
  }
}
