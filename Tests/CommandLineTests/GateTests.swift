import Foundation
import TestKit
import Testing

/// What makes `kennel run` red or not, when it stops, and what it writes.
@Suite struct GateTests {
  private let folder: Folder
  private let base = [
    "run", "limits/refill-after-foreign-removal", "writes/local-echo", "--profile", "firebase",
    "--client", "no-refill",
  ]

  init() throws { folder = try Folder() }

  private func path(_ name: String) -> String { folder.url.appending(path: name).path }

  private func list(
    _ scenario: String = "limits/refill-after-foreign-removal",
    signature: String = "other-event child_added by value listener limited",
    until: String = "2026-12-31"
  ) throws -> [String] {
    try folder.write(
      """
      kennel: 1
      known:
        - scenario: \(scenario)
          profiles: [firebase]
          signature: \(signature)
          kind: bug
          issue: https://example.org/7
          until: \(until)

      """, to: "known.yaml")
    return ["--known", path("known.yaml"), "--today", "2026-11-01"]
  }

  @Test func `a known failure is no failure`() throws {
    let outcome = try Program.project.run(base + list())

    #expect(outcome.status == 0, "\(outcome.output)\(outcome.messages)")
    #expect(outcome.output.hasPrefix("2 scenarios: 1 pass, 1 fail   seed 0 "))
    #expect(
      outcome.output.hasSuffix(
        "selected 2 = ran 2\nknown failures: 1 as listed\n\n1 passed, 0 failed, 1 skipped\n"))
  }

  @Test func `a run in which all failures are known is green`() throws {
    let words = base.filter { $0 != "writes/local-echo" }

    #expect(try Program.project.run(words + list()).status == 0)
  }

  @Test func `what is not listed is red`() throws {
    let outcome = try Program.project.run(base + list("limits/slide-by-own-write"))

    #expect(outcome.status == 1)
    #expect(outcome.output.contains("\nknown failures: none met\n"))
    // An entry for it needs the signature.
    #expect(
      outcome.output.contains(
        "\n  FAIL  limits/refill-after-foreign-removal  firebase  other-event child_added by value "
          + "listener limited\n"), "\(outcome.output)")
    #expect(
      try Program.project.run(base).output.contains(
        "\n  FAIL  limits/refill-after-foreign-removal  firebase\n"))
  }

  @Test func `a listed scenario that passes is red`() throws {
    let outcome = try Program.project.run(base + list("writes/local-echo"))

    #expect(outcome.status == 1)
    #expect(outcome.output.contains("\nSTALE  writes/local-echo  firebase\n  it passes, but "))
    #expect(outcome.output.contains("\n  STALE  writes/local-echo "))
    #expect(outcome.output.contains("\nknown failures: 1 stale\n"))
    #expect(outcome.output.hasSuffix("\n0 passed, 2 failed, 0 skipped\n"))
  }

  @Test func `a listed scenario that is not selected is not stale`() throws {
    let outcome = try Program.project.run(
      [
        "run", "writes/local-echo", "--profile", "firebase",
      ] + list(until: "2026-11-15"))

    #expect(outcome.status == 0)
    #expect(outcome.output.contains("\nknown failures: none met\n"))
    // Nor is there a warning that it expires.
    #expect(outcome.messages.isEmpty)
  }

  @Test func `another failure than listed is red`() throws {
    let outcome = try Program.project.run(base + list(signature: "inv-7 listener"))

    #expect(outcome.status == 1)
    #expect(outcome.output.contains("\nDIFFERENT  limits/refill-after-foreign-removal  firebase\n"))
    #expect(outcome.output.contains("\nknown failures: 1 in another way\n"))
  }

  @Test func `an expired failure is red`() throws {
    let outcome = try Program.project.run(base + list(until: "2026-10-31"))

    #expect(outcome.status == 1)
    #expect(outcome.output.contains("\nEXPIRED  limits/refill-after-foreign-removal  firebase\n"))
    #expect(outcome.output.contains("\nknown failures: 1 expired\n"))
  }

  @Test func `before it expires there is a warning`() throws {
    let outcome = try Program.project.run(base + list(until: "2026-11-15"))

    #expect(outcome.status == 0)
    #expect(
      outcome.messages == "kennel: warning: \(path("known.yaml")):3: "
        + "limits/refill-after-foreign-removal is a known failure until 2026-11-15, 14 days from "
        + "now; fix it, or agree on another date (https://example.org/7)\n")
  }

  @Test func `mistakes in the list are told before anything runs`() throws {
    let outcome = try Program.project.run(base + list("limits/refil", until: "soon"))

    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    let lines = outcome.messages.split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("\(path("known.yaml")):3:15: there is no scenario"))
    #expect(lines[1].hasPrefix("\(path("known.yaml")):8:12: until is \"soon\""))
    #expect(lines[2] == "kennel: 2 problems in \(path("known.yaml")); nothing was run")
  }

  @Test func `after enough failures nothing more is run`() throws {
    let words = ["run", "limits", "--profile", "firebase", "--client", "no-refill"]
    let first = try Program.project.run(words + ["--fail-fast"])
    let second = try Program.project.run(words + ["--max-fail", "2"])

    #expect(first.status == 1)
    #expect(first.output.hasSuffix(" 1 failed, 0 skipped\n"))
    #expect(second.output.hasSuffix(" 2 failed, 0 skipped\n"))
    #expect(first.messages.hasSuffix(" runs were not made\n"))
    let line = try #require(first.output.split(separator: "\n").first { $0.hasPrefix("selected") })
    let numbers = line.split(separator: " ").compactMap { Int($0) }
    #expect(numbers[0] == numbers[1] + numbers[2] && line.contains(" + not run "))
  }

  @Test func `several processes print and write what one does`() throws {
    let words = ["run", "limits", "writes", "--client", "no-refill"]
    func run(_ jobs: String) throws -> (output: String, reports: [String]) {
      let outcome = try Program.project.run(
        words + list() + [
          "--jobs", jobs, "--tap", path("tap-\(jobs)"), "--jsonl", path("jsonl-\(jobs)"),
        ])
      #expect(outcome.status == 1)
      // Only times may differ.
      let lines = outcome.output.split(separator: "\n").filter { !$0.contains("   seed 0   ") }
      let json = try folder.text("jsonl-\(jobs)").split(separator: "\n").dropLast()
      return (
        lines.joined(separator: "\n"),
        [try folder.text("tap-\(jobs)"), json.joined(separator: "\n")]
      )
    }
    let one = try run("1")
    let three = try run("3")

    #expect(one.output == three.output)
    #expect(one.reports == three.reports)
    let stopped = try Program.project.run(words + ["--jobs", "2", "--max-fail", "2"])
    #expect(stopped.output.hasSuffix(" 2 failed, 0 skipped\n"))
  }

  @Test func `what ends one of several processes is told as if there were one`() throws {
    let words = ["run", "limits", "--jobs", "2", "--"]
    let missing = try Program.project.run(words + ["/nowhere/adapter"])
    let mute = try Program.project.run(words + ["/usr/bin/false"])

    #expect(missing.status == 4)
    #expect(missing.messages.hasPrefix("kennel: cannot start /nowhere/adapter: No such file"))
    #expect(mute.status == 4)
    #expect(mute.messages.contains("exit"), "\(mute.messages)")
  }

  @Test func `several reports are written at once, and annotations stand before the summary`()
    throws
  {
    let files = ["junit", "tap", "jsonl", "markdown"]
    let outcome = try Program.project.run(
      base + list("writes/local-echo") + ["--github"]
        + files.flatMap { ["--\($0)", path($0)] })

    #expect(outcome.status == 1)
    #expect(try folder.text("junit").contains("<testsuite name=\"firebase\""))
    #expect(try folder.text("tap").hasPrefix("TAP version 14\n1..2\n"))
    #expect(try folder.text("jsonl").split(separator: "\n").count == 3)
    #expect(
      try folder.text("jsonl").contains(",\"known\":{\"standing\":\"stale\",\"kind\":\"bug\","))
    #expect(try folder.text("markdown").hasPrefix("## Kennel: 2 runs failed\n"))
    #expect(
      outcome.output.contains(
        "\n::error file=Scenarios/limits/refill-after-foreign-removal.yaml,line=20,col="))
    #expect(outcome.output.hasSuffix("\n0 passed, 2 failed, 0 skipped\n"))
  }

  @Test func `annotations name files from the root of the repository`() throws {
    var kennel = Program.project
    kennel.environment["GITHUB_WORKSPACE"] = kennel.directory.deletingLastPathComponent().path
    let outcome = try kennel.run(base + ["--github"])

    let name = kennel.directory.lastPathComponent
    #expect(outcome.output.contains("\n::error file=\(name)/Scenarios/limits/"))
  }

  @Test(arguments: [
    (
      ["--fail-fast", "--max-fail", "2"],
      "--fail-fast and --max-fail are both given; expected one of them"
    ),
    (["--max-fail", "0"], "--max-fail needs a whole number above 0, not \"0\""),
    (["--jobs", "x"], "--jobs needs a whole number above 0, not \"x\""),
    (["--jobs", "2", "--audit"], "--audit and --jobs are both given; expected one of them"),
    (["--today", "tomorrow"], "--today needs a day such as 2026-12-31, not \"tomorrow\""),
    (["--tap", "x", "--junit", "x"], "--junit and --tap name the same file"),
    (
      ["--seeds", "1..2", "--junit", "x"],
      "--junit and --seeds are both given; expected one of them"
    ),
    (
      ["--metamorphic", "--known", "x"],
      "--known and --metamorphic are both given; expected one of them"
    ),
  ])
  func `options that do not go together are refused`(words: [String], message: String) throws {
    #expect(
      try Program.project.run(["run"] + words)
        == Outcome(
          status: 2, output: "", messages: "kennel: \(message)\nTry 'kennel run --help'.\n"))
  }

  @Test func `a report that cannot be written is told before anything runs`() throws {
    let outcome = try Program.project.run(base + ["--tap", "/nowhere/at/all"])

    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.messages == "kennel: cannot write /nowhere/at/all: No such file or directory\n")
  }
}
