import Conformance
import Faults
import Testing

@testable import Hunting

@Suite struct HuntReportTests {
  private static let whole: ChunkRecord = {
    var record = ChunkRecord(seeds: 1...255)
    record.marks = StepKindSet.all.subtracting(StepKindSet(.fault(.kill)))
    for name in FaultCounts.names { record.faults[name] = .init(asked: 2, happened: 1) }
    for name in FaultCounts.names where name != "torn-record" {
      record.faults[name] = .init(asked: 1200, happened: 30, mattered: 4)
    }
    return record
  }()

  private static let found: ChunkRecord = {
    var record = ChunkRecord(seeds: 256...511)
    record.marks = StepKindSet(.fault(.kill))
    record.add("inv-4 listener", 300, "value came first (INV-4)")
    record.add("inv-4 listener", 301, "another")
    record.add("crash", 400, "the process ended with signal 4")
    return record
  }()

  private func report(
    _ records: [ChunkRecord], evidence: @escaping (HuntResults.Finding) -> [String] = { _ in [] }
  ) -> HuntReport {
    HuntReport(of: records.reduce(into: HuntResults()) { $0.add($1) }, evidence: evidence)
  }

  @Test func `a report tells how often faults mattered, and what never happened`() {
    let lines = report([Self.whole]).text().split(
      separator: "\n", omittingEmptySubsequences: false)

    #expect(lines.first == "255 scenarios, seeds 1..255: no failure")
    let head = "  faults                asked happened mattered"
    #expect(lines[2] == head + head)
    #expect(
      lines[3]
        == "  cut                    1200       30        4"
        + "  start                  1200       30        4")
    #expect(lines.contains { $0.contains("  torn-record               2        1        0") })
    #expect(
      lines.suffix(6).joined(separator: "\n") == """
        never drawn: kill

        faults that never changed anything: torn-record

        255 passed, 0 failed, 0 skipped

        """)
  }

  @Test func `a report tells each kind of failure, and how to see it again`() {
    let text = report([Self.whole, Self.found]) {
      $0.signature == "crash" ? [] : ["34 -> 3 steps", "kennel run F"]
    }.text(of: 511, in: 500)

    #expect(text.hasPrefix("511 scenarios, seeds 1..511: 2 kinds of failure   1022 a second\n"))
    #expect(
      text.hasSuffix(
        """

        FAIL  inv-4 listener   2 times, first seed 300
              value came first (INV-4)
              34 -> 3 steps
              kennel run F

        FAIL  crash   seed 400
              the process ended with signal 4

        508 passed, 3 failed, 0 skipped

        """))
  }

  @Test func `a value that is longer than a line is shown whole`() {
    let value = #"{"a":""# + String(repeating: "b", count: 120) + #""}"#
    var record = ChunkRecord(seeds: 1...255)
    record.add("inv-4 listener", 7, "the listener shows \(value), but it is {}")

    let lines = report([record]).text().split(separator: "\n").map(String.init)

    #expect(lines.contains("      the listener shows"))
    #expect(lines.contains("      \(value),"))
  }

  @Test func `no line is longer than a terminal but for those that name files`() {
    var record = Self.found
    record.add("inv-9 listener", 500, String(repeating: "many words ", count: 30))
    let lines = report([Self.whole, record]).text().split(separator: "\n")

    #expect(lines.allSatisfy { $0.count <= 100 })
  }

  @Test func `advice is counted apart, and is no failure`() {
    var record = ChunkRecord(seeds: 1...10)
    record.add("advice unsettled", 3, "the run does not settle")
    let results = [record].reduce(into: HuntResults()) { $0.add($1) }

    #expect(results.findings.isEmpty && results.advice.map(\.signature) == ["advice unsettled"])
    #expect(
      report([record]).text().hasSuffix(
        """
        advice unsettled   1 time
              the run does not settle

        10 passed, 0 failed, 0 skipped

        """))
  }

  @Test func `kinds of failure with one cause are reported once, with a count for each`() {
    var record = ChunkRecord(seeds: 1...255)
    for seed: UInt64 in [3, 4, 5] {
      record.add("inv-39 set", seed, "the call has not ended", cause: "inv-39")
    }
    for seed: UInt64 in [7, 8] { record.add("inv-39 update", seed, "another", cause: "inv-39") }
    record.add("inv-39 push", 9, "a third", cause: "inv-39")
    let text = report([record]) { _ in ["kennel run F"] }.text()

    #expect(text.hasPrefix("255 scenarios, seeds 1..255: 3 kinds of failure of 1 cause\n"))
    #expect(
      text.hasSuffix(
        """

        FAIL  inv-39 set   3 times, first seed 3
              the call has not ended
              kennel run F
              also  inv-39 update   2 times, first seed 7
              also  inv-39 push   seed 9

        249 passed, 6 failed, 0 skipped

        """), "\(text)")
  }
}
