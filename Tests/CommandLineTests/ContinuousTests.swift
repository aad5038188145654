import Foundation
import TestKit
import Testing

/// `kennel known`, `diff`, `badge` and `smoke`.
@Suite struct ContinuousTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func path(_ name: String) -> String { folder.url.appending(path: name).path }

  private func kennel(_ words: String...) throws -> Outcome { try Program.project.run(words) }

  @Test func `a list is made, followed, kept up to date and emptied`() throws {
    let list = path("known.yaml")
    let words = ["limits", "--profile", "firebase", "--client", "no-refill"]
    func update(_ more: [String]) throws -> Outcome {
      try Program.project.run(["known", "--update", list, "--today", "2026-11-21"] + more)
    }
    let refused = try update(words)
    #expect(refused.status == 1)
    #expect(
      refused.messages.hasSuffix(
        " failures are not listed; name where they are written down: --issue LINK\n"))
    #expect(refused.output == "\(list): 0 changes\n")

    let made = try update(words + ["--issue", "https://example.org/1"])
    #expect(made.status == 0, "\(made.messages)")
    #expect(made.output.hasPrefix("added: limits/"))
    #expect(try folder.text("known.yaml").contains("    until: 2027-02-19\n"))

    let run = try Program.project.run(["run"] + words + ["--known", list, "--today", "2026-11-21"])
    #expect(run.status == 0)
    #expect(run.output.contains(" as listed\n"))

    let same = try update(words)
    #expect(same.output == "\(list): 0 changes\n")

    let emptied = try update(["limits", "--profile", "firebase"])
    #expect(emptied.status == 0)
    #expect(emptied.output.contains("removed, because it passes: \(list):"))
    #expect(try folder.text("known.yaml").hasSuffix("\nkennel: 1\nknown: []\n"))
  }

  @Test func `a list is shown with the days that are left`() throws {
    try folder.write(
      """
      kennel: 1
      known:
        - {scenario: writes/local-echo, signature: gap, kind: bug, issue: "https://e.org/1", until: 2026-12-01}
        - {scenario: values/key-order, signature: gap, kind: wontfix, issue: "https://e.org/2", until: 2026-11-01}

      """, to: "known.yaml")
    let outcome = try kennel("known", path("known.yaml"), "--today", "2026-11-30")

    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
        \(path("known.yaml")):3  writes/local-echo  1 scenario  bug  2026-12-01 (1 day)  \
        https://e.org/1
        \(path("known.yaml")):4  values/key-order  1 scenario  wontfix  2026-11-01 (expired)  \
        https://e.org/2
        2 known failures, 1 expired

        """)
  }

  @Test func `a list that cannot be changed as it is laid out stays as it is`() throws {
    let entry = { (id: String) in
      "{scenario: \(id), signature: gap, kind: bug, issue: 'https://e.org/1', until: 2026-12-01}"
    }
    let text =
      "kennel: 1\nknown: [\(entry("writes/local-echo")), \(entry("values/key-order"))]\n"
    try folder.write(text, to: "known.yaml")

    let outcome = try kennel(
      "known", "--update", path("known.yaml"), "--today", "2026-11-30", "writes/local-echo",
      "values/key-order")

    #expect(outcome.status == 2)
    #expect(
      outcome.messages.hasSuffix(
        "cannot be brought up to date as it is laid out; write each entry on lines of its own; it "
          + "stays as it is\n"), "\(outcome)")
    #expect(try folder.text("known.yaml") == text)
  }

  @Test func `two runs are compared and drawn`() throws {
    let words = ["run", "limits", "--profile", "firebase", "--jsonl"]
    _ = try Program.project.run(words + [path("good")])
    _ = try Program.project.run(words + [path("bad"), "--client", "no-refill"])

    let worse = try kennel("diff", path("good"), path("bad"))
    #expect(worse.status == 1)
    #expect(worse.output.hasPrefix("Regressions: "))
    #expect(worse.output.contains("  limits/refill-after-foreign-removal "))
    let better = try kennel("diff", path("bad"), path("good"), "--format", "markdown")
    #expect(better.status == 0)
    #expect(better.output.hasPrefix("### Kennel: 0 regressions, "))
    let badge = try kennel(
      "badge", path("bad"), "--svg", path("b.svg"), "--json", path("b.json"), "--label", "x")
    #expect(badge == Outcome(status: 0, output: "", messages: ""))
    #expect(try folder.text("b.svg").hasPrefix("<svg xmlns="))
    #expect(try folder.text("b.json").hasPrefix("{\"schemaVersion\":1,\"label\":\"x\","))
  }

  @Test func `the first five minutes show the first failure and what to do next`() throws {
    let good = try kennel("smoke")
    #expect(good.status == 0)
    let lines = good.output.split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("ok           values/four-kinds"))
    #expect(good.output.contains("\nNext:\n  tools/kennel run\n"))
    #expect(good.output.hasSuffix("\n12 passed, 0 failed, 0 skipped\n"))

    let bad = try kennel("smoke", "--client", "no-refill", "--profile", "wilddog-2")
    #expect(bad.status == 1)
    #expect(bad.output.contains("\nfail         limits/refill-after-foreign-removal"))
    #expect(bad.output.contains("\nFAIL  After another client's removal"))
    #expect(
      bad.output.contains(
        "\n  tools/kennel why limits/refill-after-foreign-removal --profile wilddog-2 --client "
          + "no-refill\n"))
    #expect(bad.output.contains("\n  tools/kennel explain LIM-7\n"))
  }

  @Test(arguments: [
    (["known"], "known needs the file of a list, or --update FILE"),
    (["known", "a", "--issue", "x"], "--issue needs --update"),
    (
      ["known", "--update", "a", "--until", "x"],
      "--until needs a day such as 2026-12-31, not \"x\""
    ),
    (
      ["known", "--update", "a", "--kind", "bgu"],
      "unknown value \"bgu\" for --kind; did you mean \"bug\"?"
    ),
    (["diff", "a"], "diff needs two reports that 'kennel run --jsonl FILE' wrote"),
    (["badge"], "badge needs one report that 'kennel run --jsonl FILE' wrote"),
    (["badge", "a"], "badge needs --svg FILE or --json FILE"),
    (["smoke", "writes"], "smoke takes no \"writes\"; 'kennel run writes' runs that"),
    (["chat"], "chat takes one NAME: what the others see"),
    (
      ["chat", "a", "--url", "b"],
      "\"b\" is no address; one begins with http:// or https://"
    ),
    (["smoke", "--profile", "firebase", "--profile", "wilddog-1"], "smoke takes one --profile"),
  ])
  func `what means nothing is refused`(words: [String], message: String) throws {
    #expect(
      try Program.project.run(words)
        == Outcome(
          status: 2, output: "",
          messages: "kennel: \(message)\nTry 'kennel \(words[0]) --help'.\n"))
  }

  @Test func `a report that is none is told with its line`() throws {
    try folder.write("{}\n", to: "none")
    let outcome = try kennel("diff", path("none"), path("none"))

    #expect(
      outcome
        == Outcome(
          status: 2, output: "",
          messages: "kennel: \(path("none")):1: this is no line of a report; expected what 'kennel "
            + "run --jsonl' writes\n"))
  }
}
