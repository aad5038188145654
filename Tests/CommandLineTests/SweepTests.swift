import Foundation
import TestKit
import Testing

/// What `kennel explore --faults` does with files.
@Suite struct SweepTests {
  private func run(_ arguments: String...) throws -> Outcome {
    let home = try Folder()
    try home.write("", to: "Specs/rules/events.md")
    try home.write(
      """
      kennel: 1
      title: A write arrives
      rules: [EVT-1]
      profiles: [firebase]
      clients: [alice]
      steps:
        - alice.set: {path: a, value: 1}
        - expect: {server: {a: 1}}

      """, to: "Scenarios/write.yaml")
    var program = Program.kennel
    program.environment["KENNEL_HOME"] = home.url.path
    program.directory = home.url
    return try program.run(["explore", "write"] + arguments)
  }

  @Test func `one fault is tried at every moment`() throws {
    let outcome = try run("--faults")

    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("swept     write  firebase\n"))
    #expect(outcome.output.hasSuffix("\n1 passed, 0 failed, 0 skipped\n"))
  }

  @Test func `a failure can be run alone`() throws {
    let found = try run("--faults", "--client", "dropped-write")
    let alone = try run("--fault", "cut:alice@0", "--client", "dropped-write")

    #expect(found.status == 1)
    #expect(found.output.contains(" --fault cut:alice@0 --client dropped-write\n"))
    #expect(alone.status == 1)
    #expect(alone.output.hasPrefix("FAIL  A write arrives"))
    #expect(alone.output.hasSuffix("\n0 passed, 1 failed, 0 skipped\n"))
  }

  @Test func `what is no fault is refused`() throws {
    let form = try run("--fault", "cut")
    let name = try run("--fault", "flood:alice@1")

    #expect(form.status == 2 && name.status == 2)
    #expect(
      form.messages.contains(
        "--fault needs a fault and when, such as cut:alice@17, not \"cut\""))
    #expect(name.messages == "kennel: there is no fault flood:alice in write\n")
  }
}
