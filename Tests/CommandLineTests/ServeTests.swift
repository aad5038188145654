import Foundation
import TestKit
import Testing

/// What `kennel serve` says when it does not serve. How it serves is tested by tools/live/test, with
/// clients from elsewhere.
@Suite struct ServeTests {
  private func refusal(_ words: String...) throws -> Outcome {
    let outcome = try Program.project.run(["serve"] + words)
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    return outcome
  }

  @Test func `it takes no operands`() throws {
    #expect(
      try refusal("here").messages
        == """
        kennel: serve takes no operands, and "here" is one
        Try 'kennel serve --help'.

        """)
  }

  @Test func `it listens on this machine only`() throws {
    #expect(
      try refusal("--address", "0.0.0.0").messages.hasPrefix(
        "kennel: --address 0.0.0.0 is not on this machine: anybody who reaches the server may do"
          + " everything, so it listens on 127.0.0.1 and ::1 only\n"))
  }

  @Test func `data come from one file`() throws {
    #expect(
      try refusal("--data", "a", "--scenario", "b").messages.hasPrefix(
        "kennel: --data and --scenario both give the data; use one of them\n"))
  }

  @Test func `mistakes in files are told with their place`() throws {
    let folder = try Folder()
    try folder.write("{", to: "broken.json")
    try folder.write(#"{"a.b":1}"#, to: "key.json")
    try folder.write(#"[{"network.cut": "bob"}]"#, to: "faults.json")
    try folder.write("- network.cot: any\n- any.kill\n", to: "faults.yaml")
    func path(_ name: String) -> String { folder.url.appending(path: name).path }

    #expect(try refusal("--data", path("broken.json")).messages.contains("broken.json:1:2: "))
    #expect(
      try refusal("--data", path("key.json")).messages.contains(
        #"key.json: below /: key "a.b" contains ".""#))
    #expect(
      try refusal("--faults", path("faults.json")).messages.contains(
        #"faults.json:1:18: unknown client "bob"; expected any"#))
    let mistakes = try refusal("--faults", path("faults.yaml")).messages
    #expect(mistakes.contains("faults.yaml:1:3: unknown network step"))
    #expect(mistakes.contains("faults.yaml:2:3: "))
    #expect(try refusal("--data", path("nothing")).messages.contains("cannot read "))
  }

  @Test func `a folder of scenarios is not one scenario`() throws {
    #expect(
      try refusal("--scenario", "limits").messages == "kennel: limits is not one scenario\n")
  }

  @Test func `a folder for recordings that cannot be made is told`() throws {
    let outcome = try Program.project.run(["serve", "--port", "0", "--record", "/dev/null/x"])

    #expect(outcome.status == 4)
    #expect(outcome.messages.contains("cannot write /dev/null"))
  }

  @Test func `the bench measures a server in a process of its own`() throws {
    let outcome = try Program.project.run(["bench", "--quick", "live-messages"])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains(" a second  "))
    #expect(!outcome.output.contains("not measured"))
  }
}
