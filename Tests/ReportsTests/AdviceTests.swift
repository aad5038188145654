import Conformance
import Reports
import TestKit
import Testing

/// Advice is told in every report, and is a failure in none.
@Suite struct AdviceTests {
  private func records() throws -> [RunRecord] {
    [
      try Records.record("writes/good", .pass),
      try Records.record(
        "faults/silence", .advice, sentence: "the call <w> has not ended",
        text: "ADVICE  It is noticed & closed\n", signature: "missing-outcome set ok"),
    ]
  }

  @Test func `the summary counts it as passed and lists it with its rule`() throws {
    let summary = Summary(of: try records(), seeds: 7...7)

    #expect(
      summary.text() == """
        2 scenarios: 1 pass, 1 advice   seed 7
        selected 2 = ran 2

        advice: 1 (what clients should do; --strict makes failures of it)
          ADVICE  faults/silence  firebase  rule LIM-7

        2 passed, 0 failed, 0 skipped

        """)
    #expect(
      summary.json().contains("\"passed\":2,\"failed\":0,\"skipped\":0,\"known\":0,\"advice\":1,"))
  }

  @Test func `JUnit has it as the output of a suite without failures`() throws {
    let xml = JUnitReport.text(of: try records(), Records.header)
    let validity = try Records.validity(of: xml)

    #expect(validity.status == 0, "\(validity.messages)")
    #expect(xml.contains("failures=\"0\" errors=\"0\" skipped=\"0\""))
    #expect(xml.contains("<system-out>ADVICE  It is noticed &amp; closed\n</system-out>"))
  }

  @Test func `Markdown lists it below what failed`() throws {
    let text = MarkdownReport.text(of: try records(), Records.header)

    #expect(text.hasPrefix("## Kennel: no divergence\n\n**2 passed, 0 failed, 0 skipped**"))
    #expect(
      text.contains(
        "### Advice\n\nWhat clients should do; none of it is a failure.\n\n### <code>missing-outcome"
      ))
    #expect(text.contains("| <code>faults/silence</code> | firebase | advice | the call &lt;w&gt;"))
  }

  @Test func `as an annotation it is a notice`() throws {
    let lines = Annotations.text(of: try records(), name: { $0 })

    #expect(
      lines == "::notice file=Scenarios/faults/silence.yaml,line=20,col=7,"
        + "title=faults/silence (firebase)::the call <w> has not ended (rule LIM-7)\n")
  }

  @Test func `a comparison names what is new, and is not red`() throws {
    func file(_ records: [RunRecord]) throws -> ReportFile {
      try ReportFile(
        records.map(\.line).joined() + Summary(of: records, seeds: 7...7).json(), file: "r.jsonl")
    }
    let old = try file(["writes/good", "faults/silence"].map { try Records.record($0, .pass) })
    let new = try file(try records())
    let difference = ReportDifference(from: old, to: new)

    #expect(!difference.isRed)
    #expect(
      difference.text().hasPrefix(
        "New advice: 1\n  faults/silence  firebase  pass -> advice\n"))
    #expect(Badge(of: new).json.contains("\"message\":\"2 passed, 1 with advice\""))
  }
}
