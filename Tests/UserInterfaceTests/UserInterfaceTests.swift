import Document
import LiveServer
import Runs
import Scenario
import System
import TestKit
import Testing
import Tree
import UserInterface

/// What the page of `kennel ui` is answered.
@Suite struct UserInterfaceTests {
  private static let refill = "limits/refill-after-foreign-removal"

  private static func interface(
    client: String? = nil, selectors: [String] = ["limits"], list: String? = nil
  ) throws -> UserInterface {
    var settings = RunSettings()
    settings.selectors = selectors
    settings.fleet.rest = client
    settings.gate.list = list
    return UserInterface(try Workbench(settings), token: "t")
  }

  private static func ask(
    _ interface: UserInterface, _ method: String, _ path: String, _ body: JSON? = nil,
    arguments: [HTTPRequest.Argument] = [], token: String = "t", host: String = "127.0.0.1:4"
  ) throws -> (status: Int, json: JSON, text: String) {
    let response = interface.respond(
      to: HTTPRequest(
        method, path, arguments, headers: ["host": host, HTTPRequest.tokenHeader: token],
        body: body.map { Array($0.text.utf8) } ?? []))
    let text = String(decoding: response.body, as: UTF8.self)
    return (response.status, (try? JSON(parsing: response.body)) ?? .null, text)
  }

  @Test(arguments: [
    ("GET", "/", "", "127.0.0.1:1", 200), ("GET", "/.kennel/ui.js", "", "localhost", 200),
    ("GET", "/api/scenarios", "", "127.0.0.1", 403), ("POST", "/api/run", "x", "127.0.0.1", 403),
    ("GET", "/", "t", "evil.test", 403), ("GET", "/api/nothing", "t", "127.0.0.1", 404),
    ("GET", "/view", "t", "127.0.0.1", 422), ("GET", "/api/scenarios", "t", "127.0.0.1", 200),
  ])
  func `only a page of this machine with the token is answered`(
    method: String, path: String, token: String, host: String, status: Int
  ) throws {
    let answer = try Self.ask(Self.interface(), method, path, token: token, host: host)

    #expect(answer.status == status, "\(answer.text.prefix(200))")
  }

  @Test func `scenarios are listed with what they can be filtered by`() throws {
    let list = try Self.ask(Self.interface(), "GET", "/api/scenarios").json
    let one = list["scenarios"]?.elements?.first { $0["id"]?.string == Self.refill }

    #expect(list["client"]?.string == "reference")
    #expect(one?["profiles"]?.text == #"["wilddog-1","wilddog-2","firebase"]"#)
    #expect(one?["rules"]?.elements?.contains("LIM-7") == true)
  }

  @Test func `a run fails as it does on the command line, and the viewer shows it`() throws {
    let interface = try Self.interface(client: "no-refill")
    let body: JSON = ["runs": [["id": .string(Self.refill), "profile": "firebase", "seed": "0"]]]

    let result = try Self.ask(interface, "POST", "/api/run", body).json["results"]?.elements?.first
    let page = try Self.ask(
      interface, "GET", "/view",
      arguments: [.init("id", Self.refill), .init("profile", "firebase")])

    #expect(result?["outcome"]?.string == "failed")
    #expect(
      result?["sentence"]?.string
        == "expected child_added /room/c, but the client raised value /room")
    #expect(result?["text"]?.string?.contains("rule LIM-7") == true)
    #expect(page.text.contains("expected child_added /room/c"))
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
    let interface = try Self.interface(client: "no-refill", list: folder.path("known.yaml"))
    let outcomes = try ["firebase", "wilddog-2"].map { profile in
      let body: JSON = [
        "runs": [["id": .string(Self.refill), "profile": .string(profile), "seed": "0"]]
      ]
      return try Self.ask(interface, "POST", "/api/run", body).json["results"]?.elements?.first?[
        "outcome"]?.string
    }

    #expect(outcomes == ["known", "failed"])
  }

  @Test func `the button for recording gives the text with what the reference client does`() throws
  {
    let text =
      "kennel: 1\ntitle: T\nrules: [WRT-1]\nclients: [alice]\nsteps:\n"
      + "  - alice.set: {path: a, value: 1, as: w}  # one\n"
    let interface = try Self.interface(client: "no-refill")

    let recorded = try Self.ask(
      interface, "POST", "/api/record",
      ["file": "new.yaml", "text": .string(text + "  - expect: {}\n")])
    let laws = try Self.ask(
      interface, "POST", "/api/record",
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
    let interface = try Self.interface()
    let path: [HTTPRequest.Argument] = [.init("id", Self.refill)]
    let known = try Self.ask(interface, "GET", "/api/scenario", arguments: path).json
    let text = try #require(known["text"]?.string)
    let file = try #require(known["file"])
    let wrong = text.replacing("bob.remove", with: "bob.removes")
    let other = text.replacing("child_removed: a", with: "child_removed: b")

    let mistakes = try Self.ask(
      interface, "POST", "/api/check", ["file": file, "text": .string(wrong)]
    ).json["problems"]?.elements
    let run = try Self.ask(
      interface, "POST", "/api/run",
      [
        "runs": [["id": .string(Self.refill), "profile": "firebase"]], "file": file,
        "text": .string(other),
      ]
    ).json["results"]?.elements?.first

    #expect(known["rules"]?.elements?.first?["text"]?.string?.isEmpty == false)
    #expect(mistakes?.count == 1)
    #expect(mistakes?.first?["message"]?.string?.contains("did you mean remove?") == true)
    #expect(mistakes?.first?["line"]?.integer != nil)
    #expect(run?["outcome"]?.string == "failed")
  }

  @Test func `each order that a scenario leaves open can be run and looked at`() throws {
    let interface = try Self.interface(selectors: ["races/two-writers-at-once"])

    let runs = try ["0", "1", "one"].map { order in
      let key = [("id", "races/two-writers-at-once"), ("profile", "firebase"), ("order", order)]
      let members = key.map { JSON.Member($0.0, .string($0.1)) }
      let run = try Self.ask(interface, "POST", "/api/run", ["runs": [.object(members)]])
      let page = try Self.ask(
        interface, "GET", "/view", arguments: key.map { .init($0.0, $0.1) })
      return (run: run, page: page.text)
    }

    #expect(runs.map(\.run.status) == [200, 200, 422])
    #expect(runs[0].page != runs[1].page)
    #expect(
      runs[2].run.json["error"]?.string == "races/two-writers-at-once has no order \"one\"")
  }

  @Test(arguments: ["/etc/new.yaml", "../new.yaml", "a/../../b.yaml", "new.txt", "README.md"])
  func `a file is saved only where scenarios belong`(file: String) throws {
    let answer = try Self.ask(
      Self.interface(), "POST", "/api/save", ["file": .string(file), "text": "x"])

    #expect(answer.status == 422)
    #expect(answer.json["error"]?.string?.contains("must be below this directory") == true)
  }
}
