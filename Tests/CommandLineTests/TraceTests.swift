import Foundation
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
      changed.messages == "kennel: race.yaml has changed since; running the text in the trace\n")
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

  @Test func `another client goes another way, which is exit code 1`() throws {
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
    #expect(other.output.hasPrefix("DIFFERS  After somebody else's removal"))
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
    let missing = try folder.kennel(["run", "race.yaml", "--trace", "nowhere"])
    try folder.write("{\"trace\":1}\n", to: "damaged.jsonl")
    let damaged = try folder.kennel(["replay", "damaged.jsonl"])
    try folder.write("{\"recording\":1,\"client\":\"firebase\"}\n", to: "recording.jsonl")
    let recording = try folder.kennel(["replay", "--step", "recording.jsonl"])
    let several = try folder.kennel(["replay", "--step", "damaged.jsonl", "recording.jsonl"])

    #expect(disk.status == 2)
    #expect(disk.messages == "kennel: cannot write traces/\(full): No space left on device\n")
    #expect(missing.status == 2)
    #expect(missing.messages == "kennel: there is no directory nowhere to write traces into\n")
    #expect(damaged.messages == "kennel: damaged.jsonl:1: \"profile\" is missing\n")
    #expect(damaged.status == 2)
    #expect(recording.messages == "kennel: --step is for traces; recording.jsonl is none\n")
    #expect(several.messages == "kennel: --step is for one trace, but 2 files were named\n")
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
