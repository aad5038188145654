import Foundation
import TestKit
import Testing

/// What is different when a person looks on.
@Suite struct TerminalTests {
  /// What `kennel` writes to a terminal.
  private func output(_ words: [String], _ environment: [String: String] = [:]) throws -> String {
    var python = Program(path: "/usr/bin/python3")
    python.directory = Program.project.directory
    python.environment = Program.project.environment.merging(["TERM": "xterm"]) { $1 }
    python.environment["NO_COLOR"] = nil
    python.environment.merge(environment) { $1 }
    let script = "import pty, sys; pty.spawn(sys.argv[1:])"
    return try python.run(["-c", script, Program.kennel.path] + words).output
  }

  private let words = ["run", "limits", "--profile", "firebase", "--client", "no-refill"]

  @Test func `progress is one line that is taken away`() throws {
    let text = try output(words)

    #expect(text.contains("\r\u{1B}[K0 of "))
    #expect(text.contains("\r\u{1B}[K"))
    #expect(text.hasSuffix(" failed, 0 skipped\r\n") || text.hasSuffix(" runs were not made\r\n"))
    #expect(!(try output(words, ["TERM": "dumb"])).contains("\u{1B}[K"))
  }

  @Test func `NO_COLOR takes the colours away`() throws {
    #expect(try output(words).contains("\u{1B}[31mFAIL"))
    #expect(!(try output(words, ["NO_COLOR": "1"])).contains("\u{1B}[31m"))
    #expect(try output(words, ["NO_COLOR": ""]).contains("\u{1B}[31m"))
    #expect(try output(words + ["--jobs", "2"]).contains("\u{1B}[31mFAIL"))
  }

  @Test func `without a terminal there is neither`() throws {
    let outcome = try Program.project.run(words)

    #expect(outcome.messages == "")
    #expect(!outcome.output.contains("\u{1B}"))
  }
}
