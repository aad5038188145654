import AdapterSessions
import ClientInterface
import Glibc
import LiveServer
import Scenario
import ServerHost
import System

/// The live server of one run, with a port for each client, so that every connection has an owner.
final class RunServer {
  /// How often the run looks around when nothing happens.
  static let pollInterval = Interval.milliseconds(2)
  /// How many TCP connections the clients may have at once.
  private static let maxConnections = 256

  let loop: SocketLoop
  /// The port of each client.
  private(set) var ports: [Int] = []
  private let listening: Listening
  private let alarm: RepeatingTimer

  /// - Parameters:
  ///   - scenario: Its data, security rules and tokens hold.
  ///   - profile: What its clients follow: the server has the ranges of their family.
  ///   - seed: Determines the random parts of ids, and latencies that are drawn.
  ///   - start: When the run begins; the lifetimes of tokens count from then.
  ///   - isRelay: Whether a server elsewhere does what clients ask.
  ///   - outputs: Descriptors of the adapter; what they receive ends a wait.
  ///   - warn: Receives warnings, a line each.
  /// - Throws: `Failure.notStarted` when there is no free port.
  init(
    _ scenario: Scenario, _ profile: Profile, seed: UInt64, start: Instant,
    isRelay: Bool, watching outputs: [Int32],
    warn: @escaping (String) -> Void
  ) throws(Failure) {
    loop = SocketLoop(
      Self.server(scenario, profile, seed: seed, start: start, isRelay: isRelay),
      maxConnections: Self.maxConnections, warn: warn)
    listening = loop.makeListening()
    alarm = RepeatingTimer(pause: { Self.pollInterval.nanoseconds / 1000 }, action: {})
    try listening.beginEmpty()
    for name in scenario.clients {
      let (port, host) = try listening.addPort(for: name)
      loop.owners[host] = name
      ports.append(port)
      if ports.count == 1 {
        for descriptor in outputs { listening.watch(dup(descriptor), with: host) }
      }
    }
    alarm.start(in: listening)
  }

  private static func server(
    _ scenario: Scenario, _ profile: Profile, seed: UInt64, start: Instant, isRelay: Bool
  ) -> FaultyServer {
    var settings = LiveServerSettings(seed: seed)
    settings.take(scenario, from: start)
    settings.ranges = profile.ranges
    settings.isRecorded = true
    settings.isRelay = isRelay
    return FaultyServer(LiveServer(settings), clients: scenario.clients, seed: seed)
  }

  /// Handles what has happened at sockets, or waits for something, as long as ``pollInterval``.
  ///
  /// - Returns: By how much that took longer, because this process did not run.
  func poll() -> Interval {
    let start = Measurement.now
    listening.serve()
    let passed = Interval(nanoseconds: Measurement.now - start)
    return max(.zero, passed - Self.pollInterval)
  }

  /// Closes every connection.
  func end() {
    loop.observer = nil
    alarm.end()
    listening.end()
  }
}

/// The time of day in a run: as shown at its start, and from then on by a clock that is never set.
struct RunTime {
  let start = SocketLoop.now
  private let monotonicStart = Measurement.now

  var now: Instant {
    Instant(nanoseconds: start.nanoseconds + Measurement.now - monotonicStart)
  }
}
