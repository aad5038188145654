import Document
import Foundation
import TestKit
import Testing
import Tree

/// What `kennel run`, `list`, `check` and `bench` do with the scenarios of this project and others.
@Suite struct RunTests {
  @Test func `the same scenario and seed give the same trace hash in a hundred processes`() throws {
    let folder = try Folder()
    try folder.write(countingRace, to: "race.yaml")
    var hashes: Set<String> = []
    for _ in 0..<100 {
      let outcome = try kennel.run([
        "run", "--seed", "7", "--format", "json", path(folder, "race.yaml"),
      ])
      let lines = outcome.output.split(separator: "\n")
      try #require(lines.count == 4, "\(outcome.messages)")
      hashes.insert(try lines.prefix(3).map { try hash(of: $0) }.joined(separator: " "))
    }

    #expect(hashes.count == 1)
    let other = try kennel.run([
      "run", "--seed", "8", "--format", "json", path(folder, "race.yaml"),
    ])
    #expect(try hash(of: other.output.split(separator: "\n")[0]) != hashes.first?.prefix(16) ?? "")
  }

  @Test func `a planted defect ends with exit code 1 and says how to see it again`() throws {
    let outcome = try kennel.run([
      "run", "limits/refill-after-foreign-removal", "--profile", "firebase", "--client",
      "no-refill",
    ])

    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("FAIL  After another client's removal"))
    #expect(
      outcome.output.contains(
        "replay  tools/kennel run limits/refill-after-foreign-removal --profile firebase --seed 0"
          + " --client no-refill\n"))
    #expect(outcome.output.hasSuffix("\n0 passed, 1 failed, 0 skipped\n"))
  }

  @Test func `what fails alike in several profiles is told once`() throws {
    let outcome = try kennel.run([
      "run", "limits/refill-after-foreign-removal", "--client", "no-refill",
    ])

    #expect(outcome.output.split(separator: "\n").count { $0.hasPrefix("FAIL") } == 1)
    #expect(outcome.output.contains("--client no-refill\n  also in wilddog-2, firebase\n\n"))
    #expect(outcome.output.hasSuffix("\n0 passed, 3 failed, 0 skipped\n"))
  }

  @Test func `a scenario that never settles ends at a virtual deadline and says who waits`() throws
  {
    let folder = try Folder()
    try folder.write(
      """
      kennel: 1
      title: Nobody heals the network
      rules: [CON-1]
      clients: [alice]
      quiet: 400s
      steps:
        - alice.listen: {path: n, event: value, as: feed}
        - expect: {alice.feed: [{value: null}]}
        - network.refuse: alice
        - alice.go-offline: {}
        - alice.go-online: {}
        - network.heal: alice
        - network.latency: 700s
        - settle
      """, to: "endless.yaml")

    let outcome = try kennel.run(["run", path(folder, "endless.yaml"), "--profile", "firebase"])

    #expect(outcome.status == 1)
    let sentence =
      "the run does not settle: alice waits for a connection: an attempt is under way"
    #expect(outcome.output.contains(sentence), "\(outcome.output)")
  }

  @Test func `a file with mistakes is refused with all of them and exit code 2`() throws {
    let folder = try Folder()
    try folder.write(
      "kennel: 1\ntitle: t\nrules: [XYZ-1]\nclients: [a]\nsteps:\n  - a.sett: {path: x}\n",
      to: "bad.yaml")

    let outcome = try kennel.run(["run", path(folder, "bad.yaml")])

    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.messages.contains("bad.yaml:3:9: "))
    #expect(outcome.messages.contains("rule in Specs; families are ACC, CBK, CON, ERR, EVT, "))
    #expect(outcome.messages.contains("bad.yaml:6:5: "))
    #expect(outcome.messages.hasSuffix("in scenario files; nothing was run\n"))
  }

  @Test func `an unknown scenario gets the nearest ones proposed`() throws {
    let outcome = try kennel.run(["run", "writes/local-ecko"])

    #expect(outcome.status == 2)
    #expect(
      outcome.messages
        == "kennel: there is no file, directory or scenario \"writes/local-ecko\";"
        + " did you mean \"writes/local-echo\"?\n")
  }

  @Test func `an unknown client gets the nearest one proposed`() throws {
    let outcome = try kennel.run(["run", "writes/local-echo", "--client", "no-refil"])

    #expect(outcome.status == 2)
    #expect(
      outcome.messages == "kennel: there is no client \"no-refil\"; did you mean no-refill?\n")
  }

  @Test func `a profile that a scenario is not for is skipped, and nothing run is exit code 2`()
    throws
  {
    let outcome = try kennel.run([
      "run", "guides/mixed-scores-by-value-as-printed", "--profile", "firebase",
    ])

    #expect(outcome.status == 2)
    #expect(outcome.output.contains("\n  1 unsupported: it is for wilddog-"))
    #expect(outcome.output.hasSuffix("\n0 passed, 0 failed, 1 skipped\n"))
    #expect(outcome.messages == "kennel: nothing was judged\n")
  }

  @Test func `check accepts all scenarios of the project`() throws {
    let outcome = try kennel.run(["check", "Scenarios"])

    #expect(outcome.status == 0)
    #expect(outcome.output.hasSuffix(" files: 0 problems\n"))
  }

  @Test func `list shows ids and titles, and one object a line as json`() throws {
    let text = try kennel.run(["list", "writes/local-echo"])
    let json = try kennel.run(["list", "writes/local-echo", "--format", "json"])

    #expect(
      text.output == "writes/local-echo  A write is reported before its call returns, and not again"
        + " when the server agrees\n")
    #expect(try JSON(parsing: json.output)["id"] == "writes/local-echo")
  }

  private var kennel: Program {
    .project
  }

  private func path(_ folder: Folder, _ name: String) -> String {
    folder.url.appending(path: name).path
  }

  private func hash(of line: Substring) throws -> String {
    try #require(try JSON(parsing: String(line))["hash"]?.string)
  }
}
