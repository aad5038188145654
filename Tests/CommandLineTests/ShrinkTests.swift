import Foundation
import TestKit
import Testing

/// What `kennel shrink` and `kennel why` do with files.
@Suite struct ShrinkTests {
  private let home: Folder

  init() throws {
    home = try Folder()
    try home.write("", to: "Specs/rules/events.md")
    try home.write(
      """
      kennel: 1
      title: Anything
      judge: invariants
      clients: [zoe, yves]
      data: {room: {k: 1}}
      steps:
        - yves.listen: room
        - zoe.listen: room
        - settle
        - zoe.set: {path: room/x, value: {n: 8}}
        - yves.remove: room
        - settle

      """, to: "Scenarios/long.yaml")
  }

  private func run(_ arguments: String...) throws -> Outcome {
    var program = Program.kennel
    program.environment["KENNEL_HOME"] = home.url.path
    program.directory = home.url
    return try program.run(arguments)
  }

  @Test func `in another project what was made small stays there`() throws {
    let project = try Folder()
    var program = Program.kennel
    program.environment["KENNEL_HOME"] = home.url.path
    program.directory = project.url
    let outcome = try program.run(["shrink", "long", "--client", "value-first", "--seed", "3"])

    let file = "found/event-order-value-before-child-added-listener.yaml"
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("\n\(file)\n"), "\(outcome)")
    let text = try project.text(file)
    #expect(text.hasPrefix("# Made small by kennel shrink long "))
    #expect(!text.contains("yaml-language-server"))
    #expect(!FileManager.default.fileExists(atPath: home.url.path + "/Scenarios/found"))
  }

  @Test func `in a project the file names the project's copy of the schema`() throws {
    let project = try Folder()
    try project.write("kennel: 1\n", to: "kennel.yaml")
    var program = Program.kennel
    program.environment["KENNEL_HOME"] = home.url.path
    program.directory = project.url
    let specs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Specs")
    try FileManager.default.copyItem(
      at: specs.appending(path: "scenario.schema.json"),
      to: home.url.appending(path: "Specs/scenario.schema.json"))

    let outcome = try program.run(["shrink", "long", "--client", "value-first", "-o", "a/b.yaml"])

    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      try project.text("a/b.yaml")
        .contains("# yaml-language-server: $schema=../.kennel/schemas/scenario.schema.json\n"))
    #expect(try project.text(".kennel/schemas/scenario.schema.json").contains("$schema"))
  }

  @Test func `a failure is made small, written and confirmed`() throws {
    let outcome = try run("shrink", "long", "--client", "value-first", "--seed", "3")

    #expect(outcome.status == 0)
    #expect(outcome.messages == "a second process confirms it\n")
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == "event-order value before child_added listener")
    #expect(lines[1].hasPrefix("4 -> 1 step after "))
    #expect(lines[1].hasSuffix(" runs; nothing can be left out by itself"))
    let file = "Scenarios/found/event-order-value-before-child-added-listener.yaml"
    #expect(lines[2].hasSuffix(file))
    #expect(
      lines[3]
        == "tools/kennel run \(file) --profile wilddog-1 --seed 3 --client value-first")
    let text = try String(contentsOf: home.url.appending(path: file), encoding: .utf8)
    #expect(outcome.output.hasSuffix("\n\n" + text))
    #expect(
      text == """
        # Made small by kennel shrink long --profile wilddog-1 --seed 3 --client value-first
        # Fails with event-order value before child_added listener.
        # yaml-language-server: $schema=../../Specs/scenario.schema.json
        kennel: 1
        title: The events of a change come in their order
        rules: [EVT-7]
        why: |
          value-first: the right events in the wrong order: value /room came before child_added /room/a.
        clients: [alice]
        data: {room: {a: 1}}
        steps:
          - alice.listen: {path: room, as: feed}
          - expect: {alice.feed: [{child_added: a, value: 1, prev: null}, {value: {a: 1}}]}

        """)
  }

  @Test func `a name that is taken gets a number, and another file is written where it says`()
    throws
  {
    for _ in 0..<2 { _ = try run("shrink", "long", "--client", "value-first") }
    let outcome = try run("shrink", "long", "--client", "value-first", "-o", "small.yaml")

    let stem = "Scenarios/found/event-order-value-before-child-added-listener"
    for file in [stem + ".yaml", stem + "-2.yaml", "small.yaml"] {
      #expect(FileManager.default.fileExists(atPath: home.url.appending(path: file).path))
    }
    #expect(outcome.status == 0)
  }

  @Test(arguments: ["shrink", "why"])
  func `what does not fail is refused`(command: String) throws {
    let outcome = try run(command, "long", "--profile", "firebase")

    #expect(outcome.status == 2)
    #expect(
      outcome.messages
        == "kennel: long does not fail (pass in firebase); expected a scenario that does\n")
  }

  @Test(arguments: ["shrink", "why"])
  func `one scenario must be named`(command: String) throws {
    try home.write(
      """
      kennel: 1
      title: T
      judge: invariants
      profiles: [firebase]
      matrix: {place: [a, b]}
      clients: [alice]
      steps: [alice.set: {path: $(place), value: 1}]

      """, to: "Scenarios/two.yaml")

    let shrinks = command == "shrink"
    #expect(
      try run(command).messages.hasPrefix(
        shrinks
          ? "kennel: shrink needs one scenario\n" : "kennel: no run from this directory has failed")
    )
    #expect(
      try run(command, "two").messages
        == (shrinks
          ? "kennel: two has 2 scenarios; expected one, such as 'two[place=a]', 'two[place=b]'\n"
          : "kennel: none of 2 scenarios fails; expected at least one that does\n"))
    #expect(
      try run(command, "two[place=a]", "--profile", "wilddog-1").messages
        == "kennel: two[place=a] is not for wilddog-1\n")
  }

  @Test func `a failure is explained`() throws {
    let outcome = try run("why", "long", "--client", "value-first")

    #expect(outcome.status == 1)
    #expect(outcome.messages == "")
    #expect(outcome.output.hasPrefix("WHY  Anything\n     Scenarios/long.yaml:"))
    #expect(outcome.output.contains("\n  what led there\n"))
    #expect(!outcome.output.contains("%"))
  }
}
