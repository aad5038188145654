import Foundation
import TestKit
import Testing

/// What `kennel run` makes of a run that ends before everything was run.
@Suite struct StopTests {
  private let folder: Folder
  private let kennel: Program

  init() throws {
    folder = try Folder()
    var program = Program.project
    program.environment["KENNEL_HOME"] = program.directory.path
    program.directory = folder.url
    kennel = program
  }

  /// Scenarios that write to `/bad`, all known to end the adapter, and options that say so.
  private func known(_ count: Int) throws -> [String] {
    for number in 1...count {
      try folder.write(
        """
        kennel: 1
        title: A value is written
        rules: [WRT-1]
        clients: [alice]
        steps:
          - alice.set: {path: bad, value: 1, as: w}
          - expect: {alice.w: {ok: true}}

        """, to: "all/n\(number).yaml")
    }
    try folder.write(
      """
      kennel: 1
      known:
        - scenario: all/*
          max: 700
          signature: crash
          kind: bug
          issue: https://example.org/7
          until: 2026-12-31

      """, to: "known.yaml")
    return ["run", "all", "--profile", "firebase", "--today", "2026-11-01"]
  }

  private func adapter(_ way: String) -> [String] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Adapters/wrong.py")
    return ["--", "python3", "-S", file.path, way]
  }

  private static let shutdownGrace =
    "given up, because the adapter failed in 3 scenarios one after another; 2 runs were "
    + "not made"

  @Test(arguments: ["1", "2"])
  func `runs that are left out because the adapter dies are red, whatever is known`(
    jobs: String
  ) throws {
    let files = ["--markdown", "m", "--tap", "t", "--junit", "j", "--jsonl", "l", "--github"]
    let count = jobs == "1" ? 5 : 40
    let outcome = try kennel.run(
      try known(count) + ["--known", "known.yaml", "--jobs", jobs] + files + adapter("exit-0"))

    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.contains(" passed, 0 failed, "))
    #expect(outcome.output.contains("\ngiven up, because the adapter failed in 3 "))
    guard jobs == "1" else { return }
    #expect(
      outcome.output.hasSuffix(
        "selected 5 = ran 3 + not run 2\nknown failures: 3 as listed\n\n\(Self.shutdownGrace)\n\n"
          + "0 passed, 0 failed, 3 skipped\n"), "\(outcome)")
    #expect(outcome.output.hasPrefix("::error title=Kennel::\(Self.shutdownGrace)\n"))
    let markdown = try folder.text("m")
    #expect(markdown.hasPrefix("## Kennel: not everything was run\n"))
    #expect(markdown.contains("\n**\(Self.shutdownGrace)**  \n"))
    #expect(try folder.text("t").hasSuffix("\nBail out! \(Self.shutdownGrace)\n"))
    #expect(try folder.text("j").contains("<property name=\"stopped\" value=\"given up, because"))
    #expect(try folder.text("l").contains(",\"stopped\":\"\(Self.shutdownGrace)\"}}\n"))
  }

  @Test func `bad ends that are all known and leave nothing out are green`() throws {
    let outcome = try kennel.run(try known(3) + ["--known", "known.yaml"] + adapter("exit-0"))

    #expect(outcome.status == 0, "\(outcome)")
    #expect(!outcome.output.contains("given up"))
  }

  @Test(arguments: [["--seeds", "1..9"], ["--metamorphic"], ["--fail-fast"], []])
  func `an adapter that dies is never green`(words: [String]) throws {
    let outcome = try kennel.run(try known(4).prefix(4) + words + adapter("exit-0"))

    #expect([1, 70].contains(outcome.status), "\(outcome)")
  }

  @Test func `what is stale is told with the command that takes it away`() throws {
    let outcome = try kennel.run(
      ["run", "writes/local-echo", "all", "--profile", "firebase", "--today", "2026-11-01"]
        + (try known(1).isEmpty ? [] : ["--known", "known.yaml", "--client", "unordered"]))
    let behind = try kennel.run(
      ["run", "all", "--profile", "firebase", "--today", "2026-11-01", "--known", "known.yaml"]
        + ["--", kennel.path, "adapter"])

    func text(_ outcome: Outcome) -> String {
      outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    #expect(
      text(outcome).contains("run 'tools/kennel known --update known.yaml --client unordered' "),
      "\(outcome)")
    #expect(
      text(behind).contains(
        "run 'tools/kennel known --update known.yaml -- \(kennel.path) adapter' "),
      "\(behind)")
  }

  @Test func `commands that are printed name the program as it was called`() throws {
    var called = kennel
    called.environment["KENNEL_PROGRAM"] = "../my kit/tools/kennel"
    let words = try known(1) + adapter("exit-0")

    #expect(
      try called.run(words).output.contains("\n  replay  '../my kit/tools/kennel' run "))
    #expect(try kennel.run(words).output.contains("\n  replay  tools/kennel run "))
    let copy = folder.url.appending(path: "kennel").path
    try FileManager.default.copyItem(atPath: kennel.path, toPath: copy)
    var installed = kennel
    installed.path = copy
    #expect(try installed.run(words).output.contains("\n  replay  kennel run "))
  }

  @Test(arguments: [
    (SIGINT, 130, "SIGINT", "1"), (SIGTERM, 143, "SIGTERM", "2"), (SIGHUP, 129, "SIGHUP", "1"),
  ])
  func `somebody who stops a run gets the summary and the reports`(
    signal: Int32, status: Int, name: String, jobs: String
  ) throws {
    let ended = try stop(
      (try known(600)) + ["--jobs", jobs, "--tap", "t"] + ["--", kennel.path, "adapter"]
        + ["--no-reset"], by: signal)

    let output = try folder.text("output")
    #expect(Int(ended) == status, "\(output)")
    #expect(output.contains("\nstopped by \(name); "))
    let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("selected 600 = ") })
    #expect(line.split(separator: " ").compactMap { Int($0) }.dropFirst().reduce(0, +) == 600)
    #expect(output.hasSuffix(" passed, 0 failed, 0 skipped\n"))
    #expect(try folder.text("t").contains("\nBail out! stopped by \(name); "))
  }

  @Test func `metamorphic runs that are stopped have a summary`() throws {
    _ = try known(600)

    let ended = try stop(
      ["run", "all", "--profile", "firebase", "--metamorphic", "--", kennel.path, "adapter"]
        + ["--no-reset"], by: SIGINT)

    #expect(ended == 130)
    #expect(try folder.text("output").contains(/\d+ passed, 0 failed, \d+ skipped\n$/))
  }

  @Test func `nobody waits for an adapter that hangs once the run is stopped`() throws {
    let ended = try stop(
      (try known(2)) + ["--timeout", "3600"] + adapter("sleeps"), by: SIGINT)

    #expect(ended == 130)
    #expect(
      try folder.text("output").hasSuffix(
        "selected 2 = ran 0 + not run 2\n\nstopped by SIGINT; 2 runs were not made\n\n"
          + "0 passed, 0 failed, 0 skipped\n"))
  }

  /// Runs the kit, and stops it by a signal once it has begun an adapter. Returns how it ended.
  private func stop(_ words: [String], by signal: Int32) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: kennel.path)
    process.arguments = words
    process.environment = kennel.environment
    process.currentDirectoryURL = folder.url
    process.standardOutput = try folder.newFile("output")
    process.standardError = try folder.newFile("messages")
    try process.run()
    waitForAdapter(of: process)
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Waits until a process has begun another one, and then for a moment.
  private func waitForAdapter(of process: Process) {
    let id = process.processIdentifier
    while process.isRunning,
      (try? String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)) == ""
    {
      usleep(5000)
    }
    usleep(500_000)
  }
}
