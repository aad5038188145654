public import ClientInterface
internal import Conformance
public import Scenario
internal import Trace
internal import TraceFiles
public import Tree

/// A session, written as a scenario.
public struct ExtractedScenario: Sendable {
  /// The scenario, with everything that it expects.
  public var scenario: Scenario
  /// As what the clients of the session are judged.
  public var profile: Profile
  /// For each step, whether the session contains it; else it is inferred.
  public var isKnown: [Bool]
  /// The clients whose calls the session contains, by name; those of the others are inferred.
  public var reported: [String]
  /// How the run with the reference client compares with the session.
  public var similarity: Similarity

  /// What a run has in common with the session.
  public struct Similarity: Sendable {
    /// How many requests the clients of the session sent, and how many of them come in the run in
    /// the same order.
    public var requests = 0
    /// How many requests of the session come in the run in the same order.
    public var same = 0
    /// Those that are only in the session, and those that are only in the run: client and request.
    public var missing: [(client: String, request: JSON)] = []
    /// Requests that are only in the run, each with the name of the client that sends it.
    public var added: [(client: String, request: JSON)] = []
    /// The verdict of the run that fills in what is expected by the reference client alone.
    public var isSettled = true

    /// Where the server's trees at the end differ, the first location, with both values.
    public var difference: (path: Path, session: JSON, run: JSON)?

    /// How many things the reference client does not show that recorded clients did, or the other
    /// way round.
    public var divergences = 0

    /// Whether the run sends the same requests, settles and shows nothing that diverges.
    public var isExact: Bool {
      missing.isEmpty && added.isEmpty && isSettled && divergences == 0 && difference == nil
    }
  }

  /// Writes a session again.
  ///
  /// - Parameters:
  ///   - session: What is known of it.
  ///   - title: The title of the scenario.
  ///   - profile: As what clients are judged; `nil` for what the session says.
  public init(of session: ObservedSession, title: String, profile: Profile? = nil) {
    let profile = profile ?? session.file.header.profile
    if session.file.header.session == nil,
      let scenario = try? session.file.header.readScenario(of: session.file.header.file)
    {
      self.init(of: session, run: scenario, title: title, profile)
      return
    }
    self.init(ExtractionDraft(session, title: title, profile), profile)
  }

  private init(_ draft: ExtractionDraft, _ profile: Profile) {
    self.profile = profile
    reported = draft.timeline.reported.sorted().map { draft.names[$0] }
    let best = draft.best()
    isKnown = best.scriptSteps.isKnown
    similarity = best.similarity
    scenario = best.scenario
  }

  /// A run in virtual time knows its own steps.
  private init(
    of session: ObservedSession, run scenario: Scenario, title: String, _ profile: Profile
  ) {
    let header = session.file.header
    var scenario = header.judging == .invariants ? scenario.withoutExpectations : scenario
    scenario.title = title
    scenario.profiles = [profile]
    scenario.judging = .expectations
    scenario.choices = header.choices
    if header.seed != 0, scenario.statedSeed == nil {
      scenario.choices = header.choices + [.seed(header.seed)]
    }
    self.profile = profile
    reported = header.clients
    isKnown = Array(repeating: true, count: scenario.steps.count)
    let runner = ExtractionDraft.runner(header.seed)
    similarity = Similarity(
      of: ExtractionDraft.requests(in: session.file.trace, header.clients.count),
      and: ExtractionDraft.requests(
        in: runner.run(scenario, in: profile).trace, header.clients.count),
      names: header.clients)
    let trace = session.file.trace
    let ends = Instant(milliseconds: 1_480_000_000_000)
    let filled = runner.expecting(scenario, in: profile) ?? scenario
    self.scenario = filled.witnessed(
      by: Scenario.RecordedSession(
        session: trace, bounds: Self.bounds(of: scenario.steps.count, in: trace),
        times: ends...(ends + (trace.events.last?.time ?? .zero)), server: .empty))
    for index in self.scenario.steps.indices {
      // What the server stored is nowhere in a trace; the reference client says it.
      self.scenario.steps[index].expectation?.server =
        filled.steps[index].expectation?.server
    }
  }

  /// Where steps begin and end in the trace of their run.
  private static func bounds(of count: Int, in trace: Trace) -> [Range<Int>] {
    var begins: [Int] = []
    for event in trace.events {
      if case .step = event.kind { begins.append(event.sequence) }
    }
    while begins.count < count + 1 { begins.append(trace.count) }
    return (0..<count).map { begins[$0]..<begins[$0 + 1] }
  }
}

extension ExtractedScenario.Similarity {
  init(of session: [[JSON]], and run: [[JSON]], names: [String]) {
    for (index, name) in names.enumerated() {
      let (old, new) = (session[index], run[index])
      requests += old.count
      same += old.count
      if old == new { continue }
      // Long ones are compared roughly: the exact way takes time with the square of their length.
      if old.count > 3000 {
        same -= max(0, old.count - zip(old, new).prefix { $0 == $1 }.count)
        missing.append((name, old.first ?? .null))
        continue
      }
      for change in new.difference(from: old) {
        switch change {
        case let .remove(_, request, _):
          same -= 1
          missing.append((name, request))
        case let .insert(_, request, _): added.append((name, request))
        }
      }
    }
  }
}
