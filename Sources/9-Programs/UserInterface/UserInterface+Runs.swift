import ClientInterface
import Conformance
import Document
import LiveServer
import Reports
import Runs
import Scenario
import ScenarioFiles
import System
import Tree

// Runs: those of the list, which all pages share, and those that one page asks for.

extension UserInterface {
  /// What has changed since a page asked last: results, what is run now, and how much is left.
  func progress(after number: Int) -> JSON {
    let progress = workbench.progress
    return [
      "version": .number(Double(workbench.version)), "trouble": .optional(workbench.trouble),
      "newest": .number(Double(progress.newest)), "total": .number(Double(progress.total)),
      "left": .number(Double(progress.left)),
      "running": progress.next.map { ["id": .string($0.scenario), "profile": .string($0.profile)] }
        ?? .null,
      "results": .array(progress.results(after: number).map { json($0) }),
    ]
  }

  /// Has scenarios run, in place of those that wait; none of them to stop.
  func start(_ body: JSON) -> JSON {
    let runs = (body["runs"]?.elements ?? []).compactMap { run in
      if let id = run["id"]?.string, let profile = run["profile"]?.string {
        RunProgress.Place(scenario: id, profile: profile)
      } else {
        nil
      }
    }
    workbench.start(runs)
    return ["total": .number(Double(runs.count))]
  }

  /// Runs a scenario as it is in its file, or as a text has it.
  ///
  /// - Throws: `Failure` for what does not exist, and when the client does not start.
  func run(_ body: JSON) throws(Failure) -> JSON {
    let key = try key { name in body[name]?.string }
    guard let text = body["text"]?.string else {
      return json(try workbench.run(key), withText: true)
    }
    guard let profile = Profile(named: key.profile) else {
      throw .unusable("there is no profile \(key.profile)")
    }
    let read = workbench.read(text, file: body["file"]?.string ?? "new.yaml")
    guard
      let scenario = read.scenarios.first(where: { $0.id == key.scenario })
        ?? read.scenarios.first
    else { throw .mistakes(read.problems.map(\.description), "nothing was run") }
    let result = try workbench.run(scenario, in: profile, as: key, text: text)
    let record = try workbench.record(of: result, as: key)
    return json(RunProgress.Result(number: 0, record: record), withText: true)
  }

  /// The last results of a scenario, with their reports.
  func results(of entry: ScenarioList.Entry) -> [JSON] {
    workbench.profiles(of: entry).compactMap { profile in
      let place = RunProgress.Place(scenario: entry.id, profile: profile.name)
      return workbench.progress[place].map { json($0, withText: true) }
    }
  }

  private func json(_ result: RunProgress.Result, withText: Bool = false) -> JSON {
    let record = result.record
    let members: [JSON.Member] = [
      .init("id", .string(record.scenario)), .init("profile", .string(record.profile)),
      .init("seed", .string(String(record.seed))),
      .init("number", .number(Double(result.number))), .init("isOld", .bool(result.isOld)),
      .init("verdict", .string(record.verdict.rawValue)),
      .init("outcome", .string(record.outcome.rawValue)),
      .init("sentence", .string(record.sentence)), .init("reason", .string(record.reason ?? "")),
      .init("standing", .string(record.knownStatus.sentence ?? "")),
      .init("players", .string(record.players ?? "")),
    ]
    return .object(members + (withText ? [.init("text", .string(record.text))] : []))
  }
}
