import Foundation
import TestKit
import Testing

/// What `kennel run` makes of a run that somebody stops.
@Suite struct StopTests {
  private let folder: Folder
  private let kennel: Program

  init() throws {
    folder = try Folder()
    var program = Program.kennel
    program.environment["KENNEL_HOME"] = SourceTree.root.path
    program.directory = folder.url
    kennel = program
  }

  /// Writes scenarios that write to `/bad`, and returns the words that run them.
  private func scenarios(_ count: Int) throws -> [String] {
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
    return ["run", "all", "--profile", "firebase"]
  }

  @Test(arguments: [
    (SIGINT, 130, "SIGINT", "1"), (SIGTERM, 143, "SIGTERM", "2"), (SIGHUP, 129, "SIGHUP", "1"),
  ])
  func `somebody who stops a run gets the summary and the reports`(
    signal: Int32, status: Int, name: String, jobs: String
  ) throws {
    let ended = try stop(
      try scenarios(600) + ["--jobs", jobs, "--junit", "report"]
        + ["--", kennel.path, "adapter", "--no-reset"], by: signal)

    let output = try folder.text("output")
    #expect(Int(ended) == status, "\(output)")
    #expect(output.contains("\nstopped by \(name); "))
    let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("selected 600 = ") })
    #expect(line.split(separator: " ").compactMap { Int($0) }.dropFirst().reduce(0, +) == 600)
    #expect(output.hasSuffix(" passed, 0 failed, 0 skipped\n"))
    #expect(
      try folder.text("report").contains("name=\"stopped\" value=\"stopped by \(name); "))
  }

  @Test func `metamorphic runs that are stopped have a summary`() throws {
    let ended = try stop(
      try scenarios(600) + ["--metamorphic", "--", kennel.path, "adapter", "--no-reset"],
      by: SIGINT)

    #expect(ended == 130)
    #expect(try folder.text("output").contains(/\d+ passed, 0 failed, \d+ skipped\n$/))
  }

  @Test func `nobody waits for an adapter that hangs once the run is stopped`() throws {
    let adapter = SourceTree.root.appending(path: "Tests/CommandLineTests/Adapters/wrong.py")
    let ended = try stop(
      try scenarios(2) + ["--timeout", "3600", "--", "python3", "-S", adapter.path, "sleeps"],
      by: SIGINT)

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
    try withoutBlockedSignals { try process.run() }
    waitForAdapter(of: process)
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// What is started takes over which signals this thread keeps waiting.
  private func withoutBlockedSignals(_ start: () throws -> Void) rethrows {
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try start()
  }

  /// Waits until a process has begun another one and keeps signals waiting, and then for a moment, in
  /// which runs usually begin.
  private func waitForAdapter(of process: Process) {
    let id = process.processIdentifier
    while process.isRunning,
      text("/proc/\(id)/task/\(id)/children").isEmpty || !keepsSignalsWaiting(id)
    {
      usleep(5000)
    }
    usleep(200_000)
  }

  private func text(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }

  /// Whether it keeps those waiting that end a run, and not all, as it does while it begins another one.
  private func keepsSignalsWaiting(_ process: Int32) -> Bool {
    let lines = text("/proc/\(process)/status").split(separator: "\n")
    let field = lines.first { $0.hasPrefix("SigBlk:") }?.split(separator: "\t").last
    let mask = field.flatMap { UInt64($0, radix: 16) } ?? 0
    let waits = [SIGINT, SIGALRM].map { mask & 1 << UInt64($0 - 1) != 0 }
    return waits == [true, false]
  }
}
