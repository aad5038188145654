package import ClientInterface
internal import Faults

/// A client in a run, and what the network knows of it.
struct Participant {
  let name: String
  var client: any SyncClient
  var network: ClientNetwork
  /// What would have arrived if its direction were not stalled, in the order in which it would
  /// have. Empty when the order of deliveries is open: then it stays with everything else that is
  /// under way.
  var waiting: [ScheduledEvent] = []
  var process: Process
  var connection = ConnectionState.none
  /// Whether its connection is half-open and it has not noticed.
  var isHalfOpen = false
  var halfOpenMark: Int?
  var clock = LocalClock()
  /// The host that it asked for a connection last.
  var dialled = ""
  /// What the application asked for last.
  var requestedState = RequestedState.online
  /// What the application is to do in callbacks of this process, by the names of the calls.
  var nestedCalls: [CallID: Operation] = [:]
  /// Whether the client gave up its connection because the application went offline.
  var isTakenOffline = false
  /// In the order in which they were set; few.
  var timers: [ActiveTimer] = []
  /// The timer that fired last, for the words of a run that does not settle.
  var lastFiring: TimerFiring?
  /// How many latencies were drawn: to the server, to the client, for connections; and how many
  /// forms of messages.
  var sent = (toServer: 0, toClient: 0, attempts: 0, forms: 0)

  init(_ setup: ClientSetup, latency: Latency) {
    name = setup.name
    client = setup.client
    network = ClientNetwork(latency: setup.latency ?? latency)
    process = Process(setup)
  }

  enum ConnectionState: Equatable {
    case none
    /// The client asked for a connection; `cause` is the event in which it did.
    case connecting(cause: Int)
    /// The connection with this number is up, the hello is still to come.
    case opened(Int)
    /// The server's hello was delivered.
    case helloReceived(Int)

    /// The number of the connection that is up, or `nil`.
    var number: Int? {
      switch self {
      case .none, .connecting: nil
      case let .opened(number), let .helloReceived(number): number
      }
    }
  }

  enum RequestedState: Equatable {
    case online
    case offline
  }

  /// The number of the connection that is up, or `nil`.
  var connectionNumber: Int? { connection.number }
}

/// A timer that a client has set.
struct ActiveTimer: Equatable {
  var id: TimerID
  /// The event in which it was set: what distinguishes it from an earlier one with the same name.
  var cause: Int
  var due: Interval
  var purpose: TimerPurpose
}

/// When a timer fired, and how long after the time before.
struct TimerFiring: Equatable {
  var id: TimerID
  var time: Interval
  var gap: Interval?
}

extension Participant {
  /// Sets a timer, or moves the one with this name.
  mutating func set(_ timer: ActiveTimer) {
    cancel(timer.id)
    timers.append(timer)
  }

  mutating func cancel(_ id: TimerID) {
    if let index = timers.firstIndex(where: { $0.id == id }) { timers.remove(at: index) }
  }

  /// Takes out the timer that was set in the event `cause`; `nil` when it was moved or cancelled.
  mutating func fire(cause: Int, at now: Interval) -> TimerID? {
    guard let index = timers.firstIndex(where: { $0.cause == cause }) else { return nil }
    let id = timers.remove(at: index).id
    let gap = lastFiring?.id == id ? lastFiring.map { now - $0.time } : nil
    lastFiring = TimerFiring(id: id, time: now, gap: gap)
    return id
  }
}

/// The clock of a client's device, which need not be right. It outlives the process.
///
/// It only shows the time: timers go by the time of the run, as they go by a steady clock in the
/// field, whatever happens to the time of day.
struct LocalClock {
  /// How much it showed too much at `since`.
  private var offset = Interval.zero
  private var drift = ClockDrift.none
  private var since = Interval.zero
  /// The faults that take effect when it is read next while it is wrong.
  var marks: [Int] = []

  var isRight: Bool { offset == .zero && drift == .none }

  /// How much it shows too much.
  func deviation(at now: Interval) -> Interval {
    if drift == .none { return offset }
    let elapsed = (now - since).nanoseconds
    let gain = Int64(drift.gain)
    let per = Int64(drift.per)
    // Apart, because the product would overflow after long runs.
    return offset
      + Interval(nanoseconds: elapsed / per * gain + elapsed % per * gain / per)
  }

  mutating func setDeviation(_ deviation: Interval, at now: Interval) {
    offset = deviation
    since = now
  }

  mutating func jump(by interval: Interval, at now: Interval) {
    setDeviation(deviation(at: now) + interval, at: now)
  }

  mutating func setDrift(_ drift: ClockDrift, at now: Interval) {
    setDeviation(deviation(at: now), at: now)
    self.drift = drift
  }
}

extension Simulator {
  /// The time as a client sees it, which calls its clock now.
  package mutating func clock(of client: ClientIndex) -> Instant { readClock(of: client.number) }

  /// The time as a client sees it.
  mutating func readClock(of index: Int) -> Instant {
    if participants[index].clock.isRight { return clock }
    if !participants[index].clock.marks.isEmpty {
      for mark in participants[index].clock.marks { takeEffect(mark) }
      participants[index].clock.marks = []
    }
    return clock + participants[index].clock.deviation(at: now)
  }

  /// Changes the clock of a client, which is right after that or not.
  mutating func moveClock(
    of index: Int, _ mark: Int?, isRight: Bool, _ move: (inout LocalClock, Interval) -> Void
  ) {
    faults.takeEffect(mark, if: isRight && !participants[index].clock.isRight)
    move(&participants[index].clock, now)
    if let mark { participants[index].clock.marks.append(mark) }
  }
}
