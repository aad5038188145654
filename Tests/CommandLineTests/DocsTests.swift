import Foundation
import TestKit
import Testing

@Suite struct DocsTests {
  private let home: Folder
  private let kennel: Program

  init() throws {
    home = try Folder()
    var program = Program.kennel
    program.environment["KENNEL_HOME"] = home.url.path
    kennel = program
    try home.write(
      """
      ## LIM-1 Refill

      - level: MUST
      - profiles: all
      - source: decision

      It is refilled.
      """, to: "Specs/rules/limits.md")
    try home.write(scenario(tags: "doc"), to: "Scenarios/limits/refill.yaml")
    try home.write(
      """
      kennel: 1
      title: Nothing
      rules: [LIM-1]
      tags: [doc]
      clients: [alice]
      steps:
        - alice.listen: {path: room, event: value, as: L}
        - expect: {alice.L: [value: null]}
      """, to: "Scenarios/limits/empty.yaml")
  }

  private func scenario(tags: String) -> String {
    """
    kennel: 1
    title: A window is refilled
    rules: [LIM-1]
    tags: [\(tags)]
    clients: [alice, bob]
    data: {room: {a: 1, b: 2, c: 3}}
    steps:
      - alice.listen: {path: room, query: {limitToFirst: 2}, as: first}
      - expect:
          alice.first: [{child_added: a, value: 1, prev: null},
            {child_added: b, value: 2, prev: a}, {value: {a: 1, b: 2}}]
      - bob.remove: room/a
      - expect:
          alice.first: [{child_removed: a, value: 1}, {child_added: c, value: 3, prev: b},
            {value: {b: 2, c: 3}}]
    """
  }

  @Test func `what was written passes the check`() throws {
    #expect(try kennel.run(["docs"]).output == "8 pages in Specs/event-order\n")

    let outcome = try kennel.run(["docs", "--check"])

    #expect(outcome.status == 0)
    #expect(outcome.output == "8 pages are what runs show\n")
    #expect(try home.text("Specs/event-order/limits/refill.md").contains("# A window is refilled"))
  }

  @Test func `a client that breaks a rule fails the check, which names the pages`() throws {
    _ = try kennel.run(["docs"])

    let outcome = try kennel.run(["docs", "--check", "--client", "no-refill"])

    #expect(outcome.status == 1)
    let line = "Specs/event-order/limits/refill.md:"
    #expect(outcome.output.hasPrefix(line))
    #expect(outcome.output.contains("\n1 of 8 pages differ from what runs show; if that is "))
    #expect(!outcome.output.contains("empty.md"))
    #expect(outcome.messages.contains("limits/refill in wilddog-1: the run is judged as fail"))
  }

  @Test func `a page that is missing, edited or left over is named`() throws {
    _ = try kennel.run(["docs"])
    let file = home.url.appending(path: "Specs/event-order/limits/refill.md")
    try FileManager.default.removeItem(at: file)
    try home.write("edited\n", to: "Specs/event-order/limits/empty.md")
    try home.write("old\n", to: "Specs/event-order/limits/gone.md")

    let outcome = try kennel.run(["docs", "--check"])

    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
        Specs/event-order/limits/empty.md:1: "edited" is now "<!-- Made by `kennel docs` from runs \
        of the scenarios. Do not edit. -->"
        Specs/event-order/limits/refill.md: is missing
        Specs/event-order/limits/gone.md: belongs to no page any more
        3 of 8 pages differ from what runs show; if that is right, write them again with \
        'kennel docs'

        """)
  }

  @Test func `the pages made from the rules are written and compared without any run`() throws {
    #expect(try kennel.run(["docs", "--rules"]).status == 0)
    #expect(try home.text("Specs/profiles.md").hasPrefix("# Profiles\n"))
    #expect(try kennel.run(["docs", "--rules", "--check"]).status == 0)
    try home.write("edited\n", to: "Specs/requirements.md")

    let outcome = try kennel.run(["docs", "--rules", "--check"])

    #expect(outcome.status == 1)
    #expect(
      outcome.output
        == "Specs/requirements.md:1: \"edited\" is now \"# Requirements and preferences\"\n")
    #expect(
      try kennel.run(["docs", "--rules", "-o", "site"]).messages.contains(
        "--rules runs no client; it does not go with --output and --client"))
  }

  @Test func `pages of scenarios without the tag are removed`() throws {
    _ = try kennel.run(["docs"])
    try home.write(scenario(tags: "other"), to: "Scenarios/limits/refill.yaml")

    #expect(try kennel.run(["docs"]).output == "7 pages in Specs/event-order\n")

    let file = home.url.appending(path: "Specs/event-order/limits/refill.md")
    #expect(!FileManager.default.fileExists(atPath: file.path))
    #expect(try kennel.run(["docs", "--check"]).status == 0)
  }

  @Test func `the site is one folder`() throws {
    let site = home.url.appending(path: "site").path
    let outcome = try kennel.run(["docs", "-o", site])

    #expect(outcome.output == "10 pages in \(site); begin with index.html\n")
    #expect(try home.text("site/event-order/index.html").contains("href=\"limits/refill.html\""))
    #expect(try home.text("site/style.css").hasPrefix(":root{"))
    #expect(
      !FileManager.default.fileExists(
        atPath: home.url.appending(path: "Specs/event-order").path))
  }

  @Test func `two runs write the same`() throws {
    for site in ["one", "two"] {
      _ = try kennel.run(["docs", "-o", home.url.appending(path: site).path])
    }

    for page in ["index", "by-rule", "by-event", "limits/refill"] {
      #expect(
        try home.text("one/event-order/\(page).html")
          == home.text("two/event-order/\(page).html"))
    }
  }

  @Test func `wrong usage is told`() throws {
    #expect(
      try kennel.run(["docs", "--check", "-o", "x"]).messages
        == "kennel: --check looks at the Markdown; it does not go with --output\n"
        + "Try 'kennel docs --help'.\n")
    #expect(
      try kennel.run(["docs", "--check", "limits"]).messages
        == "kennel: --check and --rules are about all pages; name no scenario with them\n"
        + "Try 'kennel docs --help'.\n")
    try home.write(scenario(tags: "other"), to: "Scenarios/limits/refill.yaml")
    try FileManager.default.removeItem(
      at: home.url.appending(path: "Scenarios/limits/empty.yaml"))
    #expect(
      try kennel.run(["docs"]).messages == "kennel: no scenario has the tag \"doc\"\n")
  }

  @Test func `a scenario that is named gets a page without the tag`() throws {
    let own = try Folder()
    try own.write(scenario(tags: "other"), to: "own.yaml")
    var program = kennel
    program.directory = own.url
    let page = try program.run(["docs", "own.yaml"])
    let site = try program.run(["docs", "own.yaml", "-o", "site"])

    #expect(page.status == 0, "\(page)")
    #expect(page.output.contains("\n# A window is refilled\n"))
    #expect(page.output.contains("| `child_added` "), "\(page.output)")
    #expect(site.status == 0, "\(site)")
    #expect(site.output.hasSuffix(" pages in site; begin with index.html\n"))
    #expect(try own.text("site/search-data.js").contains("A window is refilled"))
    #expect(!FileManager.default.fileExists(atPath: home.url.path + "/Specs/event-order"))
  }

  @Test func `a folder that cannot be written is told`() throws {
    try home.write("", to: "file")
    let outcome = try kennel.run(["docs", "-o", home.url.appending(path: "file/site").path])

    #expect(outcome.status == 4)
    #expect(outcome.messages.contains("it is not a directory"))
  }
}
