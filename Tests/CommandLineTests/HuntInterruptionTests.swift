import Foundation
import TestKit
import Testing

/// Campaigns that somebody or something ends before their time.
@Suite struct HuntInterruptionTests {
  private let folder: Folder
  private let kennel: Program
  private static let words = [
    "--size", "60", "--chunk", "8", "--jobs", "2",
  ]

  init() throws {
    folder = try Folder()
    var program = Program.kennel
    program.directory = folder.url
    kennel = program
  }

  /// Begins a campaign without an end in the directory `r`, and waits until it has results.
  private func begin() throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: kennel.path)
    process.arguments = ["hunt", "--output", "r", "--seeds", "1..1000000"] + Self.words
    process.currentDirectoryURL = folder.url
    process.standardOutput = try folder.newFile("output")
    process.standardError = try folder.newFile("messages")
    try process.run()
    while (try? folder.text("r/chunks.jsonl").split(separator: "\n").count) ?? 0 < 4 {
      usleep(5000)
    }
    return process
  }

  /// The processes that a process started.
  private func children(of process: Int32) throws -> [Int32] {
    let file = URL(filePath: "/proc/\(process)/task/\(process)/children")
    return try String(contentsOf: file, encoding: .utf8).split(separator: " ")
      .compactMap { Int32($0) }
  }

  private func waitForEnd(of processes: [Int32]) {
    for process in processes { while isAlive(process) { usleep(5000) } }
  }

  /// Whether a process does anything any more; one that waits to be buried does not.
  private func isAlive(_ process: Int32) -> Bool {
    let file = URL(filePath: "/proc/\(process)/stat")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return false }
    return !(text.split(separator: ")").last?.hasPrefix(" Z") ?? true)
  }

  /// The ranges of the records that are whole, and the lines.
  private func records() throws -> [String: String] {
    let text = try folder.text("r/chunks.jsonl")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return Dictionary(
      uniqueKeysWithValues: lines.map { line in
        (String(line.split(separator: "\"")[3]), String(line))
      })
  }

  /// Goes on up to a seed that is beyond all that was run, and compares with a campaign that was
  /// never interrupted.
  private func expectNothingLost(_ before: [String: String]) throws {
    let last = before.keys.compactMap { Int($0.split(separator: ".").last ?? "") }.max() ?? 0
    let resumed = try kennel.run(
      ["hunt", "--resume", "--output", "r", "--seeds", "1..\(last + 8)"])
    let whole = try kennel.run(
      ["hunt", "--output", "w", "--seeds", "1..\(last + 8)"] + Self.words)
    let after = try records()

    #expect(before.allSatisfy { after[$0.key] == $0.value })
    #expect(
      Set(after.values)
        == Set(try folder.text("w/chunks.jsonl").split(separator: "\n").map(String.init)))
    #expect(
      resumed.output.split(separator: "\n").last == whole.output.split(separator: "\n").last)
  }

  @Test(arguments: [false, true])
  func `nothing that was noted is lost when a campaign is killed, and nobody works on`(
    withChildren: Bool
  ) throws {
    let process = try begin()
    let workers = try children(of: process.processIdentifier)
    #expect(workers.count == 2)

    kill(process.processIdentifier, SIGKILL)
    if withChildren { for worker in workers { kill(worker, SIGKILL) } }
    process.waitUntilExit()
    waitForEnd(of: workers)

    try expectNothingLost(try records())
  }

  @Test func `a worker that is killed is replaced, and its seeds are run again`() throws {
    let process = try begin()
    if let worker = try children(of: process.processIdentifier).first { kill(worker, SIGKILL) }
    let count = try records().count
    while try records().count < count + 4 { usleep(5000) }
    process.interrupt()
    process.waitUntilExit()

    #expect(process.terminationStatus == 130)
    #expect(try folder.text("output").contains("\nFAIL  crash") == false)
    try expectNothingLost(try records())
  }

  @Test func `a campaign that is interrupted tells what it has, and how to go on`() throws {
    let process = try begin()
    process.interrupt()
    process.waitUntilExit()

    #expect(process.terminationStatus == 130)
    #expect(try folder.text("output").hasSuffix(" failed, 0 skipped\n"))
    #expect(
      try folder.text("messages") == """
        stopping; Ctrl-C again does not wait for what is under way
        results in r
        stopped; resume with: tools/kennel hunt --seeds 1..1000000 --resume --output r

        """)
    try expectNothingLost(try records())
  }

  @Test func `two campaigns do not share a directory`() throws {
    let process = try begin()
    let outcome = try kennel.run(["hunt", "--resume", "--output", "r", "--seeds", "1..8"])
    process.terminate()
    process.waitUntilExit()

    #expect(outcome.status == 2)
    #expect(outcome.messages == "kennel: another kennel is hunting in r\n")
  }

  @Test(.enabled(if: Self.canMount)) func `a full disk ends the campaign`() throws {
    var program = Program(path: "/bin/sh")
    program.environment["KENNEL"] = kennel.path
    program.directory = folder.url
    let outcome = try program.run([
      "-c",
      """
      mkdir r && exec unshare -m sh -c 'mount -t tmpfs -o size=8k none r && \
      $KENNEL hunt --size 30 --chunk 2 --seeds 1..80 --output r/h'
      """,
    ])

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
