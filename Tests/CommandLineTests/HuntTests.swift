import Foundation
import TestKit
import Testing

/// Campaigns as people start them. They have small scenarios and chunks, so that they are quick.
@Suite struct HuntTests {
  private let folder: Folder
  private let kennel: Program

  init() throws {
    folder = try Folder()
    var program = Program.kennel
    program.directory = folder.url
    kennel = program
  }

  private func hunt(_ words: String) throws -> Outcome {
    try kennel.run(
      ["hunt", "--size", "30", "--chunk", "8"] + words.split(separator: " ").map(String.init))
  }

  @Test func `a campaign without failures says so`() throws {
    let outcome = try hunt("--seeds 1..40 --output r --jobs 2")

    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("40 scenarios, seeds 1..40: no failure   "))
    #expect(outcome.output.hasSuffix("\n40 passed, 0 failed, 0 skipped\n"))
    #expect(outcome.messages == "results in r\n")
    #expect(try folder.text("r/chunks.jsonl").split(separator: "\n").count == 6)
  }

  @Test func `a failure is kept as a small scenario that shows it`() throws {
    let outcome = try hunt("--seeds 1..24 --output r --client value-first --profile firebase")
    let file = "r/found/inv-4-listener-on-data.yaml"
    let text = try folder.text(file)
    let head = text.split(separator: "\n").prefix(5).map { $0.dropFirst(2) }

    #expect(outcome.status == 1)
    #expect(outcome.output.contains("\nFAIL  inv-4 listener on-data   "))
    #expect(head[0].hasPrefix("inv-4 listener on-data, found by kennel hunt with seed "))
    #expect(head[1].hasSuffix("nothing can be left out by itself"))
    #expect(head[2] == "a second process confirms it")
    let start = "tools/kennel run inv-4-listener-on-data.yaml "
    #expect(head[3].hasPrefix("with: "))
    #expect(head[4].hasPrefix(start))
    let command = "tools/kennel run \(file) " + head[4].dropFirst(start.count)
    #expect(outcome.output.contains("      \(command)\n"))

    let again = try kennel.run(command.split(separator: " ").dropFirst().map(String.init))
    #expect(again.status == 1)
    #expect(again.output.contains("came before child_added"))
  }

  @Test func `what is known is only counted`() throws {
    let first = try hunt("--seeds 1..16 --output a --client value-first --no-shrink")
    // The kinds of one cause are lines below the first of them.
    let signatures = first.output.split(separator: "\n").map { $0.drop { $0 == " " } }
      .filter { $0.hasPrefix("FAIL  ") || $0.hasPrefix("also  ") }
      .compactMap { $0.dropFirst(6).components(separatedBy: "   ").first }
    let known = signatures.map { $0 + "  # value comes first\n" }.joined() + "inv-1 listener\n"
    try folder.write(known, to: "known")

    let outcome = try hunt("--seeds 1..16 --output b --client value-first --known known")

    #expect(!signatures.isEmpty)
    #expect(outcome.status == 0)
    #expect(!outcome.output.contains("\nFAIL  "))
    #expect(outcome.output.contains("\nknown \(signatures[0])   "))
    #expect(outcome.output.contains("   value comes first\n"))
    #expect(outcome.output.contains("known, but not seen: inv-1 listener\n"))
    #expect(outcome.output.contains(" passed, 0 failed, "))
    try folder.write("inv-4 listener\n  INV-4\n", to: "known")
    let refused = try hunt("--seeds 1..2 --output c --known known")
    #expect(refused.status == 2)
    #expect(refused.messages.contains("known:2:3: found \"INV-4\"; expected a signature as a hunt"))
  }

  @Test func `scenarios are kept as they were drawn when that is wanted`() throws {
    _ = try hunt("--seeds 1..8 --output r --client value-first --no-shrink")

    let text = try folder.text("r/found/inv-4-listener-on-data.yaml")
    #expect(text.contains("\n# as it was drawn\n# not run again in a second process\n"))
    #expect(text.contains("\ntitle: Drawn with seed "))
  }

  @Test func `what only the shadow notices is shown again with a shadow`() throws {
    _ = try hunt("--seeds 1..8 --output r --client value-first --no-shrink")
    let file = folder.url.appending(path: "r/found/inv-4-listener-on-data.yaml").path
    let outcome = try kennel.run(["run", file, "--shadow", "--client", "value-first"])

    #expect(outcome.status == 1)
    #expect(outcome.output.contains(" --shadow --client value-first\n"))
  }

  @Test func `results of two machines are put together with their files`() throws {
    _ = try hunt("--seeds 1..16 --output a --client value-first")
    _ = try hunt("--seeds 17..40 --output b --client value-first")
    let whole = try hunt("--seeds 1..40 --output c --client value-first")

    let merged = try kennel.run(["merge", "a", "b", "-o", "d"])

    #expect(merged.status == 1)
    let summary = "\n" + (whole.output.split(separator: "\n").last ?? "") + "\n"
    #expect(merged.output.hasSuffix(summary))
    #expect(
      merged.output.contains(
        "      tools/kennel run d/found/inv-4-listener-on-data.yaml --profile "))
    #expect(
      try folder.text("d/found/inv-4-listener-on-data.yaml").hasPrefix(
        "# inv-4 listener on-data, found by"))
    #expect(
      try kennel.run(["merge", "a", "b"]).output.contains(
        "      tools/kennel run a/found/inv-4-listener-on-data.yaml --profile "))
  }

  @Test func `a campaign that goes on knows what it runs`() throws {
    _ = try hunt("--seeds 1..16 --output r --client value-first --profile firebase")

    let outcome = try kennel.run(["hunt", "--resume", "--output", "r", "--seeds", "1..32"])

    #expect(outcome.output.hasPrefix("32 scenarios, seeds 1..32: "))
    #expect(outcome.status == 1)
  }

  @Test(arguments: [
    ("hunt x", "hunt takes no arguments, but was given \"x\""),
    ("hunt --seeds 9..1", "--seeds needs two whole numbers, the smaller first, such as 1..1000"),
    ("hunt --minutes 0", "--minutes needs a positive number, not \"0\""),
    ("hunt --jobs 0", "--jobs needs a whole number from 1 to 1024, not \"0\""),
    ("hunt --size 5", "--size needs a whole number from 20 to 100000, not \"5\""),
    ("hunt --client nobody", "there is no client \"nobody\""),
    ("hunt --resume --output r", "r has no campaign to go on with"),
    ("merge", "which results? name directories or reports"),
    ("merge nowhere", "cannot read nowhere/campaign.json: No such file or directory"),
  ])
  func `what cannot be run is refused`(words: String, message: String) throws {
    let outcome = try kennel.run(words.split(separator: " ").map(String.init))

    #expect(outcome.status == 2)
    #expect(outcome.messages.hasPrefix("kennel: " + message))
  }
}
