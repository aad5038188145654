package import ClientInterface
internal import RunModel
internal import Scenario
package import Trace

/// Compares each client with a reference client that is given exactly the same calls and messages:
/// its shadow.
///
/// Invariants say what is always true; a shadow says what is right here. What both let their
/// applications see must be the same at each listener and each call. When a client sends its
/// requests, in which order, with which numbers and tags, whether it listens to more than it must,
/// and when its timers fire is its own affair.
struct ShadowMonitor {
  private var shadows: [Shadow]
  private let epoch: Instant
  init(clients count: Int, epoch: Instant, make: @escaping () -> any SyncClient) {
    self.epoch = epoch
    shadows = (0..<count).map { Shadow(ClientIndex($0), make: make) }
  }

  /// Takes the next turn of a client.
  mutating func take(_ step: ClientStep) {
    guard shadows.indices.contains(step.client.number) else { return }
    shadows[step.client.number].take(step, at: step.wrongClock ?? epoch + step.time)
  }

  /// What differs now that the run has settled; the earliest first.
  mutating func judgeSettled() -> [ShadowDifference] {
    for index in shadows.indices { shadows[index].settle() }
    return shadows.indices.flatMap { shadows[$0].takeDifferences() }.inOrder
  }

  /// What the shadows do in a whole run, until a moment.
  mutating func accounts(
    of trace: Trace, wrongTimes: [Int: Instant], until end: Interval
  ) -> [[TraceEvent]] {
    for index in shadows.indices { shadows[index].account = [] }
    var turns = TurnReader()
    trace.events.forEach(from: 0) { event in
      if let step = turns.take(event, of: trace, wrongTimes: wrongTimes) { take(step) }
    }
    if let step = turns.finish() { take(step) }
    return shadows.indices.map { shadows[$0].takeAccount(until: end) }
  }

  /// What differs although the run has not settled: what is missing may still come.
  mutating func judgeEnd() -> [ShadowDifference] {
    for index in shadows.indices { shadows[index].compare(.soFar) }
    return shadows.indices.flatMap { shadows[$0].takeDifferences() }.inOrder
  }
}

/// What a client and its shadow let their applications see differently.
struct ShadowDifference {
  var client: ClientIndex
  /// The name of a listener or of a call.
  var label: String
  var about: About
  /// The event of the trace in which it became apparent.
  var evidence: Int

  enum About {
    case listener(expected: [Observation], observed: [Observation])
    case call(expected: Outcome?, observed: Outcome?)
  }
}

extension [ShadowDifference] {
  fileprivate var inOrder: [ShadowDifference] {
    enumerated().sorted { ($0.element.evidence, $0.offset) < ($1.element.evidence, $1.offset) }
      .map(\.element)
  }
}

extension Shadow {
  /// What the shadow has done until a moment, and the try to connect that it would make next, or what
  /// it would do about silence: send a keep-alive.
  mutating func takeAccount(until end: Interval) -> [TraceEvent] {
    if isRunning { fireTimers(before: end) }
    if connection == .none, isRunning, !isBlind,
      let retry = timers.first(where: { $0.purpose == .backOff })
    {
      record(.connect, at: retry.due)
    }
    if connection == .open, isRunning, !isBlind {
      fireTimers(.keepAlive, before: Interval(nanoseconds: .max))
    }
    return account ?? []
  }

  /// Records what the shadow does, after the event of the trace because of which it does it.
  mutating func record(_ output: ClientOutput, at time: Interval, because cause: Int? = nil) {
    let kind = TraceEvent.Kind.output(client, output)
    account?.append(TraceEvent(sequence: 0, cause: cause, time: time, step: 0, kind: kind))
  }
}

extension ScenarioResult {
  /// What a client does that is given the calls and messages of each client of the run, client by
  /// client; last what it would do next, a try to connect without a cause.
  package func shadowed(by make: @escaping () -> any SyncClient) -> [[TraceEvent]] {
    guard let end = trace.events.last?.time else { return [] }
    var monitor = ShadowMonitor(clients: scenario.clients.count, epoch: epoch, make: make)
    return monitor.accounts(of: trace, wrongTimes: wrongTimes, until: end)
  }
}
