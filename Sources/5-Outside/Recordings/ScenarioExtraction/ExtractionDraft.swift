internal import ClientInterface
internal import Conformance
internal import Document
internal import ReferenceClient
internal import ReferenceServer
internal import Scenario
internal import Trace
internal import TraceFiles
internal import Tree
internal import Wire

/// A session on its way to being a scenario: what is known and inferred, and the ways to write it.
struct ExtractionDraft {
  let timeline: Timeline
  /// Everything that happened, in order.
  let lines: [ScriptLine]

  private let foreignWrites: ForeignWriteInference
  /// By client.
  private let labels: [RecordedLabels]

  init(_ session: ObservedSession, title: String, _ profile: Profile) {
    let (timeline, header) = (Timeline(session), session.file.header)
    var scenario = Scenario(id: "extracted", file: "", title: title, clients: timeline.names)
    scenario.profiles = [profile]
    let setup = try? header.readScenario(of: "")
    if let setup {
      (scenario.security, scenario.tokens) = (setup.security, setup.tokens)
      scenario.persistence = setup.persistence
    }
    for (client, opening) in timeline.openings {
      if let kept = opening.persistence { scenario.persistence[timeline.names[client]] = kept }
    }
    let data = setup?.data ?? header.session?.data ?? .empty
    scenario.data = data
    let foreignWrites = ForeignWriteInference(
      timeline, scenario, knowsData: setup != nil || !data.isEmpty)
    let scripts = timeline.names.indices.map { ClientScript(of: $0, in: timeline, foreignWrites) }
    let lines =
      foreignWrites.lines + foreignWrites.knownLines + scripts.flatMap(\.calls)
      + scripts.flatMap(\.connections)
    self.lines = lines.enumerated().sorted {
      ($0.element.time, $0.element.event, $0.offset)
        < ($1.element.time, $1.element.event, $1.offset)
    }.map(\.element)
    (self.timeline, self.foreignWrites) = (timeline, foreignWrites)
    labels = scripts.map(\.labels)
  }
}

/// Something that happened in a session as a step of a scenario, with its time.
struct ScriptLine {
  let time: Interval
  /// The event of the session.
  let event: Int
  var action: Action
  /// Whether the session contains it; else it is inferred.
  var isKnown = false
}

extension ScriptLine {
  /// Something that happened at a moment, or so many events of the session later.
  init(
    _ action: Action, at moment: Timeline.Moment, later events: Int = 0, isKnown: Bool = false
  ) {
    self.init(time: moment.time, event: moment.event + events, action: action, isKnown: isKnown)
  }

  /// Whether there must be time between it and the next one, where messages take none: only between
  /// writes of one client none is needed.
  fileprivate func needsGap(before next: ScriptLine) -> Bool {
    let writers = [self, next].compactMap(\.action.call).filter {
      $0.operation.kind.family == .writing
    }
    return writers.count < 2 || writers[0].client != writers[1].client
  }
}

// MARK: - Versions

extension ExtractionDraft {
  static func runner(_ seed: UInt64) -> ScenarioRunner {
    ScenarioRunner(seed: seed) { ReferenceClient(profile: $1) }
  }

  private var session: ObservedSession { timeline.session }
  private var profile: Profile { foreignWrites.scenario.profiles[0] }
  private var runner: ScenarioRunner { Self.runner(session.file.header.seed) }

  /// The version whose run has most in common with the session.
  func best() -> ExtractedScenario {
    let isUniform =
      timeline.isUniform && (timeline.lost.isEmpty || timeline.isImmediate)
      || timeline.moments.count(where: \.isSent) > 5000
    let ways = ScriptSteps.Pace.allCases.flatMap { pace in
      (isUniform ? [false] : [false, true]).map { (pace: pace, isExact: $0) }
    }
    var best = version(ways[0].pace, delaysExactly: ways[0].isExact)
    for way in ways.dropFirst() where !best.similarity.isExact {
      let next = version(way.pace, delaysExactly: way.isExact)
      if next.similarity.isCloser(than: best.similarity) { best = next }
    }
    return best
  }

  private func version(_ pace: ScriptSteps.Pace, delaysExactly: Bool) -> ExtractedScenario {
    var scenario = foreignWrites.scenario
    var start = lines.first { $0.action.category != .observation }?.time ?? .zero
    let hello = timeline.moments.first { if case .hello? = $0.received { true } else { false } }
    if let hello, start < hello.time {
      scenario.start = .opening
      start = min(start, timeline.moments.first?.time ?? .zero)
    }
    scenario.latency = timeline.latency(exactly: delaysExactly)
    if delaysExactly { scenario.choices = timeline.choices }
    let script = ScriptSteps(lines, of: timeline, from: start, pace: pace)
    scenario.steps = script.steps
    if let last = scenario.steps.indices.last {
      scenario.steps[last].expectation?.server = .any
    }
    var rules: [String] = []
    for rule in scenario.calls.compactMap(\.operation.rule) where !rules.contains(rule) {
      rules.append(rule)
    }
    scenario.rules = (rules.isEmpty ? ["CON-1"] : rules).map {
      .init(id: $0, position: .init(line: 1, column: 1))
    }
    let known = timeline.reported.sorted().map { timeline.names[$0] }
    var version = ExtractedScenario(
      scenario: expecting(scenario, script.bounds, of: known), profile: profile,
      isKnown: script.isKnown, reported: known, similarity: similarity(of: scenario))
    if !known.isEmpty {
      // What recorded clients showed decides whether the times were kept closely enough.
      version.similarity.divergences = runner.run(version.scenario, in: profile).divergences.count
    }
    return version
  }

  private func similarity(of scenario: Scenario) -> ExtractedScenario.Similarity {
    let free = scenario.withoutExpectations
    let run = runner.run(free, in: profile)
    var result = ExtractedScenario.Similarity(
      of: session.file.trace, and: run.trace, names: timeline.names)
    result.isSettled = run.stepsRun == free.steps.count
    if session.seesServer {
      result.difference = TreeComparison.first(foreignWrites.server.tree, run.serverTree)
    }
    return result
  }

  /// The scenario with what it expects: what clients have shown whose calls are known, and of the
  /// others what the reference client shows.
  private func expecting(
    _ scenario: Scenario, _ bounds: [Range<Int>], of known: [String]
  ) -> Scenario {
    let reference = runner.expecting(scenario, in: profile) ?? scenario
    if known.isEmpty { return reference }
    var labels = labels
    let renamed = session.file.trace.events.reduce(into: Trace()) { trace, event in
      var kind = event.kind
      if case let .output(client, output) = kind {
        kind = .output(client, labels[client.number].renamed(output))
      }
      trace.append(kind, cause: event.cause, time: event.time, step: event.step)
    }
    let witnessed = scenario.witnessed(
      by: renamed, bounds, times: session.times, server: foreignWrites.server.tree)
    return witnessed.completed(by: reference, except: known).withoutIdleNames
  }
}

extension Scenario {
  /// The scenario with what another one of the same steps expects of the server, and of all clients
  /// except these.
  func completed(by other: Scenario, except clients: [String]) -> Scenario {
    var copy = self
    for (index, step) in other.steps.enumerated() {
      if let call = step.action.call, !clients.contains(call.client) {
        copy.steps[index].action = step.action
      }
      guard let rest = step.expectation, var own = copy.steps[index].expectation else { continue }
      own.server = rest.server
      own.listeners =
        rest.listeners.filter { !clients.contains($0.client) }
        + own.listeners.filter { clients.contains($0.client) }
      own.outcomes =
        rest.outcomes.filter { !clients.contains($0.client) }
        + own.outcomes.filter { clients.contains($0.client) }
      for line in own.listeners.indices {
        own.listeners[line].position = Position(line: line + 1, column: 1)
      }
      for line in own.outcomes.indices {
        own.outcomes[line].position = Position(
          line: own.listeners.count + line + 1, column: 1)
      }
      copy.steps[index].expectation = own
    }
    return copy
  }
}

// MARK: - Steps

/// The steps of a scenario of a session, and where they are in the session.
private struct ScriptSteps {
  /// How closely the times of the session are kept.
  enum Pace: CaseIterable {
    /// The run settles wherever the session did: what a person would write.
    case restful
    /// Every step has its time.
    case exact
    /// The same, but clients that connect again are waited for.
    case untilSettled
  }

  private(set) var steps: [Step] = []
  private(set) var bounds: [Range<Int>] = []
  /// Whether a step is known from the session; else it is inferred.
  private(set) var isKnown: [Bool] = []

  private var now: Interval
  private var last: ScriptLine?
  private var hasNews = false

  /// Makes the steps of lines, which are in order. Where the run has to settle, if the pace asks for
  /// that, a line does so. At the end of the session something is expected.
  init(_ lines: [ScriptLine], of timeline: Timeline, from start: Interval, pace: Pace) {
    now = start
    for line in lines {
      if case .settle = line.action {
        guard pace == .untilSettled else { continue }
        add(.settle, at: line.event)
        now = max(now, line.time)
      } else {
        pass(to: line, in: timeline, pace)
        add(line.action, at: line.event, isKnown: line.isKnown)
        (last, hasNews) = (line, true)
      }
    }
    add(.expect, at: timeline.session.file.trace.count, expecting: .settled)
  }

  /// Lets time pass until a line.
  private mutating func pass(to line: ScriptLine, in timeline: Timeline, _ pace: Pace) {
    var gap = line.time - now
    if timeline.isImmediate {
      // Clocks of machines are more precise than is readable.
      gap = .milliseconds(Int(gap.milliseconds.rounded()))
      if gap < .milliseconds(1) {
        gap = last?.needsGap(before: line) == true ? .milliseconds(1) : .zero
      }
    }
    guard gap > .zero else { return }
    now = now + gap
    if last == nil { return }
    let isPause = hasNews && gap >= timeline.pause
    if isPause, pace == .restful {
      add(.expect, at: line.event, expecting: .settled)
    } else {
      add(.wait(gap), at: line.event, expecting: isPause ? .now : nil)
    }
  }

  private mutating func add(
    _ action: Action, at event: Int, expecting timing: Expectation.Timing? = nil,
    isKnown: Bool = true
  ) {
    let position = Position(line: steps.count + 1, column: 1)
    let begin = max(bounds.last?.upperBound ?? 0, event)
    steps.append(
      Step(
        file: "", position: position, text: "", action: action,
        expectation: timing.map { Expectation(position: position, timing: $0) }))
    bounds.append(begin..<begin)
    self.isKnown.append(isKnown)
    if timing != nil { hasNews = false }
  }
}

extension Operation {
  /// The rule that a scenario is about in which a client does this.
  fileprivate var rule: String? {
    switch kind.family {
    case .listening: registration == nil ? nil : "EVT-1"
    case .writing: kind == .setPriority ? "PRI-1" : "WRT-1"
    case .transaction: "TXN-1"
    case .onDisconnect: "OND-1"
    case .credential: "ACC-13"
    case .connection, .inspection: nil
    case .reaction: "CBK-1"
    }
  }
}
