import Document
import Foundation
import TestKit
import Testing
import Tree

/// What `kennel run --seeds` does with files.
@Suite struct SeedsTests {
  /// Passes when bob's write comes last, which the latencies decide.
  private static let race = """
    kennel: 1
    title: Bob comes last
    rules: [CON-1]
    profiles: [firebase, wilddog-2]
    clients: [alice, bob]
    network: {latency: 5ms..50ms}
    steps:
      - together:
          - alice.set: {path: n, value: 1}
          - bob.set: {path: n, value: 2}
      - expect: {server: {n: 2}}

    """

  private static func folder(_ text: String = race) throws -> Folder {
    let folder = try Folder()
    try folder.write(text, to: "race.yaml")
    return folder
  }

  @Test func `every seed is run, and the first that fails is told and can be run alone`() throws {
    let folder = try Self.folder()
    let swept = try folder.kennel(["run", "race.yaml", "--seeds", "1..20", "--profile", "firebase"])
    let alone = try (1...20).map {
      try folder.kennel(["run", "race.yaml", "--seed", "\($0)", "--profile", "firebase"]).status
    }
    let failing = alone.indices.filter { alone[$0] == 1 }.map { $0 + 1 }
    let first = try #require(failing.first)
    let count = failing.count

    #expect(swept.status == 1)
    #expect((1...19).contains(count))
    #expect(
      swept.output.contains(
        "  replay  tools/kennel run \(folder.url.path)/race.yaml --profile firebase --seed \(first)\n"
      ))
    let seeds = failing.prefix(8).map(String.init).joined(separator: ", ")
    #expect(
      swept.output.contains(
        """
        seeds  race  firebase
               \(count) of 20 runs fail
                 \(count) with server-tree: \(seeds)\(count > 8 ? ", ..." : "")

        20 runs of 1 scenario: \(20 - count) pass, \(count) fail   seeds 1..20
        """), "\(swept.output)")
    #expect(
      swept.output.hasSuffix(
        """


          FAIL  race  firebase  \(count) of 20 runs, first with seed \(first)

        \(20 - count) passed, \(count) failed, 0 skipped

        """), "\(swept.output)")
  }

  @Test func `the counts of all runs add up, also of those that are skipped`() throws {
    let folder = try Self.folder()

    let swept = try folder.kennel([
      "run", "race.yaml", "races/last-writer-wins", "--seeds", "0..4", "--profile", "wilddog-1",
    ])
    let skipped = try folder.kennel([
      "run", "race.yaml", "--seeds", "7", "--profile", "wilddog-1",
    ])

    #expect(swept.status == 0)
    #expect(
      swept.output.contains("  5 unsupported: it is for firebase, wilddog-2\n"),
      "\(swept.output)")
    #expect(swept.output.hasSuffix("\n5 passed, 0 failed, 5 skipped\n"))
    #expect(skipped.status == 2)
    #expect(skipped.output.contains("1 run of 1 scenario: 1 unsupported   seeds 7 "))
    #expect(skipped.messages == "kennel: nothing was judged\n")
  }

  @Test func `programs get a line for each run and one for all`() throws {
    let folder = try Self.folder()

    let swept = try folder.kennel(["run", "race.yaml", "--seeds", "1..6", "--format", "json"])

    let lines = try swept.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
    let runs = lines.dropLast()
    let summary = try #require(lines.last?["summary"])
    let failed = runs.count { $0["verdict"] == "fail" }
    #expect(runs.count == 12)
    #expect(runs.prefix(6).map { $0["seed"] } == [1, 2, 3, 4, 5, 6])
    #expect(summary["runs"] == 12)
    #expect(summary["seeds"] == "1..6")
    #expect(summary["failed"]?.integer == failed)
    #expect(summary["passed"]?.integer == 12 - failed)
    let failures = try #require(summary["failures"]?.elements)
    #expect(failures.compactMap { $0["failed"]?.integer }.reduce(0, +) == failed)
    #expect(failures.first?["ways"]?.elements?.first?["with"] == "server-tree")
  }

  @Test func `files of several seeds have names of their own, and runs are audited by seed`() throws
  {
    let folder = try Self.folder()
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "out"), withIntermediateDirectories: true)

    let swept = try folder.kennel([
      "run", "race.yaml", "--seeds", "3..4", "--profile", "firebase", "--trace", "out", "--record",
      "out", "--audit",
    ])

    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.url.appending(path: "out").path)
    #expect(
      names.sorted()
        == [3, 4].flatMap {
          ["race.firebase.seed-\($0).alice.jsonl", "race.firebase.seed-\($0).bob.jsonl"]
            + ["race.firebase.seed-\($0).trace.jsonl"]
        })
    #expect(!swept.output.contains("NONDETERMINISTIC"))
    #expect(try folder.kennel(["replay", "out/race.firebase.seed-4.trace.jsonl"]).status == 0)
  }

  @Test func `a client that is not determined is found with any of the seeds`() throws {
    let folder = try Self.folder()

    let swept = try folder.kennel([
      "run", "race.yaml", "--seeds", "3..4", "--profile", "firebase", "--audit", "--client",
      "clock-reader",
    ])

    #expect(swept.status == 1)
    #expect(swept.output.hasPrefix("NONDETERMINISTIC"))
    #expect(swept.output.hasSuffix("\n0 passed, 2 failed, 0 skipped\n"))
  }

  @Test func `choices that fit none of the runs are told once`() throws {
    let folder = try Self.folder(
      Self.race.replacing("steps:", with: "choices: [{message: 99, to: bob, late: 1ms}]\nsteps:"))

    let swept = try folder.kennel(["run", "race.yaml", "--seeds", "1..3", "--profile", "firebase"])

    #expect(
      swept.output.hasPrefix(
        """
        note  race  firebase
              nothing asked for
                message 99 to bob, late by 1ms

        3 runs of 1 scenario: 3 pass   seeds 1..3
        """))
  }

  @Test(arguments: [
    (
      ["--seeds", "4..1"],
      "--seeds needs two whole numbers, the smaller first, such as 1..1000, not \"4..1\""
    ),
    (
      ["--seeds", "1-4"],
      "--seeds needs two whole numbers, the smaller first, such as 1..1000, not \"1-4\""
    ),
    (["--seeds", "1..4", "--seed", "2"], "--seed and --seeds are both given"),
    (
      ["--seeds", "1..4", "--metamorphic"],
      "--seeds and --metamorphic are both given; expected one of them"
    ),
    (
      ["--metamorphic", "--trace", "x"],
      "--trace and --metamorphic are both given; expected one of them"
    ),
  ])
  func `options that do not go together are refused`(words: [String], message: String) throws {
    let outcome = try Program.kennel.run(["run"] + words)

    #expect(outcome.status == 2)
    #expect(outcome.messages == "kennel: \(message)\nTry 'kennel run --help'.\n")
  }
}
