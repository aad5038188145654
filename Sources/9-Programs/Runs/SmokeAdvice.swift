import AdapterSessions
import Conformance
import Document
package import Reports
package import Scenario
package import System
import Workspace

extension RunRecord {
  /// A line on a run of `kennel smoke`.
  package var smokeLine: String {
    let word = verdict == .pass ? "ok" : verdict.rawValue
    let text = verdict == .unsupported ? reason ?? "" : title
    return "\(padded(word, to: 12)) \(padded(scenario, to: 39))   \(text)\n"
  }
}

extension RunSession {
  /// The scenarios of `kennel smoke` for this client; they are looked for among all others only where
  /// it cannot do what the usual ones need.
  ///
  /// - Throws: `Failure` when scenarios cannot be read.
  package func smokeScenarios() throws(Failure) -> [Scenario] {
    let usual = library.scenarios
    guard let profile = usual.first?.profiles(among: settings.profiles).first else { return usual }
    let abilities = subject.runner(seed: 0).capabilities(in: profile)
    if usual.allSatisfy({ abilities.isSuperset(of: $0.capabilities) }) { return usual }
    let all = try ScenarioLibrary([])
    return SmokeScenarios.chosen(from: all.scenarios, for: abilities, in: profile)
  }
}

extension [RunRecord] {
  /// What to do after these runs; `isPartial` states that there is more that the client does not
  /// declare.
  package func advice(_ settings: RunSettings, isPartial: Bool) -> String {
    let program = settings.adapter.map { $0.command.map(shellWord).joined(separator: " ") }
    let behind = program.map { " -- \($0)" } ?? ""
    let subject = settings.wordsOfClient.map { " " + shellWord($0) }.joined()
    let failed = filter { $0.verdict.count == .failed }
    if allSatisfy({ $0.verdict.count == .skipped }) {
      return """
        Nothing could be judged: the client declares none of the capabilities that these scenarios need.
        Name what it has in its capabilities; they are listed in
        \(Home.document("adapter-protocol.md")).

        """
    }
    guard let first = failed.first else {
      return Self.adviceAfterSuccess(subject, doctor: isPartial && program != nil ? behind : nil)
    }
    let check =
      failed.count == count && program != nil
      ? "  \(programWord) doctor\(behind)\n      looks at the adapter itself, since everything fails\n"
      : ""
    return """
      Next:
      \(check)  \(programWord) why \(first.scenario) --profile \(first.profile)\(subject)
            explains the first failure, which is above
        \(programWord) explain \(first.rule ?? first.scenario)
            prints what the specification states
        \(programWord) smoke\(subject)
            shows how far the next attempt gets

      """
  }

  private static func adviceAfterSuccess(_ subject: String, doctor command: String?) -> String {
    let more = command.map {
      "  \(programWord) doctor\($0)\n      states which capability to declare next\n"
    }
    return """
      Next:
      \(more ?? "")  \(programWord) run\(subject)
            runs everything; with --jobs on several processors
        \(Home.document("guides/continuous-integration.md"))
            describes how to make that a gate in CI, with a list of what is known to fail

      """
  }
}
