import Foundation
import TestKit
import Testing

@Suite struct CoverageTests {
  private func run(_ arguments: String..., rules: String) throws -> Outcome {
    let home = try Folder()
    let head = "- level: MUST\n- profiles: firebase\n- source: decision\n\nIt holds.\n"
    let texts = rules.split(separator: ",").map { "## \($0) Silence\n\n\(head)" }
    try home.write(texts.joined(separator: "\n"), to: "Specs/rules/events.md")
    try home.write(
      """
      kennel: 1
      title: Nothing happens to nobody
      rules: [EVT-1]
      profiles: [firebase]
      clients: [alice]
      steps:
        - alice.listen: {path: room, event: value, as: L}
        - expect: {alice.L: [value: null]}
      """, to: "Scenarios/silence.yaml")
    var program = Program.kennel
    program.environment["KENNEL_HOME"] = home.url.path
    return try program.run(["coverage"] + arguments)
  }

  @Test func `a specification whose rules are all tested is complete`() throws {
    let outcome = try run(rules: "EVT-1")

    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("1 run of 1 scenario: 1 passed\n\nlevel "))
    #expect(outcome.output.hasSuffix("\n1 of 1 MUST rules tested\n"))
  }

  @Test func `a rule that must hold and that nothing tests is a divergence`() throws {
    let outcome = try run("--format", "json", rules: "EVT-1,EVT-2")

    #expect(outcome.status == 1)
    #expect(outcome.output.contains(#""rulesWithoutScenario":["EVT-2"]"#))
  }

  @Test func `who asks for one scenario is told of its rules alone`() throws {
    let outcome = try run("--format=markdown", "silence", rules: "EVT-1,EVT-2")

    #expect(outcome.status == 0)
    #expect(outcome.output.contains("\n| EVT-1 | MUST | Silence | `silence` |\n"))
    #expect(!outcome.output.contains("EVT-2"))
  }

  @Test func `a rule that no violating client fails is a divergence of strength`() throws {
    let outcome = try run("--strength", rules: "EVT-1")

    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains("mutants that no scenario of the rule notices: 1\n  EVT-1  every-"))
    #expect(
      outcome.output.hasSuffix(
        "\n0 of 1 MUST rules that bind clients violated by a mutant that one of their scenarios notices\n"
      ))
  }

  @Test func `strength is not reported as a page`() throws {
    let outcome = try run("--strength", "--format", "markdown", rules: "EVT-1")

    #expect(outcome.status == 2)
    #expect(outcome.messages.contains("--strength reports as text or json"))
  }
}
