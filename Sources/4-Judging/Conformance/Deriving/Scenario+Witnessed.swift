public import ClientInterface
public import Scenario
public import Trace
public import Tree

extension Scenario {
  /// What clients have shown in a session that was recorded, and where its parts stand.
  public struct RecordedSession: Sendable {
    /// The recorded events of the clients, in the order in which they happened.
    public var session: Trace
    /// For each step of the scenario, how many events of the session there were before it, and
    /// before the next one.
    public var bounds: [Range<Int>]
    /// What clocks showed at the start and at the end of the session.
    public var times: ClosedRange<Instant>
    /// What the server stored in the end.
    public var server: Node

    /// A session whose `bounds` are ranges of positions in its events, one for each step of the
    /// scenario.
    public init(
      session: Trace, bounds: [Range<Int>], times: ClosedRange<Instant>, server: Node
    ) {
      self.session = session
      self.bounds = bounds
      self.times = times
      self.server = server
    }
  }

  /// Fills in what the scenario expects: what the clients of a session have shown.
  ///
  /// As ``ScenarioRunner/expecting(_:in:)`` does with what clients show in a run.
  public func witnessed(by recordedSession: RecordedSession) -> Scenario {
    var receiving = RecordedRunJudge(self, recordedSession)
    return receiving.expectations()
  }
}

/// Goes through a session as a run goes through its events.
private struct RecordedRunJudge {
  private let scenario: Scenario
  private let recordedSession: Scenario.RecordedSession
  private var observationLog: ObservationLog
  private var recorder = Recorder()
  private var shown = Trace()

  init(_ scenario: Scenario, _ recordedSession: Scenario.RecordedSession) {
    self.scenario = scenario
    self.recordedSession = recordedSession
    observationLog = ObservationLog(clients: scenario.clients)
    recorder.serverTimes = [
      recordedSession.times.lowerBound.milliseconds...recordedSession.times.upperBound.milliseconds
    ]
  }

  mutating func expectations() -> Scenario {
    var copy = scenario
    for (index, step) in scenario.steps.enumerated() {
      read(upTo: recordedSession.bounds[index].lowerBound)
      register(step, number: index + 1)
      guard let expectation = step.expectation else { continue }
      read(upTo: recordedSession.bounds[index].upperBound)
      copy.steps[index].expectation = recorder.filled(
        expectation, observationLog, server: recordedSession.server)
      observationLog.beginWindow(at: shown.events.last?.time ?? .zero)
    }
    copy.nameCalls(listed: recorder.named)
    return copy
  }

  private mutating func register(_ step: Step, number: Int) {
    for call in step.parts.compactMap(\.action.call) {
      guard let client = observationLog.registry.index(of: call.client) else { continue }
      observationLog.registry.add(call, of: client, step: number, sequence: shown.count)
    }
  }

  private mutating func read(upTo bound: Int) {
    let events = recordedSession.session.events
    let first = shown.count
    while shown.count < min(bound, events.count) {
      let event = events[shown.count]
      shown.append(event.kind, cause: event.cause, time: event.time, step: event.step)
    }
    shown.events.forEach(from: first) { observationLog.take($0) }
  }
}
