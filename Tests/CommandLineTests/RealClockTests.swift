import Document
import Foundation
import TestKit
import Testing
import Tree

/// What commands make of adapters whose clients have a clock of their own.
@Suite struct RealClockTests {
  private var kennel: Program {
    .project
  }

  private func adapter(_ way: String) -> [String] {
    ["--", "python3", "Tests/CommandLineTests/Adapters/wrong.py", way]
  }

  @Test(arguments: [
    ["explore", "writes/tiny-client"], ["hunt", "--seeds", "1..2"],
    ["shrink", "writes/tiny-client"], ["why", "writes/tiny-client"],
    ["run", "--audit", "writes"], ["run", "--seeds", "1..2", "writes"],
    ["run", "--metamorphic", "writes"], ["run", "--shadow", "writes"],
  ])
  func `what needs the same run twice is refused, with what to do instead`(
    words: [String]
  ) throws {
    let outcome = try kennel.run(words + adapter("real-clock"))

    #expect(outcome.status == 2, "\(outcome)")
    let beginning = "kennel: the clients of this adapter have a clock of their own"
    #expect(outcome.messages.hasPrefix(beginning), "\(outcome.messages)")
    #expect(outcome.messages.contains("make a scenario of it with 'kennel scenario-from'"))
  }

  @Test(arguments: [
    (
      "real-clock",
      "with a real clock each line about a client names it: \"client\""
    ),
    ("real-timer", "its clock is real, so its timers are its own"),
    ("real-stranger", "there is no client \"zoe\""),
    ("real-idle", "the adapter wrote idle for 2, and nothing was asked"),
  ])
  func `mistakes in the protocol are told`(way: String, reason: String) throws {
    let outcome = try kennel.run(
      ["run", "writes/no-listener-needed", "--profile", "firebase", "--format", "json"]
        + adapter(way))

    let line = try #require(outcome.output.split(separator: "\n").first)
    let json = try JSON(parsing: Array(line.utf8))
    #expect(json["verdict"] == "broken-protocol", "\(outcome)")
    #expect(json["reason"]?.string?.contains(reason) == true, "\(json["reason"]?.text ?? "")")
  }

  @Test func `options for a real clock need an adapter`() throws {
    let outcome = try kennel.run(["run", "writes", "--patience", "100"])

    #expect(outcome.status == 2)
    #expect(outcome.messages.hasPrefix("kennel: --patience needs a COMMAND after --"))
  }

  @Test func `failures that come and go are not known in virtual time`() throws {
    let folder = try Folder()
    let list = folder.url.appending(path: "known.yaml")
    try """
    kennel: 1
    known:
      - scenario: writes/tiny-client
        signature: crash
        kind: flaky
        issue: https://example.org/7
        until: 2099-12-31

    """.write(to: list, atomically: true, encoding: .utf8)

    let outcome = try kennel.run(
      ["run", "writes/tiny-client", "--known", list.path, "--", kennel.path, "adapter"])

    #expect(outcome.status == 2)
    #expect(outcome.messages.contains(":3: flaky is for clients on a real clock"))
  }
}
