import Document
import Foundation
import TestKit
import Testing
import Tree

/// Whether `kennel run --audit` finds the clients that differ each time, and only those.
@Suite struct AuditTests {
  private static let reconnection = """
    kennel: 1
    title: Everything is listened to again after a reconnection
    rules: [CON-1]
    profiles: [firebase]
    judge: invariants
    clients: [alice]
    steps:
      - alice.listen: {path: a, event: value}
      - alice.listen: {path: b, event: value}
      - alice.listen: {path: c, event: value}
      - alice.listen: {path: d, event: value}
      - alice.listen: {path: e, event: value}
      - alice.listen: {path: f, event: value}
      - alice.listen: {path: g, event: value}
      - alice.listen: {path: h, event: value}
      - settle
      - network.cut: alice
      - wait: 5s
      - network.heal: alice
      - settle

    """

  @Test(arguments: [
    ("unordered", "listen /", ", in step 13 of"),
    ("clock-reader", "timer", ", before the first step"),
  ])
  func `a client that is not determined is caught, with both sides`(
    client: String, words: String, position: String
  ) throws {
    let folder = try Folder()
    try folder.write(Self.reconnection, to: "again.yaml")

    let plain = try folder.kennel(["run", "again.yaml", "--client", client])
    let audited = try folder.kennel(["run", "again.yaml", "--client", client, "--audit"])

    #expect(plain.status == 0, "\(plain.output)")
    #expect(audited.status == 1)
    let lines = audited.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "NONDETERMINISTIC  Everything is listened to again after a reconnection")
    #expect(lines[2].hasPrefix("  another process with the same seed differed at event "))
    #expect(lines[2...3].joined(separator: " ").contains(position), "\(audited.output)")
    #expect(lines.contains { $0.hasPrefix("  -  ") && $0.contains(words) }, "\(audited.output)")
    #expect(lines.contains { $0.hasPrefix("  +  ") }, "\(audited.output)")
    #expect(lines.contains("      (- this run, + the other one)"))
    #expect(
      lines.contains(
        "  replay  tools/kennel run \(folder.url.path)/again.yaml --profile firebase --seed 0"
          + " --client \(client) --audit"))
  }

  @Test func `programs are told where two runs part`() throws {
    let folder = try Folder()
    try folder.write(Self.reconnection, to: "again.yaml")

    let outcome = try folder.kennel([
      "run", "again.yaml", "--client", "clock-reader", "--audit", "--format", "json",
    ])

    let result = try JSON(parsing: String(outcome.output.prefix { $0 != "\n" }))
    let firstDifference = try #require(result["parting"])
    #expect(result["verdict"] == "nondeterministic")
    #expect(firstDifference["event"] == firstDifference["first"]?["n"])
    #expect(firstDifference["event"] == firstDifference["second"]?["n"])
    #expect(firstDifference["first"] != firstDifference["second"])
  }

  @Test func `a process that orders sets always alike is compared with one that does not`() throws {
    let folder = try Folder()
    try folder.write(Self.reconnection, to: "again.yaml")
    var program = Program.kennel
    program.directory = folder.url
    program.environment["SWIFT_DETERMINISTIC_HASHING"] = "1"

    let outcome = try program.run(["run", "again.yaml", "--client", "unordered", "--audit"])

    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("NONDETERMINISTIC"))
  }

  @Test func `a client that is determined passes, and what is skipped stays skipped`() throws {
    let folder = try Folder()
    try folder.write(Self.reconnection, to: "again.yaml")

    let outcome = try folder.kennel(["run", "again.yaml", "races", "--audit", "--seed", "3"])
    let skipped = try folder.kennel(["run", "again.yaml", "--profile", "wilddog-1", "--audit"])

    #expect(outcome.status == 0, "\(outcome.output)\(outcome.messages)")
    #expect(skipped.status == 2)
    #expect(skipped.output.hasSuffix("\n0 passed, 0 failed, 1 skipped\n"))
  }

  @Test func `choices that are unused are told, and are no failure`() throws {
    let folder = try Folder()
    let stated = Self.reconnection.replacing(
      "steps:", with: "choices: [{message: 99, from: alice, late: 2ms}]\nsteps:")
    try folder.write(stated, to: "again.yaml")

    let text = try folder.kennel(["run", "again.yaml"])
    let json = try folder.kennel(["run", "again.yaml", "--format", "json"])

    #expect(text.status == 0)
    #expect(
      text.output.hasPrefix(
        """
        note  again  firebase
              nothing asked for
                message 99 from alice, late by 2ms

        """))
    let line = String(json.output.prefix { $0 != "\n" })
    #expect(
      try JSON(parsing: line)["unusedChoices"] == ["message 99 from alice, late by 2ms"])
  }

  @Test func `an order that explore finds is made by an ordinary run of its choices`() throws {
    let folder = try Folder()
    let race = """
      kennel: 1
      title: The last writer wins
      rules: [CON-1]
      profiles: [firebase]
      clients: [alice, bob]
      steps:
        - together:
            - alice.set: {path: n, value: 1}
            - bob.set: {path: n, value: 2}
        - expect: {server: {n: 2}}

      """
    try folder.write(race, to: "race.yaml")

    for option in [[], ["--deliveries"]] {
      let explored = try folder.kennel(["explore", "race.yaml"] + option)
      let lines = explored.output.split(separator: "\n").map(String.init)
      let start = try #require(lines.firstIndex { $0 == "    choices:" }, "\(explored.output)")
      let choices = lines[start...].prefix { $0.hasPrefix("    ") }.map { $0.dropFirst(4) }
      try folder.write(
        race.replacing("steps:", with: choices.joined(separator: "\n") + "\nsteps:"),
        to: "stated.yaml")
      let run = try folder.kennel(["run", "stated.yaml"])

      #expect(explored.status == 1)
      #expect(choices.count == 2)
      #expect(run.status == 1)
      let sentence = "the server has 1 at /n, expected 2"
      #expect(run.output.contains(sentence), "\(run.output)")
    }
  }
}
