package import ClientInterface
internal import Scenario
package import Trace

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
