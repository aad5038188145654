import ClientInterface
import Conformance
import Document
import Faults
import Runs
import Scenario
import ScenarioFiles
import System
import Tree
import Workspace

extension UserInterface {
  /// All scenarios with what they can be filtered by, and what is wrong with their files.
  var scenarios: JSON {
    let library = workbench.library
    return [
      "client": .string(workbench.settings.subject),
      "kit": .string(kitVersion),
      "version": .number(Double(workbench.version)),
      "problems": .array(library.problems.map { .string($0.description) }),
      "scenarios": .array(
        library.scenarios.map { scenario in
          [
            "id": .string(scenario.id), "title": .string(scenario.title),
            "profiles": .strings(
              scenario.profiles(among: workbench.settings.profiles).map(\.name)),
            "rules": .strings(scenario.rules.map(\.id)), "tags": .strings(scenario.tags),
            "needs": .strings(scenario.needs),
          ]
        }),
    ]
  }

  /// One scenario: its file, its text and the rules that it cites.
  ///
  /// - Throws: `Failure.unusable` when there is none with this id.
  func scenario(_ id: String) throws(Failure) -> JSON {
    guard let scenario = workbench.scenario(id) else {
      throw .unusable("there is no scenario \(id)")
    }
    let rules = scenario.rules.compactMap { citation in
      RuleID(citation.id).flatMap { workbench.library.rules[$0] }
    }
    return [
      "id": .string(scenario.id), "file": .string(scenario.file),
      "text": .string(workbench.text(of: scenario)), "why": .string(scenario.why),
      "clients": .strings(scenario.clients),
      "rules": .array(
        rules.map { rule in
          [
            "id": .string("\(rule.id)"), "title": .string(rule.title),
            "force": .string(rule.level.rawValue), "text": .string(rule.text),
            "source": .string(rule.source),
          ]
        }),
    ]
  }

  /// What an editor completes: the schema for scenarios, and every rule and tag.
  ///
  /// - Throws: `Failure` when the schema cannot be read.
  func words() throws(Failure) -> JSON {
    let schema = try Files.text(of: Files.join(try Home.find().specs, "scenario.schema.json"))
    let tags = Set(workbench.library.scenarios.flatMap(\.tags))
    return [
      "schema": (try? JSON(parsing: schema)) ?? [:], "tags": .strings(tags.sorted()),
      "rules": .array(
        workbench.library.rules.rules.map { .array([.string("\($0.id)"), .string($0.title)]) }),
      "faults": .array(
        FaultKind.allCases.compactMap { kind in
          kind.button.map { button in
            [
              "step": .string(kind.step), "label": .string(button.label),
              "title": .string(button.title),
            ]
          }
        }),
    ]
  }

  /// What is wrong with a text, line by line.
  func check(_ body: JSON) -> JSON {
    let read = workbench.read(
      body["text"]?.string ?? "", file: body["file"]?.string ?? "new.yaml")
    return [
      "problems": .array(read.problems.map(json)),
      "scenarios": .strings(read.scenarios.map(\.id)),
    ]
  }

  private func json(_ problem: SourceError) -> JSON {
    [
      "line": .number(Double(problem.location.line ?? 1)),
      "column": .number(Double(problem.location.column ?? 1)),
      "file": .string(problem.file), "message": .string(problem.message),
    ]
  }

  /// Writes a scenario file: one that was read, or a new one below the current directory.
  ///
  /// - Throws: `Failure` for any other file, and when it cannot be written.
  func save(_ body: JSON) throws(Failure) -> JSON {
    guard let file = body["file"]?.string, let text = body["text"]?.string else {
      throw .unusable("the request needs file and text")
    }
    let isKnown = workbench.library.sources[file] != nil
    if !isKnown {
      let isBelow = !file.hasPrefix("/") && !file.split(separator: "/").contains("..")
      guard isBelow, ScenarioLibrary.suffixes.contains(where: file.hasSuffix) else {
        throw .unusable("a new file must be below this directory and end with .yaml, not \(file)")
      }
      if Files.exists(file) { throw .unusable("\(file) exists; choose another name") }
      try Files.makeDirectory(of: file)
    }
    try Files.write(text, to: file)
    try workbench.reload()
    return ["file": .string(file), "version": .number(Double(workbench.version))]
  }
}

extension JSON {
  static func strings(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }
}
