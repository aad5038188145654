import Foundation
import TestKit
import Testing

/// What `kennel run --metamorphic` does with files.
@Suite struct MetamorphicTests {
  private func run(_ arguments: String..., echo: String = "[{value: 1}]") throws -> Outcome {
    let home = try Folder()
    try home.write("", to: "Specs/rules/events.md")
    try home.write(
      """
      kennel: 1
      title: A write is seen
      rules: [EVT-1]
      profiles: [firebase]
      clients: [alice]
      steps:
        - alice.listen: {path: a, event: value, as: feed}
        - expect: {alice.feed: [{value: null}]}
        - alice.set: {path: a, value: 1}
        - expect: {alice.feed: \(echo)}

      """, to: "Scenarios/echo.yaml")
    var program = Program.kennel
    program.environment["KENNEL_HOME"] = home.url.path
    program.directory = home.url
    return try program.run(["run", "--metamorphic"] + arguments)
  }

  @Test func `each change is one more run`() throws {
    let outcome = try run()

    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("7 runs of 1 scenario and variants of them"))
    #expect(outcome.output.hasSuffix("\n7 passed, 0 failed, 0 skipped\n"))
  }

  @Test func `what fails as it stands is told once`() throws {
    let outcome = try run(echo: "[{value: 2}]")

    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("FAIL  A write is seen"))
    #expect(outcome.output.hasSuffix("\n0 passed, 1 failed, 0 skipped\n"))
  }

  @Test func `programs get a line for each run and the totals`() throws {
    let lines = try run("--format", "json").output.split(separator: "\n")

    #expect(lines.count == 8)
    #expect(lines.last?.hasPrefix(#"{"summary":{"runs":7,"passed":7,"failed":0,"#) == true)
  }
}
