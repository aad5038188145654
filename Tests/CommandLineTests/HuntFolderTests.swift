import Foundation
import TestKit
import Testing

/// What becomes of a campaign whose directory is not as it should be.
@Suite struct HuntFolderTests {
  private let folder: Folder
  private let kennel: Program
  private static let short = "hunt --size 30 --chunk 8 --seeds 1..16 --output r"

  init() throws {
    folder = try Folder()
    var program = Program.kennel
    program.directory = folder.url
    kennel = program
  }

  private func run(_ words: String) throws -> Outcome {
    try kennel.run(words.split(separator: " ").map(String.init))
  }

  /// Runs a line of shell in which `$KENNEL` is the program.
  private func shell(_ line: String) throws -> Outcome {
    var program = Program(path: "/bin/sh")
    program.environment["KENNEL"] = kennel.path
    program.directory = folder.url
    return try program.run(["-c", line])
  }

  @Test func `a campaign is not begun twice in one directory`() throws {
    _ = try run(Self.short)
    let outcome = try run(Self.short)

    #expect(outcome.status == 2)
    #expect(
      outcome.messages
        == "kennel: r has a campaign already; go on with it by --resume, or name another "
        + "directory\n")
  }

  @Test func `a campaign does not go on as another one`() throws {
    _ = try run(Self.short)
    let outcome = try run(Self.short + " --resume --client value-first")

    #expect(outcome.status == 2)
    #expect(
      outcome.messages == "kennel: r has another campaign: client reference is not value-first\n")
  }

  @Test(arguments: [
    ("{", "it does not describe a campaign"), ("", "it does not describe a campaign"),
    ("[1]", "it does not describe a campaign"),
    (
      #"{"kennel-hunt": 9}"#,
      "it describes a campaign in version 9, and this kennel knows 1"
    ),
    (
      #"{"kennel-hunt": 1, "draws": 1, "size": 120, "chunk": 256, "shadow": true}"#,
      "its seeds mean other scenarios: they were drawn by generator 1, and this kennel has 8"
    ),
  ])
  func `a description of a campaign that cannot be used is told`(
    text: String, reason: String
  ) throws {
    try folder.write(text, to: "r/campaign.json")
    for command in ["hunt --resume --output r", "merge r"] {
      let outcome = try run(command)

      #expect(outcome.status == 2)
      #expect(outcome.messages == "kennel: cannot read r/campaign.json: \(reason)\n")
    }
  }

  @Test func `a record that is none is told, and one that was cut off is run again`() throws {
    _ = try run(Self.short)
    let lines = try folder.text("r/chunks.jsonl").split(separator: "\n").map { $0 + "\n" }
    try folder.write(lines[0] + String(lines[1].dropLast(9)), to: "r/chunks.jsonl")
    let resumed = try run("hunt --resume --output r --seeds 1..16")
    #expect(resumed.output.hasPrefix("16 scenarios, seeds 1..16: "))
    #expect(try folder.text("r/chunks.jsonl").split(separator: "\n").count == lines.count)

    try folder.write(lines[0] + "x\n" + lines[1], to: "r/chunks.jsonl")
    let outcome = try run("hunt --resume --output r --seeds 1..16")
    #expect(outcome.status == 2)
    #expect(
      outcome.messages
        == "kennel: cannot read r/chunks.jsonl: line 2 is no record of a chunk\n")
  }

  @Test func `a directory that cannot be made is told`() throws {
    try folder.write("", to: "file")
    let outcome = try run("hunt --seeds 1..8 --output file/r")

    #expect(outcome.status == 4)
    #expect(outcome.messages == "kennel: cannot write file: it is not a directory\n")
  }

  @Test func `a file that may not grow ends the campaign, and it goes on later`() throws {
    let outcome = try shell(
      "ulimit -f 1; $KENNEL hunt --size 30 --chunk 2 --seeds 1..60 --output r")
    #expect(outcome.status == 4)
    #expect(outcome.messages.hasPrefix("kennel: cannot write r/"))
    #expect(outcome.messages.hasSuffix(": File too large\n"))

    let resumed = try run("hunt --resume --output r --seeds 1..60")
    #expect(resumed.status == 0)
    #expect(resumed.output.hasPrefix("60 scenarios, seeds 1..60: "))
  }

  @Test(.enabled(if: Self.canMount)) func `a full disk ends the campaign`() throws {
    let outcome = try shell(
      """
      mkdir r && exec unshare -m sh -c 'mount -t tmpfs -o size=8k none r && \
      $KENNEL hunt --size 30 --chunk 2 --seeds 1..80 --output r/h'
      """)

    #expect(outcome.status == 4)
    #expect(outcome.messages.hasPrefix("kennel: cannot write r/h/"))
    #expect(outcome.messages.hasSuffix(": No space left on device\n"))
  }

  /// Whether this process may mount something that nobody else sees.
  private static let canMount: Bool = {
    let outcome = try? Program(path: "/bin/sh").run(
      ["-c", "d=$(mktemp -d) && unshare -m mount -t tmpfs none $d; s=$?; rmdir $d; exit $s"])
    return outcome?.status == 0
  }()
}
