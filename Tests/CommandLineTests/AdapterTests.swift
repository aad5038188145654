import Document
import Foundation
import TestKit
import Testing
import Tree

/// What `kennel run -- COMMAND` makes of adapters that are wrong in every way a program can be.
@Suite struct AdapterTests {
  /// How a way of being wrong is judged, and the beginning of the sentence.
  struct Way: Sendable, CustomTestStringConvertible {
    var name: String
    var verdict: String
    var reason: String

    init(_ name: String, _ verdict: String, _ reason: String) {
      self.name = name
      self.verdict = verdict
      self.reason = reason
    }

    var testDescription: String { name }
  }

  static let ways = [
    Way(
      "not-json", "broken-protocol",
      "the adapter wrote a line that is not JSON: connected! (standard output belongs to the "),
    Way(
      "binary", "broken-protocol", "the adapter wrote a line that is not JSON: ????"
    ),
    Way(
      "list", "broken-protocol",
      "the adapter wrote a line with an unknown or invalid shape (an output is [1], "),
    Way(
      "bad-message", "broken-protocol",
      "the adapter wrote a line with an unknown or invalid shape (request \"q\" has no \"h\"; add it: the hash of "
        + "what the client holds"),
    Way(
      "unknown-verb", "broken-protocol",
      "the adapter wrote a line with an unknown or invalid shape (\"wave\" is"),
    Way(
      "wrong-argument", "broken-protocol",
      "the adapter wrote a line with an unknown or invalid shape (\"after\" is a string, expected milliseconds): "
    ),
    Way(
      "negative-argument", "broken-protocol",
      "the adapter wrote a line with an unknown or invalid shape (\"after\" is -5, expected milliseconds from 0 on): "
    ),
    Way(
      "two-verbs", "broken-protocol",
      "the adapter wrote a line with an unknown or invalid shape (a line has one verb, not 2: log, disconnect): "
    ),
    Way("wrong-id", "broken-protocol", "the adapter wrote idle for 6, but was asked 5"),
    Way(
      "two-idles", "broken-protocol", "the adapter wrote more after idle: {\"idle\": 5}"
    ),
    Way(
      "late-idle", "broken-protocol", "the adapter wrote idle for 5 twice, or late; it was asked 6"),
    Way("early", "broken-protocol", "the adapter wrote more after idle: {\"idle\": 6}"),
    Way("long-line", "broken-protocol", "the adapter wrote 16777216 bytes without a line feed; "),
    Way(
      "other-client", "broken-protocol",
      "the adapter answered for another client than alice, which was asked: {\"client\": \"zoe\","),
    Way(
      "unknown-listener", "broken-protocol",
      baseless + "alice was never asked to listen as \"feed\""
    ),
    Way(
      "unknown-call", "broken-protocol", baseless + "alice was never called with the id \"nobody\""),
    Way(
      "not-supported", "broken-protocol", "the adapter answered not-supported: set is not there yet"
    ),
    Way("failed", "crash", "the adapter answered failed: index out of range"),
    Way("exit-0", "crash", "the adapter ended (exit code 0) without a request to do so"),
    Way("exit-139", "crash", "the adapter ended (exit code 139) without a request to do so"),
    Way("segfault", "crash", "the adapter ended (signal 11 (Segmentation fault)) without"),
    Way("half-line", "crash", "the adapter ended in the middle of a line (exit code 3): {\"idle\""),
    Way("closes-stdout", "crash", "the adapter closed its output, and runs on"),
    Way("closes-stdin", "crash", "the adapter closed its input, and runs on"),
    Way("leaves-children", "crash", "the adapter ended (exit code 1) without a request to do so"),
    Way(
      "no-newline", "hang", "the adapter did not end a line with a line feed for 1 s: {\"idle\": 5}"
    ),
    Way("no-idle", "hang", "the adapter wrote lines, but not idle for 1 s"),
    Way("endless", "hang", "the adapter wrote lines, but not idle for 1 s"),
    Way("sleeps", "hang", "the adapter did not answer for 1 s"),
    Way("endless-log", "hang", "the adapter did not answer for 1 s"),
    Way("ignores-sigterm", "hang", "the adapter did not answer for 1 s"),
  ]

  private static let baseless = "the adapter refers to something unknown ("

  @Test(arguments: ways)
  func `an adapter that is wrong fails its run, leaves nothing behind, and the rest is run`(
    way: Way
  ) throws {
    let folder = try scenarios("bad", "good")
    let mark = "mark-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)

    let outcome = try kennel.run(
      ["run", folder.url.path, "--profile", "firebase", "--format", "json", "--timeout"]
        // What is no hang must not become one on a busy machine.
        + [way.verdict == "hang" ? "1" : "60"]
        + adapter(way.name, mark))

    let results = try outcome.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
    try #require(results.count == 3, "\(outcome)")
    #expect(results[0]["verdict"] == .string(way.verdict))
    #expect(results[0]["reason"]?.string?.hasPrefix(way.reason) == true, "\(results[0])")
    #expect(results[1]["verdict"] == "pass")
    #expect(outcome.status == 1)
    #expect(processes(with: mark) == [])
  }

  @Test func `the report shows what was asked, how the adapter ended and its last words`() throws {
    let folder = try scenarios("bad")

    let outcome = try kennel.run(
      ["run", folder.url.path, "--profile", "firebase"] + adapter("exit-139"))

    #expect(
      outcome.output.contains(
        """
          the adapter ended (exit code 139) without a request to do so

          asked: {"id":5,"client":"alice","now":1480000000020,"call":{"id":"w","op":"set","path":"/bad",\
        "value":1}}
          on standard error it wrote:
            a last word


        """), "\(outcome.output)")
    #expect(outcome.output.contains(" --profile firebase --seed 0 -- python3 -S "))
  }

  @Test func `of its standard error the first and last 16 lines are shown, and a file has all`()
    throws
  {
    let folder = try scenarios("bad")
    var kennel = kennel
    let script = kennel.directory.appending(path: "Tests/CommandLineTests/Adapters/wrong.py").path
    kennel.environment["KENNEL_HOME"] = kennel.directory.path
    kennel.directory = folder.url

    let outcome = try kennel.run(
      [
        "run", folder.url.path, "--profile", "firebase", "--", "python3", "-S", script,
        "many-words",
      ])

    let words = outcome.output.matches(of: #/\n {4}word (\d+)(?=\n)/#).compactMap { Int($0.1) }
    #expect(words == Array(0..<16) + Array(24..<40), "\(outcome.output)")
    #expect(outcome.output.contains("\n    ... 8 lines left out ...\n"))
    let file = try #require(outcome.output.firstMatch(of: #/\n  all of that is in (\S+)\n/#)?.1)
    let whole = try folder.text(String(file))
    #expect(whole.split(separator: "\n").count == 40 && whole.contains("\nword 20\n"))
  }

  @Test func `one that does not end on SIGTERM is killed, and the report says so`() throws {
    let folder = try scenarios("bad")

    let outcome = try kennel.run(
      ["run", folder.url.path, "--profile", "firebase", "--timeout", "0.5"]
        + adapter("ignores-sigterm"))

    #expect(outcome.output.contains("  it did not end on SIGTERM within 1 s, and was killed\n"))
  }

  @Test func `after three bad ends in a row nothing more is run, and it says how much`() throws {
    let folder = try scenarios("bad", "bad", "good", "bad", "bad", "bad", "bad", "good")

    let outcome = try kennel.run(
      ["run", folder.url.path, "--profile", "firebase"] + adapter("exit-0"))

    #expect(outcome.output.hasSuffix("\n1 passed, 5 failed, 0 skipped\n"))
    #expect(
      outcome.messages == """
        kennel: the adapter failed in 3 scenarios one after another
        kennel: 2 runs were not made

        """)
    #expect(outcome.status == 1)
  }

  @Test func `bad ends of one scenario in its profiles count as one`() throws {
    let folder = try scenarios("bad", "bad", "good")

    let outcome = try kennel.run(["run", folder.url.path] + adapter("exit-0"))

    #expect(outcome.output.hasSuffix("\n3 passed, 6 failed, 0 skipped\n"))
    #expect(outcome.messages == "")
  }

  @Test(arguments: [
    ("exit-at-once", "the adapter ended (exit code 1) without a request to do so\n"),
    (
      "no-hello", "the adapter wrote idle before hello; expected a hello first\n"
    ),
    ("other-protocol", cannot + "it has version 2 of the protocol, expected 1; it said {"),
    ("other-capability", cannot + "\"sett\" is no capability; did you mean \"set\"?; it said {"),
    (
      "other-lack",
      cannot + "\"unlisten-al\" is no part of an interface; did you mean \"unlisten-all\"?; "
        + "it said {"
    ),
    (
      "other-clock",
      cannot + "\"clock\" is \"lunar\", expected \"virtual\" or \"real\"; it said {"
    ),
    (
      "sockets",
      cannot
        + "\"transport\" is \"socket\" and \"clock\" is \"virtual\"; over sockets time is real;"
    ),
  ])
  func `one that cannot be talked to is refused before anything runs`(
    way: String, message: String
  ) throws {
    let folder = try scenarios("good")

    let outcome = try kennel.run(
      ["run", folder.url.path, "--profile", "firebase"] + adapter(way))

    #expect(outcome.status == 4)
    #expect(outcome.output.isEmpty)
    #expect(outcome.messages.hasPrefix("kennel: " + message), "\(outcome.messages)")
  }

  private static let cannot = "the adapter cannot be run: "

  @Test func `an interrupted kennel leaves no adapter behind`() throws {
    let folder = try scenarios("bad")
    let mark = "mark-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let command = ([kennel.path, "run", folder.url.path] + adapter("ignores-sigterm", mark))
      .map { "'\($0)'" }.joined(separator: " ")
    let script = """
      \(command) >/dev/null 2>&1 & kennel=$!
      until pgrep -f '[w]rong.py ignores-sigterm \(mark)' >/dev/null; do sleep 0.02; done
      kill -TERM $kennel; wait $kennel; echo $?
      """

    var shell = Program(path: "/bin/bash")
    shell.directory = kennel.directory
    let outcome = try shell.run(["-c", script])

    #expect(outcome.output == "143\n")
    #expect(processes(with: mark) == [])
  }
}

extension AdapterTests {
  var kennel: Program {
    .project
  }

  /// The end of a command line that runs the adapter that is wrong in a certain way.
  func adapter(_ way: String, _ mark: String = "") -> [String] {
    ["--", "python3", "-S", "Tests/CommandLineTests/Adapters/wrong.py", way, mark]
  }

  /// A scenario for each location, in which something is written there and then below it.
  func scenarios(_ paths: String...) throws -> Folder {
    let folder = try Folder()
    for (number, path) in paths.enumerated() {
      try folder.write(
        """
        kennel: 1
        title: A write at \(path)
        rules: [WRT-1]
        clients: [alice]
        steps:
          - alice.set: {path: \(path), value: 1, as: w}
          - alice.set: {path: \(path)/deeper, value: 1, as: v}
          - expect: {alice.w: {ok: true}, alice.v: {ok: true}}
        """, to: "\(number)-\(path).yaml")
    }
    return folder
  }

  /// The processes that run and have a word in their command line.
  private func processes(with word: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.filter { name in
      guard Int(name) != nil,
        let line = FileManager.default.contents(atPath: "/proc/\(name)/cmdline")
      else { return false }
      return String(decoding: line, as: UTF8.self).contains(word)
    }
  }
}
