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
  struct Version {
    var scenario: Scenario
    var scriptSteps: ScriptSteps
    var similarity: ExtractedScenario.Similarity
  }

  let session: ObservedSession
  let names: [String]
  let timeline: Timeline
  private let profile: Profile
  private let title: String
  private let setup: Scenario?
  private let foreignWrites: ForeignWriteInference
  let calls: [[CallInference.Call]]
  private var labels = RecordedLabels()
  private let delays: Delays

  init(_ session: ObservedSession, title: String, _ profile: Profile) {
    self.session = session
    self.title = title
    self.profile = profile
    var labels = RecordedLabels()
    let header = session.file.header
    var taken: Set<String> = []
    names = header.clients.enumerated().map { Self.name($1, $0, &taken) }
    let timeline = Timeline(session)
    self.timeline = timeline
    setup = try? header.readScenario(of: "")
    let foreignWrites = ForeignWriteInference.made(
      of: timeline, names: names, session, setup: setup)
    self.foreignWrites = foreignWrites
    calls = names.indices.map { client in
      guard timeline.reported.contains(client) else {
        return CallInference(of: client, in: timeline, bases: foreignWrites.bases).calls
      }
      return Self.reported(client, in: timeline, &labels)
    }
    self.labels = labels
    delays = Delays(timeline)
  }

  /// Names of clients have a form, and none may be called like something else.
  private static func name(_ text: String, _ index: Int, _ taken: inout Set<String>) -> String {
    let plain = text.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    let reserved = [
      "server", "network", "wait", "settle", "expect", "expect-now", "frames", "order",
      "converged", "one-of", "together", "disarm", "client",
    ]
    var name = plain.first?.isLetter == true && !reserved.contains(plain) ? plain : "c\(plain)"
    if !taken.insert(name).inserted {
      name += "-\(index + 1)"
      taken.insert(name)
    }
    return name
  }

  private static func reported(
    _ client: Int, in timeline: Timeline, _ labels: inout RecordedLabels
  ) -> [CallInference.Call] {
    timeline.moments.compactMap { moment in
      guard moment.client == client, case let .call(id, operation) = moment.what else {
        return nil
      }
      let (label, own) = labels.call(id, operation, of: ClientIndex(client))
      return CallInference.Call(
        time: moment.time, event: moment.event, id: label, operation: own,
        isNamed: !id.name.hasPrefix("#"))
    }
  }
}

extension ExtractionDraft {
  static func runner(_ seed: UInt64) -> ScenarioRunner {
    ScenarioRunner(seed: seed) { ReferenceClient(profile: $1) }
  }

  /// The version whose run has most in common with the session.
  func best() -> Version {
    var best: Version?
    for pace in ScenarioScript.Pace.allCases {
      for exactly in delays.isUniform || timeline.sent.count > 5000 ? [false] : [false, true] {
        let version = version(pace, delaysExactly: exactly)
        if version.similarity.isExact { return version }
        if best.map({ version.similarity.isCloser(than: $0.similarity) }) ?? true { best = version }
      }
    }
    return best ?? version(.exact, delaysExactly: false)
  }

  private func version(_ pace: ScenarioScript.Pace, delaysExactly: Bool) -> Version {
    let script = ScenarioScript(
      timeline, names: names, calls: calls, foreignWrites, isImmediate: delays.areNone)
    var scenario = Scenario(id: "extracted", file: "", title: title, clients: names)
    scenario.profiles = [profile]
    scenario.data = foreignWrites.data
    scenario.security = foreignWrites.security
    scenario.tokens = foreignWrites.tokens
    if let setup { scenario.persistence = setup.persistence }
    for (client, kept) in timeline.persistence { scenario.persistence[names[client]] = kept }
    var start = script.lines.first { !$0.settles }?.time ?? .zero
    if let hello = firstHello, start < hello {
      scenario.start = .opening
      start = min(start, timeline.moments.first?.time ?? .zero)
    }
    scenario.latency = delays.latency(names, exactly: delaysExactly)
    if delaysExactly { scenario.choices = delays.choices(timeline, names) }
    let scriptSteps = script.staged(
      from: start, pace: pace, pause: delays.pause, isImmediate: delays.areNone,
      events: session.file.trace.count)
    scenario.steps = scriptSteps.steps
    if let last = scenario.steps.indices.last {
      scenario.steps[last].expectation?.server = .any
    }
    scenario.rules = RuleCitations.rules(of: scenario)
    var version = Version(
      scenario: scenario, scriptSteps: scriptSteps, similarity: similarity(of: scenario))
    version.scenario = expecting(version)
    if !timeline.reported.isEmpty {
      // What recorded clients showed decides whether the times were kept closely enough.
      let run = Self.runner(session.file.header.seed).run(version.scenario, in: profile)
      version.similarity.divergences = run.divergences.count
    }
    return version
  }

  private var firstHello: Interval? {
    timeline.received.first { if case .hello = $0.message { true } else { false } }?.time
  }

  private func similarity(of scenario: Scenario) -> ExtractedScenario.Similarity {
    var result: ExtractedScenario.Similarity
    let runner = Self.runner(session.file.header.seed)
    let free = scenario.withoutExpectations
    let run = runner.run(free, in: profile)
    result = ExtractedScenario.Similarity(
      of: Self.requests(in: session.file.trace, names.count),
      and: Self.requests(in: run.trace, names.count), names: names)
    result.isSettled = run.stepsRun == free.steps.count
    if session.view == .everything {
      result.difference = TreeComparison.first(foreignWrites.server.tree, run.serverTree)
    }
    return result
  }

  /// What clients sent, without numbers and usage counters.
  static func requests(in trace: Trace, _ count: Int) -> [[JSON]] {
    var requests = [[JSON]](repeating: [], count: count)
    for event in trace.events {
      guard case let .output(client, .send(.request(_, sent))) = event.kind,
        sent.action != .stats, client.number < count
      else { continue }
      var request = sent
      if case var .listen(listen) = request, listen.hash == ObservedSession.hashOfStreams {
        listen.hash = ""
        request = .listen(listen)
      }
      requests[client.number].append(
        ClientMessage.request(0, request).json(in: .firebase)["d"] ?? .null)
    }
    return requests
  }

  /// The scenario with what it expects: what clients have shown whose calls are known, and of the
  /// others what the reference client shows.
  func expecting(_ version: Version) -> Scenario {
    let header = session.file.header
    let runner = Self.runner(header.seed)
    let reference = runner.expecting(version.scenario, in: profile) ?? version.scenario
    if timeline.reported.isEmpty { return reference }
    let epoch = header.session?.epoch ?? Instant(milliseconds: 1_480_000_000_000)
    let last = session.file.trace.events.last?.time ?? .zero
    var copy = labels
    var renamed = Trace()
    for event in session.file.trace.events {
      renamed.append(
        copy.event(event.kind), cause: event.cause, time: event.time, step: event.step)
    }
    let witnessed = version.scenario.witnessed(
      by: Scenario.RecordedSession(
        session: renamed, bounds: version.scriptSteps.bounds, times: epoch...(epoch + last),
        server: foreignWrites.server.tree))
    return reference.replacing(Set(timeline.reported.map { names[$0] }), by: witnessed)
      .withoutIdleNames
  }
}

extension ExtractedScenario.Similarity {
  fileprivate func isCloser(than other: ExtractedScenario.Similarity) -> Bool {
    if isSettled != other.isSettled { return isSettled }
    if (difference == nil) != (other.difference == nil) { return difference == nil }
    let own = missing.count + added.count
    let others = other.missing.count + other.added.count
    return (own, divergences) < (others, other.divergences)
  }
}

extension Scenario {
  /// The scenario with what it expects of some clients taken from another one of the same steps.
  fileprivate func replacing(_ clients: Set<String>, by other: Scenario) -> Scenario {
    var copy = self
    for index in steps.indices {
      if case let .call(call) = other.steps[index].action, clients.contains(call.client) {
        copy.steps[index].action = .call(call)
      }
      guard var own = steps[index].expectation, let reported = other.steps[index].expectation else {
        continue
      }
      own.listeners =
        own.listeners.filter { !clients.contains($0.client) }
        + reported.listeners.filter { clients.contains($0.client) }
      own.outcomes =
        own.outcomes.filter { !clients.contains($0.client) }
        + reported.outcomes.filter { clients.contains($0.client) }
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
