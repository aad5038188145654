import Foundation
import TestKit
import Testing

/// What `kennel run --trace` writes and `kennel replay` does with it.
@Suite struct TraceTests {
  private static let race = """
    kennel: 1
    title: Two clients count at once over a network with jitter
    rules: [TXN-1]
    profiles: [firebase]
    clients: [alice, bob]
    network: {latency: 5ms..90ms}
    steps:
      - together:
          - alice.transaction: {path: n, update: {increment: 1}}
          - bob.transaction: {path: n, update: {increment: 1}}
      - expect: {server: {n: 2}}

    """

  @Test func `a trace is replayed exactly, also by its text alone`() throws {
    let folder = try Self.folder()
    let file = "traces/race.firebase.trace.jsonl"
    let run = try folder.kennel(["run", "race.yaml", "--seed", "7", "--trace", "traces"])

    let replay = try folder.kennel(["replay", file])
    try folder.write(Self.race + "# A word more\n", to: "race.yaml")
    let changed = try folder.kennel(["replay", file])
    try FileManager.default.removeItem(at: folder.url.appending(path: "race.yaml"))
    let alone = try folder.kennel(["replay", "traces"])

    #expect(run.status == 0)
    #expect(replay.status == 0)
    #expect(replay.messages == "")
    #expect(replay.output.hasPrefix("replayed exactly, "))
    #expect(replay.output.hasSuffix("   race  firebase\n"))
    #expect(changed.output == replay.output)
    #expect(
      changed.messages == "kennel: race.yaml has changed since, from line 12 on; "
        + "running the text in the trace (--changed runs the file)\n")
    #expect(alone.output == replay.output)
    #expect(
      alone.messages == "kennel: race.yaml is not there; running the text in the trace\n")
  }

  @Test func `two processes write the same bytes`() throws {
    let folder = try Self.folder()
    let file = "traces/race.firebase.trace.jsonl"
    _ = try folder.kennel(["run", "race.yaml", "--seed", "7", "--trace", "traces"])
    let first = try folder.text(file)

    _ = try folder.kennel(["run", "race.yaml", "--seed", "7", "--trace", "traces"])

    #expect(try folder.text(file) == first)
  }

  @Test func `another client differs, which is exit code 1`() throws {
    let folder = try Self.folder()
    _ = try folder.kennel([
      "run", "limits/refill-after-foreign-removal", "--profile", "firebase", "--trace", "traces",
      "--client", "no-refill",
    ])

    let file = "traces/limits_refill-after-foreign-removal.firebase.trace.jsonl"
    let same = try folder.kennel(["replay", file])
    let other = try folder.kennel(["replay", file, "--client", "reference"])
    let unknown = try folder.kennel(["replay", file, "--client", "no-refil"])

    #expect(same.status == 0)
    #expect(other.status == 1)
    #expect(other.output.hasPrefix("DIFFERS  After another client's removal"))
    #expect(unknown.status == 2)
    #expect(unknown.messages.contains("there is no client \"no-refil\""))
  }

  @Test func `a walk reads its commands from standard input`() throws {
    let folder = try Self.folder()
    _ = try folder.kennel(["run", "race.yaml", "--seed", "7", "--trace", "traces"])

    let walk = try folder.kennel(["replay", "--step", "traces"], input: "2\n\nq\nnever\n")

    #expect(walk.status == 0)
    let lines = walk.output.split(separator: "\n").dropFirst().map(String.init)
    #expect(
      lines.filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != " " } } == ["0", "2", "3"])
  }

  @Test func `what cannot be written or read is told`() throws {
    let folder = try Self.folder()
    let full = "race.firebase.trace.jsonl"
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.appending(path: "traces/\(full)").path,
      withDestinationPath: "/dev/full")
    let disk = try folder.kennel(["run", "race.yaml", "--trace", "traces"])
    let new = try folder.kennel(["run", "race.yaml", "--trace", "new/deep"])
    let file = try folder.kennel(["run", "race.yaml", "--trace", "race.yaml"])
    try folder.write("{\"trace\":1}\n", to: "damaged.jsonl")
    let damaged = try folder.kennel(["replay", "damaged.jsonl"])
    try folder.write("{\"recording\":1,\"client\":\"firebase\"}\n", to: "recording.jsonl")
    let recording = try folder.kennel(["replay", "--step", "recording.jsonl"])
    let several = try folder.kennel(["replay", "--step", "damaged.jsonl", "recording.jsonl"])

    #expect(disk.status == 2)
    #expect(disk.messages == "kennel: cannot write traces/\(full): No space left on device\n")
    #expect(new.messages == "")
    #expect(try folder.text("new/deep/\(full)") != "")
    #expect(file.status == 4)
    #expect(file.messages == "kennel: cannot write race.yaml: it is not a directory\n")
    #expect(damaged.messages == "kennel: damaged.jsonl:1:1: \"profile\" is missing\n")
    #expect(damaged.status == 2)
    #expect(recording.messages == "kennel: --step is for traces; recording.jsonl is none\n")
    #expect(several.messages == "kennel: --step is for one trace, but 2 files were named\n")
  }

  @Test(arguments: [
    ("", "x.jsonl:1:1: the file is empty; expected a trace or a recording"),
    (
      "kennel: 1\n",
      "x.jsonl:1:1: this is neither a trace nor a recording; expected a JSON object with \"trace\" or "
        + "\"recording\" in the first line"
    ),
    (
      "{\"trace\":1,\"kennel\":\"0.",
      "x.jsonl:1:21: the string does not end on its line; expected a double quote; add it, or write "
        + "a line break as \\n; this is the last line: was the file cut off?"
    ),
  ])
  func `a file that is no trace is refused with its place`(text: String, message: String) throws {
    let folder = try Folder()
    try folder.write(text, to: "x.jsonl")

    let outcome = try folder.kennel(["replay", "x.jsonl"])

    #expect(outcome == Outcome(status: 2, output: "", messages: "kennel: \(message)\n"))
  }

  @Test func `bytes that are no text are refused with their place`() throws {
    let folder = try Folder()
    try Data([0x7B, 0x0A, 0xC3, 0xA4, 0x20, 0xFF]).write(to: folder.url.appending(path: "x.jsonl"))

    let outcome = try folder.kennel(["replay", "x.jsonl"])

    #expect(outcome.status == 2)
    #expect(
      outcome.messages == "kennel: x.jsonl:2:3: this byte is not UTF-8; expected text in UTF-8\n")
  }

  @Test func `a scenario that was changed is run with the choices of the trace`() throws {
    let folder = try Self.folder()
    let file = "traces/race.firebase.trace.jsonl"
    _ = try folder.kennel(["run", "race.yaml", "--seed", "7", "--trace", "traces"])
    let same = try folder.kennel(["replay", "--changed", file])
    let slower = Self.race.replacing("5ms..90ms", with: "5ms..6ms")
    try folder.write(slower.replacing("bob", with: "zoe"), to: "race.yaml")
    let changed = try folder.kennel(["replay", "--changed", file])
    try folder.write(Self.race.replacing("steps", with: "stops"), to: "race.yaml")
    let damaged = try folder.kennel(["replay", "--changed", file])
    try folder.write("matrix: {x: [1]}\n" + Self.race + "# $(x)", to: "race.yaml")
    let renamed = try folder.kennel(["replay", "--changed", file])
    try FileManager.default.removeItem(at: folder.url.appending(path: "race.yaml"))
    let alone = try folder.kennel(["replay", "--changed", file])

    #expect(same.status == 0)
    #expect(same.output.hasPrefix("replayed exactly, "))
    #expect(changed.status == 1)
    #expect(changed.output.contains("\n  no longer asked for\n    connection 1 of bob, late by "))
    #expect(changed.output.contains("\n  no longer possible; the most that is was chosen\n    "))
    #expect(changed.output.contains("\n  the scenario was run as its file is now\n"))
    #expect(changed.output.contains(" zoe "))
    #expect(damaged.status == 2)
    #expect(
      damaged.messages.contains("race.yaml:7:1: unknown key \"stops\""), "\(damaged.messages)")
    #expect(renamed.status == 2, "\(renamed.output)")
    #expect(
      alone.messages
        == "kennel: race.yaml is not there; without --changed the text in the trace is run\n")
  }

  @Test func `the trace of an order that fails is replayed with what it was judged by`() throws {
    let folder = try Self.folder()
    let words = [
      "races/two-writers-at-once", "--deliveries", "--client", "data-over-pending-writes",
      "--profile", "firebase", "--trace", "traces",
    ]
    let file = "traces/races_two-writers-at-once.firebase.trace.jsonl"

    let explored = try folder.kennel(["explore"] + words)
    let replay = try folder.kennel(["replay", file])
    let order = try folder.kennel(["explore"] + words + ["--order", "0.1.1.0.0.1.1.1.1"])
    let other = try folder.kennel(["replay", file])
    let faults = try folder.kennel(["explore", "--faults"] + words.filter { $0 != "--deliveries" })

    #expect(explored.status == 1)
    #expect(explored.output.contains("  replay  tools/kennel replay \(folder.url.path)/\(file)\n"))
    #expect(replay.status == 0, "\(replay.output)")
    #expect(replay.output.contains("\n  fail, as recorded at event 59: value shows 1, "))
    #expect(order.status == 1)
    #expect(other.output.contains("\n  fail, as recorded at event 54: value shows 2, "))
    #expect(faults.status == 2)
    #expect(
      faults.messages.hasPrefix("kennel: --trace is for orders; it does not go with faults\n"))
  }

  private static func folder() throws -> Folder {
    let folder = try Folder()
    try folder.write(race, to: "race.yaml")
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "traces"), withIntermediateDirectories: true)
    return folder
  }
}

extension Folder {
  /// Runs `kennel` in this directory, with the scenarios of the project.
  func kennel(_ arguments: [String], input: String = "") throws -> Outcome {
    var program = Program.kennel
    program.directory = url
    program.environment["KENNEL_HOME"] = Self.project.path
    return try program.run(arguments, input: input)
  }

  private static let project = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
}
