package import ClientInterface
import Conformance
import Document
package import Recordings
import ReferenceClient
import Reports
package import Scenario
import ScenarioFiles
package import Search
package import System
import TraceFiles
import Tree
import Workspace

/// A recorded session, written as a scenario.
package struct SessionScenario {
  /// Whether a run of the scenario has the messages of the session, and what is different: lines.
  package let similarity: [String]
  /// The text of the scenario's file.
  package let text: String
  /// What could not be read of the session.
  package let warnings: [String]

  /// - Parameters:
  ///   - paths: A trace, or recordings of one session.
  ///   - title: The title of the scenario; nil for one that names the files.
  ///   - profile: As what clients are judged; nil for what the session says.
  ///   - selection: Which part of the session.
  ///   - shrinks: Whether the scenario is made as small as the effect of its faults allows.
  /// - Throws: `Failure.unusable` for files that cannot be read or do not belong together.
  package init(
    of paths: [String], title: String? = nil, profile: Profile? = nil,
    selection: SessionSelection = SessionSelection(), shrinks: Bool = false
  ) throws(Failure) {
    let whole = try recordedSession(from: paths)
    try Self.requireClients(selection.clients, of: whole)
    try Self.requirePart(selection, of: whole, shrinks: shrinks)
    let session = whole.selecting(selection)
    let names = paths.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    warnings = session.warnings
    var extracted = ExtractedScenario(
      of: session, title: title ?? ExtractedScenario.title(of: names), profile: profile)
    var lines = [extracted.similarity.sentence]
    lines += extracted.similarity.differences.map { "  \($0)" }
    if shrinks { lines.append(try Self.shrink(&extracted, at: selection.path ?? .root)) }
    text = extracted.yaml(from: names)
    similarity = lines
  }

  private static func requireClients(
    _ names: [String], of session: ObservedSession
  ) throws(Failure) {
    for name in names where !session.clientNames.contains(name) {
      throw .unusable(
        "the session has no client \(name); it has \(session.clientNames.joined(separator: ", "))")
    }
  }

  private static func requirePart(
    _ selection: SessionSelection, of session: ObservedSession, shrinks: Bool
  ) throws(Failure) {
    var part = selection
    // Of a run it is where the effect of the faults is looked at.
    if shrinks { part.path = nil }
    if session.scenario != nil, part != SessionSelection() {
      throw .unusable(
        "this is the trace of a run, whose scenario is written whole; --from, --until, --client and "
          + "--path select from live sessions")
    }
    if session.scenario == nil, let objection = session.objection(to: selection) {
      throw .unusable(objection)
    }
  }

  /// Leaves out what the effect of the faults does not need, and says in a sentence what that is.
  private static func shrink(
    _ extracted: inout ExtractedScenario, at path: Path
  ) throws(Failure) -> String {
    let runner = ScenarioRunner { ReferenceClient(profile: $1) }
    let effect = FaultEffect(runner, in: extracted.profile, at: path)
    guard let (small, difference) = effect.shrink(extracted.scenario, executions: 20_000) else {
      throw .unusable(
        "the faults of this session change nothing that the server has at \(path); without --shrink "
          + "it becomes a scenario as it is")
    }
    extracted.scenario = small
    extracted.isKnown = small.steps.map { _ in true }
    return "Shrunk to \(small.steps.count) steps: with the faults the server has "
      + "\(difference.faulty.text) at \(difference.path), without them "
      + "\(difference.faultless.text)."
  }

  /// Reads the text.
  ///
  /// - Parameter file: What is written as a scenario, for the message.
  /// - Returns: The scenario.
  /// - Throws: `Failure.unusable` when the session has something that no scenario can have.
  package func scenario(as file: String) throws(Failure) -> Scenario {
    let read = read(as: file)
    guard let scenario = read.scenarios.first else {
      throw .unusable(
        "\(file) cannot be written as a scenario: "
          + (read.problems.first.map { "\($0)" } ?? "it is empty"))
    }
    return scenario
  }

  /// - Parameter file: What the file of the scenario is called.
  /// - Throws: `Failure.unusable` when the session has something that no scenario can have.
  package func requireNoProblems(in file: String) throws(Failure) {
    if let problem = Self.problem(ofBytes: text.utf8.count) { throw .unusable(problem) }
    if let problem = read(as: file).problems.first {
      throw .unusable("this session cannot be written as a scenario: \(problem)")
    }
  }

  /// Why a scenario of this size is not written.
  static func problem(ofBytes count: Int) -> String? {
    count <= DocumentReader.maxBytes
      ? nil
      : "the scenario of this session has \(count) bytes, and a file at most "
        + "\(DocumentReader.maxBytes): select a part of the session with --from, --until, --client or --path, or what matters with --shrink"
  }

  private func read(as file: String) -> ScenarioReader.Result {
    ScenarioReader.read(file: file, bytes: Array(text.utf8), load: { _ in nil })
  }
}

/// Why a session fails that is written as a scenario, or that it does not.
package struct SessionExplanation {
  package let text: String
  /// `success` when it does not fail.
  package let exitCode: ExitCode
}

extension FailingSetupOptions {
  /// The scenario of the run whose trace was named, with the choices of that run; from now on its
  /// profile and seed count, and its client unless another one was named. `nil` for anything else.
  ///
  /// - Throws: `Failure.unusable` for a trace that cannot be read, and for one of another program that
  ///   was not named again.
  package mutating func takeTrace() throws(Failure) -> Scenario? {
    guard let text = try recordedText(.trace) else { return nil }
    let header = try reading { () throws(SourceError) in
      try TraceFile(text, file: selector).header
    }
    if run.fleet == Fleet(), adapter == nil {
      run.fleet.rest = try header.ownClient(for: "why", in: selector)
    }
    (run.profiles, run.seed) = ([header.profile.name], header.seed)
    return try reading { [selector] () throws(SourceError) in
      header.chosen(try header.readScenario(of: selector))
    }
  }

  /// The text of the file that was named in place of a scenario, if it is of one of these kinds.
  private func recordedText(_ kinds: FileKind...) throws(Failure) -> String? {
    guard Files.exists(selector), !Files.isDirectory(selector) else { return nil }
    let text = try Files.regularText(of: selector)
    return FileKind(of: text, in: selector).map(kinds.contains) == true ? text : nil
  }

  /// The session that was named in place of a scenario, as a scenario; nil for anything else.
  ///
  /// - Throws: `Failure.unusable` for a session that cannot be read.
  package func session() throws(Failure) -> SessionScenario? {
    guard try recordedText(.liveTrace, .recording) != nil else { return nil }
    return try SessionScenario(of: [selector], profile: profile.flatMap { Profile(named: $0) })
  }

  /// Explains why a session fails.
  ///
  /// - Parameters:
  ///   - session: The session, as a scenario.
  ///   - scope: What order counts as open.
  /// - Returns: The explanation, or that it does not fail.
  /// - Throws: `Failure.unusable` when it cannot be written as a scenario, and `Failure` when there is no
  ///   such client.
  package func explain(
    _ session: SessionScenario, scope: Explorer.Scope
  ) throws(Failure) -> SessionExplanation {
    let scenario = try session.scenario(as: selector)
    let runner = try runner()
    var explorer = Explorer(runner)
    explorer.limit = 10_000
    explorer.scope = scope
    guard let profile = scenario.profiles.first else {
      return SessionExplanation(text: "", exitCode: .usage)
    }
    let result = runner.run(scenario, in: profile)
    if result.verdict == .pass || result.verdict == .vacuous {
      return SessionExplanation(text: praise(session), exitCode: .success)
    }
    let reference = ScenarioRunner(seed: seed) { ReferenceClient(profile: $1) }
    let failingSetup = FailingSetup(runner, reference: reference, profile: profile)
    let explanation = failingSetup.explain(scenario, with: explorer)
    var report = TextReport(rules: try (try? Home.find())?.ruleBook() ?? RuleBook(files: []))
    report.reference = { ReferenceClient(profile: $0) }
    let text =
      explanation.map { WhyReport(report).text(of: $0) } ?? report.text(of: result)
    return SessionExplanation(text: text, exitCode: .divergence)
  }

  /// That no client fails, and what the recorded ones did not send, or sent in addition.
  private func praise(_ session: SessionScenario) -> String {
    let isReference = run.fleet == Fleet() && adapter == nil
    let file = shellWord(selector)
    return """
      \(selector): as a scenario it passes with \(isReference ? "the reference client" : "this client").
      \(session.similarity.joined(separator: "\n"))
      '\(programWord) replay \(file)' compares each message of the recorded clients with the reference client.
      Another client can be tried: --client NAME, or -- COMMAND.

      """
  }
}
