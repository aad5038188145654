import Document
import Reports
import Scenario
import Testing

@Suite struct KnownFailuresUpdateTests {
  private var context = KnownFailuresReader.Context(
    scenarios: [
      .init("a/one", in: ["wilddog-2", "firebase"]), .init("a/two", in: ["firebase"]),
      .init("b/m[n=1]", in: ["firebase"]), .init("b/m[n=2]", in: ["firebase"]),
    ], rules: ["LIM-7", "LIM-8"])

  private let text = """
    # Head of the file.
    kennel: 1
    known:
      # About one.
      - scenario: a/one
        profiles: [firebase]  # only there
        rule: LIM-7
        signature: 'missing-event value'  # as of May
        kind: bug
        issue: https://example.org/1
        until: 2026-12-31

      # Stays.

      # About the matrix.
      - {scenario: b/m, signature: inv-7 listener, kind: wontfix, issue: "https://example.org/2", until: 2026-12-30}
    # The end.

    """

  private func run(_ scenario: String, _ signature: String?, rule: String? = nil) -> RunEnd {
    RunEnd(
      scenario, in: "firebase", signature.map { .failed($0, rule: rule) } ?? .passed)
  }

  private func update(
    _ runs: [RunEnd], of text: String? = nil, issue: String? = nil
  ) throws -> KnownFailuresUpdate {
    let text = text ?? self.text
    let reading = KnownFailuresReader.read(file: "k.yaml", bytes: Array(text.utf8), context)
    #expect(reading.problems.map(\.description) == [])
    let update = KnownFailuresUpdate(
      of: reading.list, text: text, runs: runs, context,
      .init(kind: .bug, issue: issue, until: CalendarDate("2027-01-01")))
    // What is written is a list, in which everything that was run is as it should be.
    let again = KnownFailuresReader.read(file: "k.yaml", bytes: Array(update.text.utf8), context)
    #expect(again.problems.map(\.description) == [], "\(update.text)")
    let today = try #require(CalendarDate("2026-11-01"))
    if update.unlisted == 0, !update.changes.contains(where: { $0.hasPrefix("left") }) {
      for run in runs {
        let word = again.list.knownStatus(of: run, on: today).word
        #expect(word == (run.end == .passed ? nil : "known"), "\(run)\n\(update.text)")
      }
    }
    return update
  }

  private var asListed: [RunEnd] {
    [
      run("a/one", "missing-event value", rule: "LIM-7"), run("b/m[n=1]", "inv-7 listener"),
      run("b/m[n=2]", "inv-7 listener"), run("a/two", nil),
    ]
  }

  @Test func `what is as listed stays byte for byte`() throws {
    let update = try update(asListed)

    #expect(update.text == text)
    #expect(update.changes == [])
    #expect(update.unlisted == 0)
  }

  @Test func `what passes goes, with the comment above it`() throws {
    let update = try update([run("a/one", nil)] + asListed.dropFirst())

    #expect(update.changes == ["removed, because it passes: k.yaml:5: a/one"])
    #expect(
      update.text == """
        # Head of the file.
        kennel: 1
        known:

          # Stays.

          # About the matrix.
          - {scenario: b/m, signature: inv-7 listener, kind: wontfix, issue: "https://example.org/2", until: 2026-12-30}
        # The end.

        """)
  }

  @Test mutating func `an entry follows its scenario to another name, if there is one`() throws {
    context.allowsNoScenario = true
    let old = text.replacing("a/one", with: "a/first")
    let renamed = try update(asListed, of: old)
    let open = try update(
      asListed + [run("a/two", "missing-event value", rule: "LIM-7")], of: old)

    #expect(renamed.text == text)
    #expect(renamed.changes == ["renamed to a/one: k.yaml:5: a/first"])
    #expect(open.text == old)
    #expect(
      open.changes == ["left as it is, because there is no such scenario: k.yaml:5: a/first"])
  }

  @Test func `when all passes an empty list is left`() throws {
    let update = try update([
      run("a/one", nil), run("b/m[n=1]", nil), run("b/m[n=2]", nil),
    ])

    #expect(update.text.contains("\nknown: []\n"))
    #expect(update.text.hasSuffix("# The end.\n"))
  }

  @Test func `another signature is written in its place, and another rule`() throws {
    let update = try update([
      run("a/one", "gap listener", rule: "LIM-8"), run("b/m[n=1]", "crash"),
      run("b/m[n=2]", "crash"),
    ])

    #expect(
      update.changes == [
        "changed to \"gap listener\": k.yaml:5: a/one", "changed to \"crash\": k.yaml:16: b/m",
      ])
    #expect(update.text.contains("\n    rule: LIM-8\n    signature: gap listener  # as of May\n"))
    #expect(update.text.contains("- {scenario: b/m, signature: crash, kind: wontfix, "))
    #expect(update.text.contains("profiles: [firebase]  # only there\n"))
  }

  @Test func `an entry of which a part passes is narrowed down`() throws {
    let update = try update([run("b/m[n=1]", nil), run("b/m[n=2]", "inv-7 listener")])

    #expect(update.changes == ["narrowed down to what still fails: k.yaml:16: b/m"])
    #expect(
      update.text.hasSuffix(
        """
          # About the matrix.
          - scenario: b/m[n=2]
            signature: inv-7 listener
            kind: wontfix
            issue: https://example.org/2
            until: 2026-12-30
        # The end.

        """))
  }

  @Test func `an entry of which a part was not run stays`() throws {
    let update = try update([run("b/m[n=1]", nil)])

    #expect(update.text == text)
    #expect(
      update.changes == ["left as it is, because not all of it was run: k.yaml:16: b/m"])
  }

  @Test func `what is new is counted, and written at the end where it has a link`() throws {
    let new = run("a/two", "missing-event value", rule: "LIM-7")
    let counted = try update(asListed.dropLast() + [new])
    let listed = try update(asListed.dropLast() + [new], issue: "https://example.org/x,y")

    #expect(counted.unlisted == 1)
    #expect(counted.text == text)
    #expect(listed.changes == ["added: a/two, \"missing-event value\""])
    #expect(
      listed.text == text + """
          - scenario: a/two
            rule: LIM-7
            signature: missing-event value
            kind: bug
            issue: "https://example.org/x,y"
            until: 2027-01-01

        """)
  }

  @Test func `profiles are told where a scenario does not fail in all of them`() throws {
    let both = [
      RunEnd("a/one", in: "wilddog-2", .failed("crash", rule: nil)),
      RunEnd("a/one", in: "firebase", .failed("crash", rule: nil)),
    ]
    let empty = KnownFailuresUpdate.emptyList

    #expect(
      try update(both, of: empty, issue: "https://example.org/3").text == """
        # Failures that are known; see Specs/guides/continuous-integration.md of Kennel.
        kennel: 1
        known:
          - scenario: a/one
            signature: crash
            kind: bug
            issue: https://example.org/3
            until: 2027-01-01

        """)
    #expect(
      try update([both[0]], of: empty, issue: "https://example.org/3").text
        .contains("\n    profiles: [wilddog-2]\n"))
  }

  @Test func `days are added over months and years`() throws {
    let day = try #require(CalendarDate("2026-11-21"))

    #expect(day.adding(days: 90).description == "2027-02-19")
    #expect(day.adding(days: 0) == day)
    #expect(try #require(CalendarDate("9999-12-31")).adding(days: 3).description == "9999-12-31")
  }
}
