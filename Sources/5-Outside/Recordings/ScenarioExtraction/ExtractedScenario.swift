public import ClientInterface
internal import Conformance
internal import Document
public import Scenario
import ScenarioFiles
internal import Trace
internal import TraceFiles
public import Tree
internal import Wire
internal import YAML

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
    /// How many requests the clients of the session sent.
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
    public var isExact: Bool { distance == (0, 0, 0, 0) }

    /// How far the run is from the session, by what counts most first.
    private var distance: (Int, Int, Int, Int) {
      (isSettled ? 0 : 1, difference == nil ? 0 : 1, missing.count + added.count, divergences)
    }

    func isCloser(than other: Similarity) -> Bool { distance < other.distance }
  }
}

extension ExtractedScenario {
  /// Writes a session again.
  ///
  /// - Parameters:
  ///   - session: What is known of it.
  ///   - title: The title of the scenario.
  ///   - profile: As what clients are judged; `nil` for what the session says.
  public init(of session: ObservedSession, title: String, profile: Profile? = nil) {
    let header = session.file.header
    let profile = profile ?? header.profile
    if let scenario = session.scenario {
      self.init(of: session, run: scenario, title: title, profile)
    } else {
      self = ExtractionDraft(session, title: title, profile).best()
    }
  }

  /// A run in virtual time knows its own steps.
  private init(
    of session: ObservedSession, run scenario: Scenario, title: String, _ profile: Profile
  ) {
    let (header, trace) = (session.file.header, session.file.trace)
    var scenario = header.chosen(scenario)
    scenario.title = title
    scenario.profiles = [profile]
    scenario.judging = .expectations
    if header.seed != 0, scenario.statedSeed == nil {
      scenario.choices = header.choices + [.seed(header.seed)]
    }
    let runner = ExtractionDraft.runner(header.seed)
    let filled = runner.expecting(scenario, in: profile) ?? scenario
    var begins = trace.events.compactMap { event in
      if case .step = event.kind { event.sequence } else { nil }
    }
    begins += repeatElement(trace.count, count: scenario.steps.count + 1)
    let bounds = zip(begins, begins.dropFirst()).prefix(scenario.steps.count).map { $0..<$1 }
    // What the server stored is nowhere in a trace; the reference client says it.
    let witnessed = filled.witnessed(by: trace, bounds, times: session.times, server: .empty)
    self.init(
      scenario: witnessed.completed(by: filled, except: header.clients),
      profile: profile, isKnown: Array(repeating: true, count: scenario.steps.count),
      reported: header.clients,
      similarity: Similarity(
        of: trace, and: runner.run(scenario, in: profile).trace, names: header.clients))
  }
}

extension ObservedSession {
  /// What clocks showed at its start and at its end.
  var times: ClosedRange<Instant> { epoch...(epoch + (file.trace.events.last?.time ?? .zero)) }
}

// MARK: - Similarity

extension ExtractedScenario.Similarity {
  init(of session: Trace, and run: Trace, names: [String]) {
    let known = session.requests(of: names.count)
    for (name, (old, new)) in zip(names, zip(known, run.requests(of: names.count))) {
      requests += old.count
      same += old.count
      if old == new { continue }
      // Long ones are compared roughly: the exact way takes time with the square of their length.
      if old.count > 3000 {
        same -= old.count - zip(old, new).prefix { $0 == $1 }.count
        missing.append((name, old.first ?? .null))
        continue
      }
      let change = new.difference(from: old)
      same -= change.removals.count
      for case let .remove(_, request, _) in change.removals.reversed() {
        missing.append((name, request))
      }
      for case let .insert(_, request, _) in change.insertions { added.append((name, request)) }
    }
  }

  /// How the run compares with the session, in sentences.
  public var sentence: String {
    guard let difference else { return messageSentence }
    return messageSentence + "\nThe server's trees at the end are not the same: at "
      + "\(difference.path) the session has \(Self.short(difference.session.text, 80)), "
      + "the run \(Self.short(difference.run.text, 80))."
  }

  private static func short(_ text: String, _ count: Int) -> String {
    Truncation.end(of: text, to: count, mark: "…")
  }

  private var messageSentence: String {
    if requests == 0 { return "The clients of the session sent no requests." }
    if missing.isEmpty, added.isEmpty, isSettled {
      let requests = requests == 1 ? "request" : "\(requests) requests"
      return "Run with the reference client, the clients send the same \(requests)."
    }
    let rest = isSettled ? "" : "; the run does not settle"
    return "Run with the reference client, \(same) of \(requests) requests are the same, "
      + "and \(added.count) more \(added.count == 1 ? "is" : "are") sent\(rest)."
  }

  /// The requests that differ, the first few of them, a line each.
  public var differences: [String] {
    let lines =
      missing.map { "only in the session: \($0.client) \($0.request.text)" }
      + added.map { "only in the run: \($0.client) \($0.request.text)" }
    let shown = lines.prefix(20).map { Self.short($0, 160) }
    return lines.count > 20 ? shown + ["and \(lines.count - 20) more"] : shown
  }
}

extension Trace {
  /// What each of so many clients sent, without numbers and usage counters.
  fileprivate func requests(of count: Int) -> [[JSON]] {
    var requests = [[JSON]](repeating: [], count: count)
    for event in events {
      guard case let .output(client, .send(.request(_, sent))) = event.kind,
        sent.action != .stats, client.number < count
      else { continue }
      var request = sent
      if case .listen(var listen) = request, listen.hash == ObservedSession.hashOfStreams {
        listen.hash = ""
        request = .listen(listen)
      }
      requests[client.number].append(
        ClientMessage.request(0, request).json(in: .firebase)["d"] ?? .null)
    }
    return requests
  }
}

// MARK: - The file

extension ExtractedScenario {
  /// What a scenario without a name is called.
  public static func title(of sources: [String]) -> String {
    sources.count == 1
      ? "What happened in \(sources[0])" : "What happened in a session of \(sources.count) clients"
  }

  /// The scenario as a file, as `kennel fmt` lays it out, with what is inferred in it listed above.
  ///
  /// - Parameter sources: What the session was read from.
  /// - Returns: The text.
  public func yaml(from sources: [String]) -> String {
    let text = scenario.yaml(comment: comment(from: sources))
    guard case let .text(laidOut) = DocumentLayout.yaml(Array(text.utf8)) else { return text }
    return laidOut
  }

  private func comment(from sources: [String]) -> String {
    var lines = Self.folded(sources.joined(separator: ", "), "Made by kennel scenario-from of ")
    let guessed = scenario.clients.filter { !reported.contains($0) }
    if !reported.isEmpty {
      lines.append(
        "Known: what \(reported.joined(separator: ", ")) called, and what is expected of it.")
    }
    if !guessed.isEmpty {
      lines += [
        "Inferred: the calls of \(guessed.joined(separator: ", ")), from what it sent; expected is",
        "what the reference client shows.",
      ]
    }
    lines += Self.folded(steps(known: true), "Known from the session: ")
    lines += Self.folded(steps(known: false), "Inferred: ")
    lines += similarity.sentence.split(separator: "\n").map(String.init)
    return lines.map { String($0.unicodeScalars.map { Character($0.value < 32 ? " " : $0) }) }
      .joined(separator: "\n")
  }

  /// `steps 1-3, 5`; nothing where there are none. Waiting and expecting are of the kit.
  private func steps(known: Bool) -> String {
    let listed = scenario.steps.indices.indices { index in
      ![.delay, .observation].contains(scenario.steps[index].action.category)
        && index < isKnown.count && isKnown[index] == known
    }
    let texts = listed.ranges.map {
      $0.count == 1 ? "\($0.upperBound)" : "\($0.lowerBound + 1)-\($0.upperBound)"
    }
    if texts.isEmpty { return "" }
    let isOne = listed.ranges.count == 1 && listed.ranges[0].count == 1
    return (isOne ? "step " : "steps ") + texts.joined(separator: ", ")
  }

  private static func folded(_ text: String, _ beginning: String) -> [String] {
    if text.isEmpty { return [] }
    var lines = [beginning]
    for word in (text + ".").split(separator: " ") {
      if lines[lines.count - 1].count + word.count > 96 { lines.append("  ") }
      let gap = lines[lines.count - 1].hasSuffix(" ") ? "" : " "
      lines[lines.count - 1] += gap + word
    }
    return lines
  }
}
