import TestKit
import Testing

@Suite struct SyncPointTests {
  private func run(_ text: String) throws -> Outcome {
    let folder = try Folder()
    try folder.write(text, to: "cases.json")
    var program = Program.kennel
    program.directory = folder.url
    return try program.run(["sync-point", "cases.json"])
  }

  @Test func `cases that pass leave only the counts`() throws {
    #expect(
      try run(#"[{"name": "nothing", "steps": [{"type": "suppressWarning"}]}]"#)
        == Outcome(
          status: 0, output: "2 runs of 1 case\n\n2 passed, 0 failed, 0 skipped\n", messages: ""))
  }

  @Test func `a case that fails is a divergence`() throws {
    let outcome = try run(
      """
      [{"name": "silence", "steps": [{"type": "set", "path": "a", "data": 1, "events": [
        {"path": "a", "type": "value", "data": 1}]}]}]
      """)

    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("FAIL  silence   at /   step 1 of 1\n      cases.json:1:32\n"))
    #expect(outcome.output.hasSuffix("\n0 passed, 2 failed, 0 skipped\n"))
  }

  @Test func `a file that is cut off, and one without cases, are wrong usage`() throws {
    #expect(
      try run("[")
        == Outcome(
          status: 2, output: "",
          messages: "kennel: cases.json:1:2: the text ends inside the list that begins at 1:1; "
            + "expected its end; add the closing bracket\n"))
    #expect(
      try run("[]")
        == Outcome(
          status: 2, output: "0 runs of 0 cases\n\n0 passed, 0 failed, 0 skipped\n", messages: ""))
  }
}
