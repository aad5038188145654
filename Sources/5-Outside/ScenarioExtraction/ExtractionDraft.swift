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
  let names: [String]
  let timeline: Timeline
  /// Everything that happened, in order.
  let lines: [ScriptLine]

  private let session: ObservedSession
  private let profile: Profile
  private let title: String
  private let setup: Scenario?
  private let foreignWrites: ForeignWriteInference
  private let labels: RecordedLabels

  init(_ session: ObservedSession, title: String, _ profile: Profile) {
    let header = session.file.header
    let names = distinct(header.clients.map(Self.name))
    let timeline = Timeline(session)
    let setup = try? header.readScenario(of: "")
    let foreignWrites = ForeignWriteInference.made(
      of: timeline, names: names, session, setup: setup)
    var labels = RecordedLabels()
    let scripts = names.enumerated().map { client, name in
      ClientScript(of: client, name, in: timeline, foreignWrites, &labels)
    }
    let lines =
      foreignWrites.lines + foreignWrites.knownLines + scripts.flatMap(\.calls)
      + scripts.flatMap(\.connections)
    self.lines = lines.enumerated().sorted {
      ($0.element.time, $0.element.event, $0.offset)
        < ($1.element.time, $1.element.event, $1.offset)
    }.map(\.element)
    (self.session, self.title, self.profile, self.setup) = (session, title, profile, setup)
    (self.names, self.timeline) = (names, timeline)
    (self.foreignWrites, self.labels) = (foreignWrites, labels)
  }

  /// Names of clients have a form, and none may be called like something else.
  private static func name(_ text: String) -> String {
    let plain = text.asName
    let reserved = [
      "server", "network", "wait", "settle", "expect", "expect-now", "frames", "order",
      "converged", "one-of", "together", "disarm", "client", "latency", "cache", "when",
    ]
    return plain.first?.isLetter == true && !reserved.contains(plain) ? plain : "c\(plain)"
  }
}

// MARK: - Versions

extension ExtractionDraft {
  static func runner(_ seed: UInt64) -> ScenarioRunner {
    ScenarioRunner(seed: seed) { ReferenceClient(profile: $1) }
  }

  private var runner: ScenarioRunner { Self.runner(session.file.header.seed) }

  /// The version whose run has most in common with the session.
  func best() -> ExtractedScenario {
    var best = version(.restful, delaysExactly: false)
    let isUniform = timeline.isUniform || timeline.sent.count > 5000
    for pace in ScriptSteps.Pace.allCases {
      for isExact in isUniform ? [false] : [false, true] where !best.similarity.isExact {
        if pace == .restful, !isExact { continue }
        let next = version(pace, delaysExactly: isExact)
        if next.similarity.isCloser(than: best.similarity) { best = next }
      }
    }
    return best
  }

  private func version(_ pace: ScriptSteps.Pace, delaysExactly: Bool) -> ExtractedScenario {
    var scenario = Scenario(id: "extracted", file: "", title: title, clients: names)
    scenario.profiles = [profile]
    scenario.data = foreignWrites.data
    scenario.security = foreignWrites.security
    scenario.tokens = foreignWrites.tokens
    if let setup { scenario.persistence = setup.persistence }
    for (client, opening) in timeline.openings {
      if let kept = opening.persistence { scenario.persistence[names[client]] = kept }
    }
    var start = lines.first { $0.action.category != .observation }?.time ?? .zero
    if let hello = firstHello, start < hello {
      scenario.start = .opening
      start = min(start, timeline.moments.first?.time ?? .zero)
    }
    scenario.latency = timeline.latency(names, exactly: delaysExactly)
    if delaysExactly { scenario.choices = timeline.choices(names) }
    let scriptSteps = ScriptSteps(
      lines, of: timeline, from: start, pace: pace, events: session.file.trace.count)
    scenario.steps = scriptSteps.steps
    if let last = scenario.steps.indices.last {
      scenario.steps[last].expectation?.server = .any
    }
    scenario.rules = scenario.ruleCitations
    let known = timeline.reported.sorted().map { names[$0] }
    var version = ExtractedScenario(
      scenario: expecting(scenario, scriptSteps.bounds, of: known), profile: profile,
      isKnown: scriptSteps.isKnown, reported: known, similarity: similarity(of: scenario))
    if !known.isEmpty {
      // What recorded clients showed decides whether the times were kept closely enough.
      version.similarity.divergences = runner.run(version.scenario, in: profile).divergences.count
    }
    return version
  }

  private var firstHello: Interval? {
    timeline.moments.first { if case .hello? = $0.received { true } else { false } }?.time
  }

  private func similarity(of scenario: Scenario) -> ExtractedScenario.Similarity {
    let free = scenario.withoutExpectations
    let run = runner.run(free, in: profile)
    var result = ExtractedScenario.Similarity(
      of: session.file.trace, and: run.trace, names: names)
    result.isSettled = run.stepsRun == free.steps.count
    if session.view == .everything {
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
    var renamed = Trace()
    for event in session.file.trace.events {
      renamed.append(
        labels.event(event.kind), cause: event.cause, time: event.time, step: event.step)
    }
    let witnessed = scenario.witnessed(
      by: renamed, bounds, times: session.times, server: foreignWrites.server.tree)
    return reference.replacing(Set(known), by: witnessed).withoutIdleNames
  }
}

extension Scenario {
  /// The scenario with what it expects of some clients taken from another one of the same steps.
  fileprivate func replacing(_ clients: Set<String>, by other: Scenario) -> Scenario {
    var copy = self
    for index in steps.indices {
      if let call = other.steps[index].action.call, clients.contains(call.client) {
        copy.steps[index].action = .call(call)
      }
      guard var own = steps[index].expectation, let reported = other.steps[index].expectation else {
        continue
      }
      own.listeners.removeAll { clients.contains($0.client) }
      own.listeners += reported.listeners.filter { clients.contains($0.client) }
      own.outcomes.removeAll { clients.contains($0.client) }
      own.outcomes += reported.outcomes.filter { clients.contains($0.client) }
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
