import Foundation
import TestKit
import Testing

/// What `kennel explore` does with files.
@Suite struct ExploreTests {
  private let race = """
    kennel: 1
    title: Two clients write one location
    rules: [EVT-1]
    profiles: [firebase]
    clients: [alice, bob]
    steps:
      - together:
          - alice.set: {path: a, value: 1}
          - bob.set: {path: a, value: 2}
      - expect: {server: {a: LAST}}

    """

  private func run(_ arguments: String..., last: String) throws -> Outcome {
    let home = try Folder()
    try home.write("", to: "Specs/rules/events.md")
    let scenario = race.replacingOccurrences(of: "LAST", with: last)
    try home.write(scenario, to: "Scenarios/race.yaml")
    var program = Program.kennel
    program.environment["KENNEL_HOME"] = home.url.path
    program.directory = home.url
    return try program.run(["explore"] + arguments)
  }

  @Test func `every order is tried and every outcome told`() throws {
    let outcome = try run("race", last: "$any")

    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("explored  race  firebase\n"))
    #expect(outcome.output.contains("2 orders, complete: 2 outcomes\n"))
    #expect(outcome.output.hasSuffix("\n1 passed, 0 failed, 0 skipped\n"))
  }

  @Test func `an order that fails is a divergence, and can be run alone`() throws {
    let outcome = try run("race", last: "2")
    let bad = try run("race", "--order", "1", last: "2")
    let good = try run("race", "--order", "0", last: "2")

    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains("  replay  tools/kennel explore race --profile firebase --order 1\n"))
    #expect(bad.status == 1)
    #expect(bad.output.contains("  the server has 1 at /a, expected 2\n"))
    #expect(bad.output.hasSuffix("\n0 passed, 1 failed, 0 skipped\n"))
    #expect(good.status == 0)
    #expect(good.output.contains("\n       1  alice.set: {path: a, value: 1}\n"))
  }

  @Test func `programs get a line for each scenario and one for all`() throws {
    let outcome = try run("race", "--format=json", "--deliveries", "--max", "1", last: "$any")
    let lines = outcome.output.split(separator: "\n")

    #expect(outcome.status == 0)
    #expect(lines.count == 2)
    #expect(lines.first?.contains(#""orders":1,"drawn":1,"complete":false,"failures":0"#) == true)
    #expect(lines.last?.hasPrefix(#"{"summary":{"runs":1,"orders":3,"passed":1,"#) == true)
  }
}
