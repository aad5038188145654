import Document
import Scenario
import System
import TestKit
import Testing
import Workspace

@Suite struct ScenarioLibraryTests {
  @Test func `an id, a path and a pattern select scenarios`() throws {
    let id = try ScenarioLibrary(["writes/local-echo"])
    let path = try ScenarioLibrary(["Scenarios/writes/local-echo.yaml"])
    let pattern = try ScenarioLibrary(["writes/local-ech*"])

    #expect(id.scenarios.map(\.id) == ["writes/local-echo"])
    #expect(path.scenarios.map(\.id) == ["writes/local-echo"])
    #expect(pattern.scenarios.map(\.id) == ["writes/local-echo"])
    #expect(!id.rules.rules.isEmpty)
  }

  @Test(arguments: [
    (
      "writes/local-eco",
      "there is no file, directory or scenario \"writes/local-eco\"; "
        + "did you mean \"writes/local-echo\"?"
    ),
    ("writs", "there is no file, directory or scenario \"writs\"; did you mean \"writes\"?"),
    ("nothing/*", "no scenario matches \"nothing/*\"; 'kennel list' shows all"),
  ])
  func `what names nothing is a failure`(selector: String, message: String) {
    let failure = #expect(throws: Failure.self) { try ScenarioLibrary([selector]) }
    #expect(failure?.description == message)
  }

  @Test func `mistakes in files are values`() throws {
    let folder = try Folder()
    let file = folder.path("scenario.yaml")
    try Files.write("kennel: 1\ntitel: x\n", to: file)
    let library = try ScenarioLibrary([file])

    let failure = #expect(throws: Failure.self) { try library.requireNoProblems() }
    let lines = library.problems.map { "\($0)\n" }.joined()
    #expect(
      failure?.report
        == lines + "kennel: \(library.problems.count) problems in scenario files; nothing was run")
    #expect(library.problems.count > 1)
    #expect(failure?.exitCode == .usage)
  }

  @Test(arguments: [
    (
      "QRY-12", "wilddog-2, firebase", "bob.remove: a",
      ":3:9: QRY-12 does not hold for wilddog-2, which the scenario runs in; leave the rule or the "
        + "profile out"
    ),
    (
      "WRT-1", "wilddog-2",
      "bob.listen: {path: a, query: {orderBy: .key, startAfter: b}, event: value}",
      ":7:5: wilddog-2, which the scenario runs in, has no exclusive bounds (QRY-12); leave the step "
        + "or the profile out"
    ),
    (
      "WRT-1", "wilddog-1", "bob.set: {path: a, value: {b: {.sv: {increment: 1}}}}",
      ":7:5: wilddog-1, which the scenario runs in, has no increment (SRV-8); leave the step or the "
        + "profile out"
    ),
    (
      "WRT-1", "wilddog-1", "bob.update: {path: a, value: {b/c: 1}}",
      ":7:5: wilddog-1, which the scenario runs in, has no deep paths in updates (WRT-7); leave the "
        + "step or the profile out"
    ),
    (
      "WRT-1", "wilddog-2", "bob.update: {path: a, value: {b/.priority: 1}}",
      ":7:5: wilddog-2, which the scenario runs in, has no priorities among the names of an update "
        + "(WRT-27); leave the step or the profile out"
    ),
    (
      "WRT-1", "wilddog-2", "bob.keep-synced: {path: a, query: {limitToFirst: 1}}",
      ":7:5: wilddog-2, which the scenario runs in, has no queries that are kept synchronised "
        + "(OFF-27); leave the step or the profile out"
    ),
  ])
  func `a scenario uses only what its profiles have`(
    rule: String, profiles: String, step: String, problem: String
  ) throws {
    let folder = try Folder()
    let file = folder.path("scenario.yaml")
    let text = """
      kennel: 1
      title: x
      rules: [\(rule)]
      profiles: [\(profiles)]
      clients: [bob]
      steps:
        - \(step)
        - settle

      """
    try Files.write(text, to: file)

    let library = try ScenarioLibrary([file])
    #expect(library.problems.isEmpty)
    #expect(library.strays.map(\.description) == [file + problem])
  }

  @Test func `the scenarios of the kit use only what their profiles have`() throws {
    #expect(try ScenarioLibrary([]).strays.map(\.description) == [])
  }

  @Test func `tags and rules narrow down a library`() throws {
    var library = try ScenarioLibrary(["limits"])
    try library.select(ScenarioSelection(rules: ["LIM-7"]))

    #expect(library.scenarios.count < library.all.count)
    let failure = #expect(throws: Failure.self) {
      try library.select(ScenarioSelection(tags: ["no-such"]))
    }
    #expect(failure?.exitCode == .usage)
  }
}
