import Document
import LiveServer
import Runs
import Scenario
import TestKit
import Testing
import Tree
import UserInterface
import Workspace

/// Who plays whom on the page.
@Suite struct FleetTests {
  private static let pair = "push-ids/keys-in-order-of-calls"
  private static let echo = "writes/local-echo"

  /// A page of a project that calls the kit's own client behind an adapter `old`; `sdk` plays bob.
  private func page(agreed: AgreedCommands = AgreedCommands(file: nil)) throws -> Page {
    let command = "[\(Program.kennel.path), adapter]"
    let text = "kennel: 1\nclients: {old: {command: \(command), version: 1.0}}\n"
    let (project, problems) = ProjectFile.read(
      file: "kennel.yaml", bytes: Array(text.utf8), RunSettings.inProjects)
    #expect(problems == [])
    return try Page(
      client: "lost-echo", roles: [.init(client: "bob", subject: "sdk")],
      selectors: [Self.pair, Self.echo], of: project, agreed: agreed)
  }

  private static func choice(_ text: String) -> [JSON.Member] { [.init("players", .string(text))] }

  @Test func `what can play clients is listed, and what usually does`() throws {
    let page = try page()
    let list = try page.ask("GET", "/api/scenarios").json["players"]?.elements ?? []

    #expect(list.map { $0["subject"] } == ["", "reference", "old", "sdk"])
    #expect(list.map { $0["label"] } == ["lost-echo", "reference", "old 1.0", "sdk"])
    #expect(try page.scenario(Self.pair)["players"] == ["", "sdk"])
    #expect(try page.scenario(Self.echo)["players"] == [""])
  }

  @Test(arguments: [
    ("", "alice: lost-echo, bob: sdk", ["lost-echo", "sdk"]),
    ("alice=reference\nbob=", "alice: reference, bob: lost-echo", ["reference", "lost-echo"]),
  ])
  func `a run says who was played by what, and so does its viewer`(
    choice: String, words: String, names: [String]
  ) throws {
    let page = try page()
    let run = try page.run(Self.pair, in: "firebase", Self.choice(choice))
    let viewer = try page.ask(
      "GET", "/view",
      arguments: [
        .init("id", Self.pair), .init("profile", "firebase"), .init("players", choice),
      ])

    #expect(run["players"]?.string == words)
    #expect(viewer.text.contains(#""players":\#(JSON.strings(names).text)"#))
    #expect((run["number"]?.integer != 0) == choice.isEmpty, "a choice counts for the scenario")
  }

  @Test func `a failure is reported with the fleet, and depends on it`() throws {
    let page = try page()
    let outcomes = try ["", "alice=reference"].map { choice in
      try page.run(Self.echo, in: "firebase", Self.choice(choice))["outcome"]?.string
    }
    let failure = try page.run(Self.pair, in: "firebase", Self.choice("alice=\nbob=lost-echo"))
    let text = try page.scenario(Self.pair)["text"]?.string ?? ""
    let draft = text.replacing("value: second, prev", with: "value: x, prev")
    let edited = try page.run(
      Self.pair, in: "firebase",
      Self.choice("alice=reference\nbob=") + [.init("text", .string(draft))])
    let report = edited["text"]?.string ?? ""

    #expect(outcomes == ["failed", "passed"])
    #expect(
      failure["error"]?.string
        == "players has \"bob=lost-echo\"; expected a client and what plays it, such as "
        + "bob=reference")
    #expect(report.contains("played by alice: reference, bob: lost-echo"))
    #expect(report.contains("--client lost-echo --client alice=reference"))
  }

  @Test func `a command of the project is started only after its user has agreed`() throws {
    let folder = try Folder()
    let page = try page(agreed: AgreedCommands(file: folder.path("agreed")))
    let old = Self.choice("alice=old\nbob=")
    let run = try page.run(Self.pair, in: "firebase", old)
    let viewer = try page.ask(
      "GET", "/view",
      arguments: [
        .init("id", Self.pair), .init("profile", "firebase"), .init("players", "alice=old"),
      ])
    let matrix = try page.ask("POST", "/api/tool", ["tool": "matrix", "with": ["old", "sdk"]])
    let other = try page.ask("POST", "/api/agree", ["subject": "sdk"])
    _ = try page.ask("POST", "/api/agree", ["subject": "old"])
    let result = try page.run(Self.pair, in: "firebase", old)

    #expect([run, viewer.json, matrix.json].map { $0["asks"] } == ["old", "old", "old"])
    #expect(
      run["error"]?.string
        == "kennel.yaml names a command that was not started from a page before: "
        + "\(Program.kennel.path) adapter")
    #expect(other.json["error"]?.string == "the project names no client \"sdk\"")
    #expect(result["players"]?.string == "alice: old 1.0, bob: lost-echo")
    let again = try self.page(agreed: AgreedCommands(file: folder.path("agreed")))
    #expect(try again.run(Self.pair, in: "firebase", old)["asks"] == nil, "it asks twice")
  }

  /// Requests for other commands, with what these get.
  private static let tools: [(String, [JSON.Member], String)] = [
    ("explore", choice(""), "--client lost-echo --client bob=sdk"),
    ("why", choice("alice=reference\nbob="), "--client lost-echo --client alice=reference"),
    ("shrink", choice("bob=sdk\ncarol=reference"), "--client lost-echo --client bob=sdk"),
    ("matrix", [.init("with", ["", "reference"])], "--with lost-echo --with reference"),
  ]

  @Test(arguments: tools.indices)
  func `other commands keep the fleet, with the clients of their scenario`(index: Int) throws {
    let (name, members, expected) = Self.tools[index]
    let key: [JSON.Member] = [.init("id", .string(Self.pair)), .init("profile", "firebase")]
    let words = try page().interface.words(of: name, .object(key + members))

    let clients = zip(words, words.dropFirst()).filter { ["--client", "--with"].contains($0.0) }
    #expect(clients.map { "\($0) \($1)" }.joined(separator: " ") == expected, "\(words)")
    #expect(words.prefix(2) == [name, Self.pair])
  }

  @Test func `a role of another scenario's client is left out, and a matrix needs two`() throws {
    let key: [JSON.Member] = [.init("id", .string(Self.echo)), .init("profile", "firebase")]
    let interface = try page().interface

    #expect(try !interface.words(of: "explore", .object(key)).contains("bob=sdk"))
    #expect {
      _ = try interface.words(of: "matrix", .object(key + [.init("with", ["sdk"])]))
    } throws: { "\($0)" == "a matrix needs two implementations" }
  }
}
