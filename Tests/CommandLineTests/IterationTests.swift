import Foundation
import TestKit
import Testing

/// What `kennel run` has for those who run it again and again.
@Suite struct IterationTests {
  private let folder: Folder
  private let kennel: Program

  init() throws {
    folder = try Folder()
    var program = Program.project
    program.environment["KENNEL_HOME"] = program.directory.path
    program.directory = folder.url
    kennel = program
  }

  private func last(_ outcome: Outcome) -> Substring? {
    outcome.output.split(separator: "\n").last
  }

  @Test func `only what failed last is run again, until it passes`() throws {
    let words = ["limits/refill-*", "--profile", "firebase"]
    #expect(try kennel.run(["run", "--last-failed"] + words).messages.contains("has failed"))
    let broken = try kennel.run(["run", "--client", "no-refill"] + words)
    let count = try folder.text(".kennel/failed").split(separator: "\n").count
    #expect(count > 1)
    #expect(last(broken)?.hasSuffix(" \(count) failed, 0 skipped") == true)

    let again = try kennel.run(["run", "--last-failed", "--client", "no-refill"] + words)
    let one = try kennel.run(["run", "limits/refill-after-own-removal", "--profile", "firebase"])
    let rest = try kennel.run(["run", "--last-failed"] + words)
    let none = try kennel.run(["run", "--last-failed"] + words)

    #expect(last(again) == "0 passed, \(count) failed, 0 skipped")
    #expect(last(one) == "1 passed, 0 failed, 0 skipped")
    #expect(last(rest) == "\(count - 1) passed, 0 failed, 0 skipped")
    #expect(none.status == 2)
    #expect(none.messages.contains("none of these scenarios failed"))
  }

  @Test func `why explains each cause of what failed last, once`() throws {
    let words = ["--client", "no-refill", "--profile", "firebase"]
    let before = try kennel.run(["why"])
    _ = try kennel.run(["run", "limits/refill-*"] + words)
    let count = try folder.text(".kennel/failed").split(separator: "\n").count

    let last = try kennel.run(["why", "--last-failed"] + words)
    let folderOnly = try kennel.run(["why", "limits/refill-*", "--last-failed"] + words)
    let other = try kennel.run(["why", "writes", "--last-failed"] + words)
    let mended = try kennel.run(["why", "--last-failed", "--profile", "firebase"])

    #expect(before.status == 2 && before.messages.contains("no run from this directory has failed"))
    #expect(last.status == 1, "\(last)")
    #expect(last.output == folderOnly.output)
    #expect(last.output == (try kennel.run(["why"] + words).output))
    let stories = last.output.components(separatedBy: "WHY  ").count - 1
    #expect(stories < count, "\(last.output)")
    #expect(
      last.output.hasSuffix(
        "\n\(stories) \(stories == 1 ? "cause" : "causes"), \(count) of \(count) scenarios fail\n"),
      "\(last.output)")
    #expect(last.output.contains("\n  also in limits/refill-"), "\(last.output)")
    #expect(other.messages.contains("none of these scenarios failed"))
    #expect(mended.status == 2)
    #expect(mended.messages.contains("none of \(count) scenarios fails"), "\(mended)")
  }

  @Test func `a failed scenario of the reader's own is run again, and explained`() throws {
    let original = Program.project.directory
      .appending(path: "Scenarios/limits/refill-after-own-removal.yaml")
    try folder.write(String(contentsOf: original, encoding: .utf8), to: "mine/refill.yaml")
    let words = ["--client", "no-refill", "--profile", "firebase"]
    _ = try kennel.run(["run", "mine/refill.yaml"] + words)

    let again = try kennel.run(["run", "--last-failed"] + words)
    let why = try kennel.run(["why", "--last-failed"] + words)

    #expect(last(again) == "0 passed, 1 failed, 0 skipped", "\(again)")
    #expect(why.output.hasSuffix("\n1 cause, 1 of 1 scenario fails\n"), "\(why)")
  }

  @Test func `why explains several scenarios, and shrink names some of them`() throws {
    let words = ["limits/refill-*", "--client", "no-refill", "--profile", "firebase"]
    let why = try kennel.run(["why"] + words)
    let shrink = try kennel.run(["shrink"] + words)

    #expect(why.status == 1)
    #expect(why.output.contains(" scenarios fail\n"), "\(why)")
    #expect(shrink.status == 2)
    #expect(shrink.messages.contains("expected one, such as limits/refill-"), "\(shrink)")
  }

  @Test func `scenarios can be left out, and what leaves nothing out is a mistake`() throws {
    let all = try kennel.run(["list", "limits"]).output.split(separator: "\n")
    let words = ["list", "limits", "--exclude"]
    let some = try kennel.run(words + ["limits/refill-*"]).output.split(separator: "\n")
    let slip = try kennel.run(words + ["limits/refil"])

    #expect(!some.isEmpty && some.count < all.count)
    #expect(!some.contains { $0.contains("limits/refill-") })
    #expect(
      try kennel.run(["list", "limits", "writes", "--exclude", "limits"]).output
        .contains("limits/") == false)
    #expect(slip.status == 2)
    #expect(slip.messages.contains("no scenario among these matches \"limits/refil\""))
  }

  @Test func `the parts of a run are the whole, and their reports are put together`() throws {
    let words = ["limits", "--profile", "firebase", "--client", "no-refill"]
    for part in 1...3 {
      _ = try kennel.run(["run", "--shard", "\(part)/3", "--jsonl", "p\(part)"] + words)
    }
    let whole = try kennel.run(["run", "--jsonl", "whole"] + words)
    let merged = try kennel.run(["merge", "p1", "p2", "p3", "-o", "merged"])
    let twice = try kennel.run(["merge", "p1", "p1-again"])

    func runs(_ file: String) throws -> [String] {
      try folder.text(file).split(separator: "\n").dropLast().map(String.init).sorted()
    }
    #expect(last(merged) == last(whole))
    #expect(merged.status == 1)
    #expect(try runs("merged") == runs("whole"))
    #expect(try kennel.run(["diff", "whole", "merged"]).status == 0)
    #expect(twice.status == 2)
    #expect(try kennel.run(["run", "--shard", "4/3"]).messages.contains("such as 1/4"))
  }

  @Test func `two reports on the same run are no parts`() throws {
    let words = ["run", "limits/refill-after-own-removal", "--jsonl"]
    _ = try kennel.run(words + ["a"])
    _ = try kennel.run(words + ["b"])

    let merged = try kennel.run(["merge", "a", "b"])

    #expect(merged.status == 2)
    #expect(merged.messages.contains("is also in a; expected parts of one run"))
  }

  @Test func `the messages of runs that fail are shown whole, and of no others`() throws {
    let words = ["run", "limits/refill-after-own-removal", "--profile", "firebase", "-v"]
    let failing = try kennel.run(words + ["--client", "no-refill"])
    let passing = try kennel.run(words)

    #expect(failing.output.contains("\n  wire\n"))
    #expect(failing.output.contains(#"{"t":"d","d":{"r":"#))
    #expect(!passing.output.contains("wire"))
  }

  @Test func `the slowest runs are listed`() throws {
    let outcome = try kennel.run(["run", "limits", "--slowest", "2"])
    let lines = outcome.output.split(separator: "\n")

    #expect(lines.first == "slowest")
    #expect(lines[1].contains(" ms  limits/") && lines[2].contains(" ms  limits/"))
    #expect(!lines[3].contains(" ms  "))
  }

  @Test func `an adapter that fails again and again can be run to the end`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Adapters/wrong.py")
    let words = ["run", "writes", "--profile", "firebase", "--keep-going", "--"]
    let outcome = try kennel.run(words + ["python3", "-S", file.path, "exit-0"])

    #expect(!outcome.output.contains("not run"))
    #expect(!outcome.output.contains("given up"))
  }

  @Test func `a hunt can stop at the first failure`() throws {
    let outcome = try kennel.run([
      "hunt", "--client", "value-first", "--seeds", "1..1000000", "--fail-fast", "--jobs", "2",
      "--output", "r", "--no-shrink", "--chunk", "16",
    ])

    #expect(outcome.status == 1)
    #expect(outcome.output.contains("\nFAIL  "))
  }

  @Test func `what a hunt confirms in a second process is not what failed last`() throws {
    let outcome = try kennel.run([
      "hunt", "--client", "value-first", "--seeds", "1..64", "--fail-fast", "--jobs", "1",
      "--output", "r", "--chunk", "8",
    ])

    #expect(outcome.output.contains("a second process confirms it"), "\(outcome)")
    #expect(!FileManager.default.fileExists(atPath: folder.url.path + "/.kennel/failed"))
  }

  @Test func `a run is made again when a scenario changes`() throws {
    func write(_ value: Int) throws {
      try folder.write(
        """
        kennel: 1
        title: A value is read
        rules: [EVT-4]
        clients: [alice]
        data: {doc: 1}
        steps:
          - alice.listen: {path: doc, event: value, as: feed}
          - expect: {alice.feed: [{value: \(value)}]}

        """, to: "all/one.yaml")
    }
    func wait(for text: String) throws {
      let end = Date(timeIntervalSinceNow: 60)
      while try !folder.text("output").contains(text), Date() < end { usleep(10_000) }
      #expect(try folder.text("output").contains(text))
    }
    try write(2)
    let process = Process()
    process.executableURL = URL(filePath: kennel.path)
    process.arguments = ["run", "all", "--watch", "--profile", "firebase"]
    process.environment = kennel.environment
    process.currentDirectoryURL = folder.url
    process.standardOutput = try folder.newFile("output")
    process.standardError = try folder.newFile("messages")
    try process.run()

    try wait(for: "0 passed, 1 failed, 0 skipped\n")
    while try !folder.text("messages").contains("watching 1 folder; Ctrl-C ends") { usleep(10_000) }
    try write(1)
    try wait(for: "1 passed, 0 failed, 0 skipped\n")
    process.interrupt()
    process.waitUntilExit()

    #expect(process.terminationStatus == 130)
  }
}
