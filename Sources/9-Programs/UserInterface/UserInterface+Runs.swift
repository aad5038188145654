import AdapterSessions
import ClientInterface
import Conformance
import Document
import Reports
import Runs
import Scenario
import ScenarioFiles
import System
import Tree

extension UserInterface {
  /// Runs scenarios as they are in their files, or one as a text has it.
  ///
  /// - Throws: `Failure` for what does not exist, and when the client does not start.
  func run(_ body: JSON) throws(Failure) -> JSON {
    var results: [JSON] = []
    let runs = body["runs"]?.elements ?? []
    for run in runs {
      let key = try key { name in run[name]?.string }
      results.append(try result(of: key, body, hasText: runs.count == 1))
    }
    return ["results": .array(results)]
  }

  private func result(
    of key: Workbench.Key, _ body: JSON, hasText: Bool
  ) throws(Failure) -> JSON {
    guard let profile = Profile(named: key.profile) else {
      throw .unusable("there is no profile \(key.profile)")
    }
    let (scenario, text) = try scenario(key.scenario, body)
    let record = workbench.record(
      of: try workbench.run(
        scenario, in: profile, seed: key.seed, order: key.order, text: text))
    var json: JSON = [
      "id": .string(record.scenario), "profile": .string(record.profile),
      "seed": .string(String(record.seed)), "verdict": .string(record.verdict.rawValue),
      "outcome": .string(record.outcome.rawValue), "sentence": .string(record.sentence),
      "reason": .string(record.reason ?? ""), "cause": .string(record.signature ?? ""),
    ]
    if hasText { json = .object((json.members ?? []) + [.init("text", .string(record.text))]) }
    return json
  }

  /// The scenario with this id, from the text of the request if it has one.
  private func scenario(
    _ id: String, _ body: JSON
  ) throws(Failure) -> (scenario: Scenario, text: String) {
    guard let text = body["text"]?.string else {
      guard let scenario = workbench.scenario(id) else {
        throw .unusable("there is no scenario \(id)")
      }
      return (scenario, workbench.text(of: scenario))
    }
    let read = workbench.read(text, file: body["file"]?.string ?? "new.yaml")
    guard let first = read.scenarios.first else {
      throw .mistakes(read.problems.map(\.description), "nothing was run")
    }
    return (read.scenarios.first { $0.id == id } ?? first, text)
  }

  /// What another command finds: `why`, `shrink` or `explore`.
  ///
  /// - Throws: `Failure` when it does not start.
  func tool(_ body: JSON) throws(Failure) -> JSON {
    let key = try key { name in body[name]?.string }
    guard let name = body["tool"]?.string, ["why", "shrink", "explore"].contains(name) else {
      throw .unusable("tool must be why, shrink or explore")
    }
    let selector = try selector(key, body)
    let small = Files.join(Self.folder, "small.yaml")
    var run = RunSettings()
    run.profiles = [key.profile]
    run.seed = key.seed
    run.client = workbench.settings.client
    run.adapter = workbench.settings.adapter
    var words = [name, selector]
    if name == "shrink" {
      try Files.makeDirectory(Self.folder)
      words += ["-o", small]
    }
    if name == "explore" { words += ["--format", "json", "--max", "2000"] }
    words += run.wordsOfRuns
    let process = try FinishedProcess(words)
    var members: [JSON.Member] = [
      .init("command", .string((["kennel"] + words).joined(separator: " "))),
      .init("output", .string(process.output)), .init("complaint", .string(process.errorOutput)),
    ]
    if name == "explore" {
      let lines = process.output.split(separator: "\n").compactMap { line in
        try? JSON(parsing: Array(line.utf8))
      }
      members.append(.init("surveys", .array(lines.filter { $0["outcomes"] != nil })))
    }
    if name == "shrink", Files.exists(small), !process.output.isEmpty {
      members.append(.init("text", .string(try Files.text(of: small))))
    }
    return .object(members)
  }

  /// Where texts go that are not saved, for other processes.
  private static let folder = ".kennel/ui"

  /// The scenario for another process: its id, or a file with the text of the request.
  private func selector(_ key: Workbench.Key, _ body: JSON) throws(Failure) -> String {
    guard let text = body["text"]?.string else { return key.scenario }
    try Files.makeDirectory(Self.folder)
    let file = Files.join(Self.folder, "edited.yaml")
    try Files.write(text, to: file)
    return file
  }
}
