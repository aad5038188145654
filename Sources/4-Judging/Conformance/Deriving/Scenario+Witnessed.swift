public import ClientInterface
public import Scenario
public import Trace
public import Tree

extension Scenario {
  /// What clients have shown in a session that was recorded, and where its parts stand.
  public struct Testimony: Sendable {
    public var session: Trace
    /// For each step of the scenario, how many events of the session there were before it, and before
    /// the next one.
    public var bounds: [Range<Int>]
    /// What clocks showed at the start and at the end of the session.
    public var times: ClosedRange<Instant>
    /// What the server stored in the end.
    public var server: Node

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
  public func witnessed(by testimony: Testimony) -> Scenario {
    var hearing = Hearing(self, testimony)
    return hearing.expectations()
  }
}

/// Goes through a session as a run goes through its events.
private struct Hearing {
  private let scenario: Scenario
  private let testimony: Scenario.Testimony
  private var journal: Journal
  private var recorder = Recorder()
  private var shown = Trace()

  init(_ scenario: Scenario, _ testimony: Scenario.Testimony) {
    self.scenario = scenario
    self.testimony = testimony
    journal = Journal(clients: scenario.clients, profile: scenario.profiles.first ?? .firebase)
    recorder.serverTimes = [
      testimony.times.lowerBound.milliseconds...testimony.times.upperBound.milliseconds
    ]
  }

  mutating func expectations() -> Scenario {
    var copy = scenario
    for (index, step) in scenario.steps.enumerated() {
      read(upTo: testimony.bounds[index].lowerBound)
      register(step, number: index + 1)
      guard let expectation = step.expectation else { continue }
      read(upTo: testimony.bounds[index].upperBound)
      copy.steps[index].expectation = recorder.filled(
        expectation, journal, server: testimony.server)
      journal.turn(at: shown.events.last?.time ?? .zero)
    }
    copy.nameCalls(listed: recorder.named)
    return copy
  }

  private mutating func register(_ step: Step, number: Int) {
    for call in step.parts.compactMap(\.action.call) {
      guard let client = journal.registry.index(of: call.client) else { continue }
      journal.registry.add(call, of: client, step: number, sequence: shown.count)
    }
  }

  private mutating func read(upTo bound: Int) {
    let events = testimony.session.events
    while shown.count < min(bound, events.count) {
      let event = events[shown.count]
      shown.append(event.kind, cause: event.cause, time: event.time, step: event.step)
    }
    journal.read(shown)
  }
}
