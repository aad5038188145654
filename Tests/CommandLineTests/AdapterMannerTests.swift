import Foundation
import TestKit
import Testing

// What else an adapter may write, and how it ends.

extension AdapterTests {
  @Test func `with -V a line that only the schema forbids is a failure too`() throws {
    let folder = try scenarios("bad", "good")
    let words = ["run", folder.url.path, "--profile", "firebase"]

    let lenient = try kennel.run(words + adapter("extra-member"))
    let strict = try kennel.run(words + ["-V"] + adapter("extra-member"))

    #expect(lenient.output.hasSuffix("\n2 passed, 0 failed, 0 skipped\n"))
    #expect(strict.output.hasSuffix("\n1 passed, 1 failed, 0 skipped\n"))
    #expect(
      plain(strict.output).contains(
        "wrote a line with an unknown or invalid shape (\"colour\" is no member of log, which has text, level): "
      ),
      "\(strict.output)")
  }

  @Test func `a timer that was never set can be cancelled`() throws {
    let folder = try scenarios("bad")

    let outcome = try kennel.run(
      ["run", folder.url.path, "--profile", "firebase"] + adapter("unset-timer"))

    #expect(outcome.output.hasSuffix("\n1 passed, 0 failed, 0 skipped\n"), "\(outcome)")
  }

  @Test func `for a call that the interface does not have, what to declare is named`() throws {
    let folder = try Folder()
    try folder.write(
      """
      kennel: 1
      title: All listeners are removed
      rules: [OBS-5]
      clients: [alice]
      steps: [{alice.unlisten-all: {path: a}}, settle]
      """, to: "all.yaml")
    let adapter = """
      import json, sys
      for text in sys.stdin:
          line = json.loads(text)
          if "bye" in line: break
          if "hello" in line:
              print('{"hello":{"protocol":1,"name":"n","version":"1","capabilities":["listen.value"]}}')
          if "call" in line: print('{"error":{"code":"not-supported","message":"unlisten-all"}}')
          print(json.dumps({"idle": line["id"]}), flush=True)
      """

    let outcome = try kennel.run(
      ["run", folder.url.path, "--profile", "firebase", "--", "python3", "-c", adapter])

    #expect(
      plain(outcome.output).contains(
        "answered not-supported: unlisten-all; if its interface does not have that, its hello says so: "
          + #""lacks": ["unlisten-all"]"#),
      "\(outcome)")
  }

  @Test func `with KENNEL_FD=3 an adapter whose libraries print is run all the same`() throws {
    let folder = try scenarios("bad")
    let words = ["run", folder.url.path, "--profile", "firebase"] + adapter("prints")
    var other = kennel
    other.environment["KENNEL_FD"] = "3"
    var wrong = kennel
    wrong.environment["KENNEL_FD"] = "5"

    let reported = plain(try kennel.run(words).output)
    #expect(reported.contains("is not JSON: a library says hello "))
    #expect(reported.contains("print to standard error, or set KENNEL_FD=3)"))
    #expect(try other.run(words).output.hasSuffix("\n1 passed, 0 failed, 0 skipped\n"))
    #expect(
      try wrong.run(words).messages.hasPrefix("kennel: KENNEL_FD can only be 3, not \"5\"\n"))
  }

  @Test func `a log may come before the hello, and with -V a member beside a verb is named`() throws
  {
    let folder = try scenarios("bad", "good")
    let words = ["run", folder.url.path, "--profile", "firebase"]

    let early = try kennel.run(words + ["-V"] + adapter("early-log"))
    let lenient = try kennel.run(words + adapter("member-beside"))
    let strict = try kennel.run(words + ["-V"] + adapter("member-beside"))

    #expect(early.output.hasSuffix("\n2 passed, 0 failed, 0 skipped\n"), "\(early)")
    #expect(lenient.output.hasSuffix("\n2 passed, 0 failed, 0 skipped\n"), "\(lenient)")
    #expect(
      plain(strict.output).contains(
        "(\"ts\" is no member of a line \"log\", which has client, log): "), "\(strict.output)")
  }

  @Test func `of an adapter that does not end when it is told to, this is said once`() throws {
    let folder = try scenarios("good", "good")

    let outcome = try kennel.run(
      ["run", folder.url.path, "--profile", "firebase"] + adapter("ignores-bye"))

    #expect(outcome.output.hasSuffix("\n2 passed, 0 failed, 0 skipped\n"))
    #expect(
      outcome.messages == """
        kennel: the adapter still ran a second after bye and the end of its input, and was ended by a \
        signal; each such end costs a second

        """)
  }

  /// The text with one space between words.
  private func plain(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
