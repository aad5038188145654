import Foundation
import Glibc
import TestKit
import Testing

/// A project file that others may have written starts nothing.
@Suite(.timeLimit(.minutes(10))) struct ProjectTrustTests {
  private let folder: Folder
  private let kennel: Program

  init() throws {
    folder = try Folder()
    try folder.write("", to: "below/file")
    try folder.write(
      "# .kennel/schemas\nkennel: 1\ncommand: [touch, \(folder.url.path)/started]\n",
      to: "kennel.yaml")
    var program = Program.project
    program.environment["KENNEL_HOME"] = program.directory.path
    program.environment["KENNEL_TRUST"] = nil
    program.directory = folder.url.appending(path: "below")
    kennel = program
  }

  private func setMode(_ mode: Int) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.url.path)
  }

  private func hasFile(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.url.appending(path: name).path)
  }

  private static let commands = [
    ["run", "writes/local-echo"], ["smoke"], ["doctor"], ["explore", "writes/local-echo"], ["ui"],
    ["hunt", "--seeds", "1..2"], ["known", "--update", "known.yaml"],
  ]

  @Test(arguments: commands)
  func `a command of a folder that everybody may write is not started`(words: [String]) throws {
    try setMode(0o777)
    let outcome = try kennel.run(words)

    let path = folder.url.path
    #expect(outcome.status == 2, "\(outcome)")
    #expect(
      outcome.messages
        == "kennel: \(path)/kennel.yaml may neither start a command nor name files to write: everybody "
        + "may write \(path), which has the mode 777, expected that only its user may; run 'chmod go-w "
        + "\(path)'; or look at it, and trust its folder with KENNEL_TRUST=\(path); or leave the file out "
        + "with KENNEL_PROJECT=none\n")
    #expect(!hasFile("started"))
    #expect(!hasFile(".kennel"))
  }

  private static let named = [
    ["run", "writes/local-echo", "--client", "old"],
    ["run", "writes/local-echo", "--client", "alice=old"],
    ["run", "writes/local-echo", "--role", "alice=old"], ["explore", "writes/local-echo"],
    ["hunt", "--seeds", "1..2", "--client", "bob=old"],
    ["matrix", "writes/local-echo", "--with", "old", "--with", "reference"],
  ]

  @Test(arguments: named)
  func `a client that a file of everybody names is not started`(words: [String]) throws {
    try folder.write(
      "kennel: 1\nclients: {old: {command: [touch, \(folder.url.path)/started]}}\nroles: {alice: old}\n",
      to: "kennel.yaml")
    try setMode(0o777)
    let outcome = try kennel.run(words)

    #expect(outcome.status == 2, "\(outcome)")
    #expect(outcome.messages.contains("kennel.yaml may neither start a command nor name files"))
    #expect(!hasFile("started"))
  }

  @Test func `a server that a file of everybody names is not started`() throws {
    try folder.write(
      "kennel: 1\nserver-command: touch \(folder.url.path)/started {port}\n", to: "kennel.yaml")
    try setMode(0o777)
    let outcome = try kennel.run(["run", "writes/local-echo"])

    #expect(outcome.status == 2, "\(outcome)")
    #expect(outcome.messages.contains("kennel.yaml may neither start a command nor name files"))
    #expect(!hasFile("started"))
  }

  @Test func `a file that everybody may write names no file to write`() throws {
    try folder.write("kennel: 1\njunit: started\n", to: "kennel.yaml")
    try setMode(0o777)
    let words = ["run", "writes/local-echo", "--client", "reference"]
    let outcome = try kennel.run(words)

    #expect(outcome.status == 2, "\(outcome)")
    #expect(outcome.messages.contains("kennel.yaml may neither start a command nor name files"))
    #expect(!hasFile("started"))
    #expect(try kennel.run(words + ["--junit", "mine"]).status == 0)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
  func `a command of another user is not started`() throws {
    #expect(chown(folder.url.appending(path: "kennel.yaml").path, 65534, 65534) == 0)
    let outcome = try kennel.run(["run", "writes/local-echo"])

    #expect(outcome.status == 2)
    #expect(outcome.messages.contains("/kennel.yaml belongs to user 65534"), "\(outcome)")
    #expect(!hasFile("started"))
  }

  /// Runs a command at a terminal, answers its question, and ends it when it serves.
  private static let terminal = """
    import os, pty, signal, sys
    child, terminal = pty.fork()
    if child == 0: os.execvp(sys.argv[2], sys.argv[2:])
    seen = b""
    while True:
        try: piece = os.read(terminal, 4096)
        except OSError: break
        if not piece: break
        seen += piece
        if seen.endswith(b"[y/N] "): os.write(terminal, sys.argv[1].encode() + b"\\n")
        if b"?token=" in piece: os.kill(child, signal.SIGTERM)
    print(seen.decode().count("[y/N]"), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """

  @Test func `a page asks before it starts a command of a project for the first time`() throws {
    try folder.write("kennel: 1\ncommand: [\(kennel.path), adapter]\n", to: "kennel.yaml")
    var python = Program(path: "/usr/bin/env")
    python.environment = kennel.environment
    python.environment["XDG_STATE_HOME"] = folder.url.path + "/state"
    python.directory = kennel.directory
    func outcome(_ answer: String) throws -> String {
      try python.run(
        ["python3", "-c", Self.terminal, answer, kennel.path, "ui", "writes/local-echo"]
      ).output
    }

    #expect(try outcome("") == "1 2\n")
    #expect(try outcome("n") == "1 2\n")
    #expect(try outcome("y") == "1 0\n")
    #expect(try outcome("n") == "0 0\n")
  }

  @Test func `who names the folder, the file or another client is heard`() throws {
    try setMode(0o1777)
    let words = ["run", "writes/local-echo", "--profile", "firebase"]
    let own = folder.url.path
    var trusting = kennel
    trusting.environment["KENNEL_TRUST"] = "/nowhere:\(own)/"
    var naming = kennel
    naming.environment["KENNEL_PROJECT"] = "\(own)/kennel.yaml"
    var ignoring = kennel
    ignoring.environment["KENNEL_PROJECT"] = "none"

    #expect(try ignoring.run(words).status == 0)
    #expect(try kennel.run(words + ["--client", "reference"]).status == 0)
    #expect(try kennel.run(["list", "writes/local-echo"]).status == 0)
    #expect(!hasFile("started"))
    #expect(try trusting.run(words).status != 2)
    #expect(hasFile("started"))
    try FileManager.default.removeItem(atPath: own + "/started")
    #expect(try naming.run(words).status != 2)
    #expect(hasFile("started"))
  }
}
