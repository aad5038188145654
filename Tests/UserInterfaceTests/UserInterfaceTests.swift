import Document
import LiveServer
import TestKit
import Testing
import Tree
import UserInterface

/// What the page of `kennel ui` is answered.
@Suite struct UserInterfaceTests {
  private static let refill = "limits/refill-after-foreign-removal"

  @Test(arguments: [
    ("GET", "/", "", "127.0.0.1:1", 200), ("GET", "/.kennel/ui.js", "", "localhost", 200),
    ("GET", "/api/scenarios", "", "127.0.0.1", 403), ("POST", "/api/run", "x", "127.0.0.1", 403),
    ("GET", "/", "t", "evil.test", 403), ("GET", "/api/nothing", "t", "127.0.0.1", 404),
    ("GET", "/view", "t", "127.0.0.1", 422), ("GET", "/api/scenarios", "t", "127.0.0.1", 200),
  ])
  func `only a page of this machine with the token is answered`(
    method: String, path: String, token: String, host: String, status: Int
  ) throws {
    let answer = try Page().ask(method, path, token: token, host: host)

    #expect(answer.status == status, "\(answer.text.prefix(200))")
  }

  @Test func `scenarios are listed with what they can be filtered by`() throws {
    let list = try Page().ask("GET", "/api/scenarios").json
    let one = list["scenarios"]?.elements?.first { $0["id"]?.string == Self.refill }

    #expect(list["client"]?.string == "reference")
    #expect(one?["profiles"]?.text == #"["wilddog-1","wilddog-2","firebase"]"#)
    #expect(one?["rules"]?.elements?.contains("LIM-7") == true)
  }

  @Test func `a run fails as it does on the command line, and the viewer shows it`() throws {
    let page = try Page(client: "no-refill")

    let result = try page.run(Self.refill)
    let viewer = try page.ask(
      "GET", "/view", arguments: [.init("id", Self.refill), .init("profile", "firebase")])

    #expect(result["outcome"]?.string == "failed")
    #expect(
      result["sentence"]?.string
        == "expected child_added /room/c, but the client raised value /room")
    #expect(result["text"]?.string?.contains("rule LIM-7") == true)
    #expect(viewer.text.contains("expected child_added /room/c"))
  }

  @Test func `a failure on the list of known failures counts as known`() throws {
    let folder = try Folder()
    try folder.write(
      """
      kennel: 1
      known:
        - scenario: \(Self.refill)
          profiles: [firebase]
          rule: LIM-7
          signature: other-event child_added by value listener limited
          kind: bug
          note: The window is not refilled.

      """, to: "known.yaml")
    let page = try Page(client: "no-refill", list: folder.path("known.yaml"))
    let runs = try ["firebase", "wilddog-2"].map { try page.run(Self.refill, in: $0) }
    let outcomes = runs.map { $0["outcome"]?.string }

    #expect(outcomes == ["known", "failed"])
    #expect(
      runs[0]["standing"]?.string == "known failure (bug): The window is not refilled.")
  }

  @Test func `the button for recording gives the text with what the reference client does`() throws
  {
    let text =
      "kennel: 1\ntitle: T\nrules: [WRT-1]\nclients: [alice]\nsteps:\n"
      + "  - alice.set: {path: a, value: 1, as: w}  # one\n"
    let page = try Page(client: "no-refill")

    let recorded = try page.ask(
      "POST", "/api/record",
      ["file": "new.yaml", "text": .string(text + "  - expect: {}\n")])
    let laws = try page.ask(
      "POST", "/api/record",
      [
        "file": "new.yaml",
        "text": .string(text.replacing("rules: [WRT-1]", with: "judge: invariants")),
      ])

    #expect(recorded.json["text"]?.string == text + "  - expect: {alice.w: {ok: true}}\n")
    #expect(
      recorded.json["difference"]?.string?.contains("+   - expect: {alice.w: {ok: true}}") == true)
    #expect(laws.status == 422)
    #expect(laws.json["error"]?.string?.contains("judged by invariants alone") == true)
  }

  @Test func `a text that is not saved is checked and run`() throws {
    let page = try Page()
    let known = try page.scenario(Self.refill)
    let text = try #require(known["text"]?.string)
    let file = try #require(known["file"])
    let wrong = text.replacing("bob.remove", with: "bob.removes")
    let other = text.replacing("child_removed: a", with: "child_removed: b")

    let mistakes = try page.ask(
      "POST", "/api/check", ["file": file, "text": .string(wrong)]
    ).json["problems"]?.elements
    let run = try page.run(
      Self.refill, [.init("file", file), .init("text", .string(other))])
    let results = try page.scenario(Self.refill)["results"]

    #expect(known["rules"]?.elements?.first?["text"]?.string?.isEmpty == false)
    #expect(mistakes?.count == 1)
    #expect(mistakes?.first?["message"]?.string?.contains("did you mean remove?") == true)
    #expect(mistakes?.first?["line"]?.integer != nil)
    #expect(run["outcome"]?.string == "failed")
    #expect(results == [], "a text that is not saved counts for its scenario")
  }

  @Test(arguments: [
    ["0", "1"], ["1", "deliveries:1"], ["fault:cut:alice@12", "fault:kill:bob@20"],
    ["deliveries:cut:alice@0.1", "deliveries:kill:bob@0.1"],
  ])
  func `each way that an exploration finds can be run and looked at`(ways: [String]) throws {
    let race = "races/two-writers-at-once"
    let page = try Page(selectors: [race])

    let runs = try ([""] + ways).map { way in
      _ = try page.run(race, [.init("order", .string(way))])
      return try page.ask(
        "GET", "/view",
        arguments: [.init("id", race), .init("profile", "firebase"), .init("order", way)]
      ).text
    }

    // Pages are too long to be quoted.
    let (differ, strikes) = (runs[1] != runs[2], runs[0] != runs[1])
    #expect(differ)
    #expect(strikes || !ways[0].hasPrefix("fault:"), "the fault does nothing")
  }

  @Test(arguments: ["one", "fault:0", "fault:flood:alice@1", "deliveries:x"])
  func `a way that there is not is refused`(way: String) throws {
    let race = "races/two-writers-at-once"

    let answer = try Page(selectors: [race]).ask(
      "POST", "/api/run",
      ["id": .string(race), "profile": "firebase", "order": .string(way)])

    #expect(answer.status == 422)
    #expect(answer.json["error"]?.string == "\(race) has no order \"\(way)\"")
  }

  @Test(arguments: ["/etc/new.yaml", "../new.yaml", "a/../../b.yaml", "new.txt", "README.md"])
  func `a file is saved only where scenarios belong`(file: String) throws {
    let answer = try Page().ask("POST", "/api/save", ["file": .string(file), "text": "x"])

    #expect(answer.status == 422)
    #expect(answer.json["error"]?.string?.contains("must be below this directory") == true)
  }

  @Test func `what a hunt has found is run as it was found`() throws {
    let folder = try Folder()
    try folder.write(FoundScenario.text, to: "found.yaml")
    let page = try Page(
      client: FoundScenario.client, selectors: [folder.path("found.yaml")])
    let list = try page.ask("GET", "/api/scenarios").json["scenarios"]
    let id = try #require(list?.elements?.first?["id"]?.string)
    page.runAll()

    let entry = try page.entry(id)
    let usual = try page.scenario(id)["results"]?.elements?.first
    let other = try page.run(id, [.init("seed", "1")])

    #expect(entry?["seed"]?.string == FoundScenario.seed)
    #expect(entry?["found"]?.string == "--profile firebase --seed \(FoundScenario.seed) --shadow")
    #expect(usual?["outcome"]?.string == "failed", "\(usual?["sentence"]?.string ?? "")")
    #expect(usual?["seed"]?.string == FoundScenario.seed)
    #expect(other["number"]?.integer == 0, "another seed counts for the scenario")
    #expect(try page.run(id)["number"]?.integer != 0)
  }
}
