import TestKit
import Testing

@Suite struct MonitorTests {
  private let good = """
    {"recording":1,"client":"firebase","name":"A","epoch":0}
    {"t":0,"out":{"connect":{}}}
    {"t":1,"in":{"opened":{}}}
    {"t":2,"in":{"frame":{"t":"c","d":{"t":"h","d":{"ts":1,"v":"5","h":"x","s":"s"}}}}}
    {"t":3,"out":{"send":{"t":"d","d":{"r":1,"a":"s","b":{"c":{}}}}}}
    {"t":9,"in":{"closed":{}}}

    """

  private func run(_ words: [String], _ files: [String: String]) throws -> Outcome {
    let folder = try Folder()
    for (name, text) in files { try folder.write(text, to: name) }
    var program = Program.kennel
    program.directory = folder.url
    return try program.run(["monitor"] + words)
  }

  @Test func `notes are told and fail nothing`() throws {
    let note =
      "a.jsonl:6: note: the connection ended before these requests were answered: 1, stats (WIR-12)\n"
    #expect(
      try run(["a.jsonl"], ["a.jsonl": good])
        == Outcome(status: 0, output: note + "1 passed, 0 failed, 0 skipped\n", messages: ""))
    #expect(
      try run(["--no-notes", "a.jsonl"], ["a.jsonl": good])
        == Outcome(status: 0, output: "1 passed, 0 failed, 0 skipped\n", messages: ""))
  }

  @Test func `a finding is a divergence`() throws {
    let bad = good.replacing("\"r\":1,", with: "")
    let outcome = try run(
      ["--no-notes", "."], ["a.jsonl": bad, "b/b.jsonl": good, "c.jsonl": "{}\n"])

    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
        ./a.jsonl:5: the request has no "r"; add it: the number of the request; found in \
        {"a":"s","b":{"c":{}}} (WIR-17)
        1 passed, 1 failed, 0 skipped

        """)
  }

  @Test func `a trace of a run is judged`() throws {
    let folder = try Folder()
    var program = Program.kennel
    program.directory = folder.url
    program.environment["KENNEL_HOME"] = nil
    try folder.write(
      """
      kennel: 1
      title: A write
      rules: [WRT-1]
      clients: [alice]
      steps:
        - alice.set: {path: n, value: 1, as: w}
        - expect: {alice.w: {ok: true}}
      """, to: "write.yaml")
    #expect(try program.run(["run", "write.yaml", "--trace", "traces"]).status == 0)

    #expect(
      try program.run(["monitor", "traces"])
        == Outcome(status: 0, output: "3 passed, 0 failed, 0 skipped\n", messages: ""))
  }

  @Test(arguments: ["9e18", "1e15", "-9e18", "1e300"])
  func `a time that no clock shows is told with its place`(time: String) throws {
    let bad = good.replacing("\"t\":2,", with: "\"t\":\(time),")
    let outcome = try run(["a.jsonl"], ["a.jsonl": bad])

    #expect((outcome.status, outcome.output) == (2, ""))
    #expect(outcome.messages.hasPrefix("kennel: a.jsonl:4:6: \"t\" is "), "\(outcome)")
    #expect(
      outcome.messages.hasSuffix(", expected milliseconds, less than 100 years of them\n"),
      "\(outcome)")
  }

  @Test func `wrong usage is told`() throws {
    #expect(try run([], [:]).messages.hasPrefix("kennel: monitor needs the path of a recording"))
    #expect(
      try run(["a.jsonl"], ["a.jsonl": "{}\n"])
        == Outcome(
          status: 2, output: "",
          messages:
            "kennel: a.jsonl:1: this is neither a recording nor a trace; expected a JSON object "
            + "with \"recording\" or \"trace\" in the first line\n"))
    let empty = try run(["."], ["a.txt": ""])
    #expect(empty.status == 2)
    #expect(empty.messages == "kennel: there is no recording or trace (*.jsonl) in .\n")
    #expect(
      try run(["."], ["a.jsonl": "{}\n"])
        == Outcome(status: 2, output: "0 passed, 0 failed, 0 skipped\n", messages: ""))
  }
}
