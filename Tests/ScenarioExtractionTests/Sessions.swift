import ClientInterface
import Conformance
import Recordings
import Scenario
import Trace
import TraceFiles

/// Scenarios of the project, run and told again.
enum Sessions {
  static let epoch = Instant(milliseconds: 1_480_000_000_000)

  /// The two recordings of a run, whole or without what the application did.
  static func recordings(
    of result: ScenarioResult, knowsCalls: Bool
  ) throws -> [Recording] {
    try result.scenario.clients.indices.map { index in
      let name = result.scenario.clients[index]
      let text = Recording.text(
        of: ClientIndex(index), in: result.trace, name: name, profile: result.profile,
        seed: result.seed, epoch: epoch)
      return try Recording(
        knowsCalls ? text : withoutApplication(text), file: "\(name).jsonl")
    }
  }

  /// A recording as a server could have written it: nothing but what went over the wire.
  static func withoutApplication(_ text: String) -> String {
    let wire = ["connect", "send", "disconnect", "opened", "refused", "frame", "closed"]
    return text.split(separator: "\n").enumerated().filter { index, line in
      index == 0 || wire.contains { line.contains("\":{\"\($0)\":") }
    }.map { $0.element + "\n" }.joined()
  }

  /// The trace of a run as if nobody knew of its scenario.
  static func session(of result: ScenarioResult) -> ObservedSession {
    let header = TraceFile.Header(
      kit: "", scenario: "", title: "", file: "", profile: result.profile, seed: result.seed,
      client: "reference", clients: result.scenario.clients, judging: .expectations, choices: [],
      sources: [], session: .init(epoch: epoch))
    let end = TraceFile.End(verdict: .pass)
    return ObservedSession(TraceFile(header: header, trace: result.trace, end: end))
  }
}
