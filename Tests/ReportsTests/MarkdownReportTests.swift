import Conformance
import Reports
import Testing

@Suite struct MarkdownReportTests {
  @Test func `a run without failures is a few lines`() throws {
    let text = MarkdownReport.text(of: [try Records.record("a/b", .pass)], Records.header)

    #expect(
      text == """
        ## Kennel: no divergence

        **1 passed, 0 failed, 0 skipped** \u{20}
        selected 3 = ran 1 + not run 2 \u{20}
        client <code>node adapter.js &lt;x&gt;</code>, seed 7, kit 0.1.0


        """)
  }

  @Test func `failures are a table with reports below, then what is known and what expires`() throws
  {
    let warning = KnownFailures.Warning(entry: try Records.entry("a/b"), message: "a|b expires")
    let text = MarkdownReport.text(of: try Records.all(), Records.header, warnings: [warning])
    let lines = text.split(separator: "\n").map(String.init)

    #expect(lines[0] == "## Kennel: 5 runs failed")
    #expect(
      lines.contains(
        "| <code>limits/refill\\[n=&lt;1&gt;\\]</code> | wilddog-2 | crash | it ended |  | "
          + "<code>crash</code> |"))
    #expect(
      lines.contains { $0.hasPrefix("| <code>limits/stale</code> | firebase | stale | it passes") })
    #expect(
      lines.contains(
        "| <code>limits/known</code> | firebase | bug | 2026-12-31 | https://example.org/7 |"))
    #expect(lines.contains("- a\\|b expires"))
    #expect(
      lines.contains("<details><summary>limits/refill\\[n=&lt;1&gt;\\] (wilddog-2)</summary>"))
  }

  @Test func `what fails alike in several profiles is told once, with its signature`() throws {
    let records = try ["wilddog-1", "wilddog-2", "firebase"].map { profile in
      try Records.record(
        "a/b", .fail, in: profile, sentence: profile == "firebase" ? "t" : "s",
        text: "FAIL\n", commands: [profile], signature: "missing-event value")
    }
    let text = MarkdownReport.text(of: records, Records.header)

    #expect(text.hasPrefix("## Kennel: 3 runs failed\n"))
    #expect(
      text.contains(
        """
        ### <code>missing-event value</code>: 3 runs of 1 scenario

        | Scenario | Profile | Verdict | What is wrong | Rule | Signature |
        |---|---|---|---|---|---|
        | <code>a/b</code> | wilddog-1, wilddog-2 | fail | s | LIM-7 | <code>missing-event value</code> |
        | <code>a/b</code> | firebase | fail | t | LIM-7 | <code>missing-event value</code> |

        <details><summary>a/b (wilddog-1, wilddog-2)</summary>

        """))
    #expect(text.split(separator: "<details>").count == 2)
  }

  @Test func `one missing kind of event in many scenarios is explained once`() throws {
    let records = try (1...58).map {
      try Records.record(
        "a/s\($0)", .fail, sentence: "s", text: "FAIL\n",
        signature: "missing-event child_moved listener", cause: "missing-event child_moved")
    }
    let text = MarkdownReport.text(of: records, Records.header)

    #expect(
      text.contains("### <code>missing-event child\\_moved</code>: 58 runs of 58 scenarios\n"))
    #expect(text.split(separator: "<details>").count == 2)
  }

  @Test func `nothing in a cell means anything`() throws {
    let lines = MarkdownReport.text(of: try Records.all(), Records.header).split(separator: "\n")
    let row = try #require(lines.first { $0.contains("&amp;") })

    #expect(
      row.contains(
        "a &amp; b &lt; c &gt; d \"e\" 'f' \\\\ \\# \\| \\`g\\` \\*h\\* \\_i\\_ \\[j\\](k)"))
    #expect(row.contains("\\@all"))
    #expect(!row.unicodeScalars.contains { $0.value < 0x20 })
  }

  @Test func `a fence is longer than any within the report`() throws {
    let record = try Records.record("a/b", .fail, sentence: "s", text: "```\nx\n````\n")

    #expect(
      MarkdownReport.text(of: [record], Records.header).contains(
        "`````text\n```\nx\n````\n`````\n"))
  }

  @Test func `of many failures the first are shown`() throws {
    let record = try Records.record("a/b", .fail, sentence: "s", text: "FAIL\n")
    let text = MarkdownReport.text(of: Array(repeating: record, count: 203), Records.header)

    #expect(text.contains("\n... and 3 more\n"))
    #expect(text.split(separator: "<details>").count == 2)
  }
}
