import Foundation
import TestKit
import Testing

/// What `kennel mutants` does with names, options and files.
@Suite struct MutantsTests {
  private func run(_ arguments: String..., document: String? = nil) throws -> Outcome {
    let home = try Folder()
    try home.write("", to: "Specs/rules/events.md")
    try home.write(
      """
      kennel: 1
      title: Children come before their value
      rules: [EVT-7]
      profiles: [firebase]
      clients: [alice]
      data: {a: {b: 1}}
      steps:
        - alice.listen: {path: a, as: feed}
        - expect: {alice.feed: [{child_added: b, value: 1, prev: null}, {value: {b: 1}}]}

      """, to: "Scenarios/order.yaml")
    if let document { try home.write(document, to: "matrix.md") }
    var program = Program.kennel
    program.environment["KENNEL_HOME"] = home.url.path
    program.directory = home.url
    return try program.run(["mutants"] + arguments)
  }

  @Test func `several processes find out about several mutants`() throws {
    let outcome = try run("value-first", "chatty", "--budget", "2", "--jobs", "2")

    #expect(outcome.status == 0)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("killed  value-first  1 scenarios") })
    #expect(lines.contains { $0.hasPrefix("passes  chatty  0 scenarios, 0 invariants") })
    #expect(lines.last == "1 of 1 mutants noticed, 0 of 1 conforming variants flagged")
  }

  @Test func `a mutant that survives is a divergence`() throws {
    let outcome = try run("lists-of-the-second-edition", "--budget", "1")

    #expect(outcome.status == 1)
    #expect(
      outcome.output.hasSuffix("\n0 of 1 mutants noticed, 0 of 0 conforming variants flagged\n"))
  }

  @Test func `programs get a line for each mutant`() throws {
    let outcome = try run("value-first", "--budget", "1s", "--format", "json", "--no-shrink")

    #expect(outcome.status == 0)
    #expect(outcome.output.contains(#""mutant":"value-first""#))
    #expect(outcome.output.contains(#""first":{"scenario":"order","profile":"firebase"}"#))
    #expect(outcome.output.contains(#""shrunk":null"#))
  }

  @Test func `what is found is made small and seen again, and the matrix written`() throws {
    let folder = try Folder()
    let file = folder.url.appending(path: "matrix.md").path
    let outcome = try run("value-first", "--budget", "1", "--write", file)

    let matrix = try String(contentsOf: URL(filePath: file), encoding: .utf8)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("\nseen again in another process: 1 of 1 (100 %)\n"))
    #expect(matrix.hasPrefix("# Mutants\n"))
    #expect(matrix.contains("| `value-first` | client |"))
  }

  @Test func `the names are listed with what is wrong`() throws {
    let outcome = try run("--list", "no-refill", "chatty")

    #expect(
      outcome.output == """
        no-refill  (client)  The child that enters a limited window after a removal is not raised.
        chatty  (benign)  The client writes down everything that it does.

        """)
  }

  @Test func `a document that does not hold is a divergence`() throws {
    let outcome = try run("--check", "matrix.md", document: "# Mutants\n")

    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("matrix.md: value-first is missing\n"))
    #expect(
      outcome.output.hasSuffix(" objections; 'kennel mutants --write matrix.md' measures again\n"))
  }

  @Test(
    arguments: [
      (
        ["--budget", "much"],
        "--budget needs a number of scenarios, or of seconds as in 5s, not \"much\""
      ),
      (["--jobs", "0"], "--jobs needs a whole number above 0, not \"0\""),
      (["valu-first"], "there is no client \"valu-first\"; did you mean value-first?"),
      (["nobody-at-all"], "there is no client \"nobody-at-all\"; kennel mutants --list names them"),
    ])
  func `a wrong word is told`(words: [String], complaint: String) throws {
    let outcome = try Program.kennel.run(["mutants"] + words)

    #expect(outcome.status == 2)
    #expect(outcome.messages.contains(complaint))
  }
}
