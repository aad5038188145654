import Conformance
import Faults
import Mutants
import Testing
import Tree

@testable import Hunting

@Suite struct ResultsTests {
  private func record(
    _ seeds: ClosedRange<UInt64>, hash: UInt64 = 1, _ finds: [ChunkRecord.Find] = []
  ) -> ChunkRecord {
    var record = ChunkRecord(seeds: seeds)
    record.events = 100
    record.hash = Fingerprint(bits: hash)
    record.marks = StepKindSet([StepKindSet(.set), StepKindSet(.fault(.cut))])
    record.faults["cut"] = .init(asked: 3, happened: 2, mattered: 1)
    record.finds = finds
    return record
  }

  private func find(
    _ signature: String, _ seeds: [UInt64], _ sentence: String, events: Int = 9
  ) -> ChunkRecord.Find {
    .init(
      signature: signature, seeds: seeds, sentence: sentence,
      shortest: .init(seed: seeds[0], events: events))
  }

  private func results(_ records: [ChunkRecord]) -> HuntResults {
    records.reduce(into: HuntResults()) { $0.add($1) }
  }

  @Test func `a record is read as it is written`() throws {
    var record = record(
      1...255, hash: .max,
      [find("inv-4 listener", [3, .max], "\"a\"\nb", events: 7)])
    record.samples = [.init(seed: 64, hash: Fingerprint(bits: 5))]

    let read = try #require(ChunkRecord(line: record.line))

    #expect(read == record)
    #expect(!record.line.contains("\n"))
  }

  @Test func `a line that was cut off is no record`() {
    let line = record(1...255, [find("x", [3], "s")]).line
    for length in 0..<line.count {
      #expect(ChunkRecord(line: String(line.prefix(length))) == nil)
    }
  }

  @Test func `failures add up by signature, whatever the order`() {
    let records = [
      record(256...511, [find("b", [300], "later")]),
      record(
        1...255,
        [
          find("a", [7], "other"),
          find("b", [9, 12], "first"),
        ]),
    ]
    for records in [records, records.reversed()] {
      let results = results(records)

      #expect(results.findings.map(\.signature) == ["b", "a"])
      #expect(results.findings.first?.first == 9)
      #expect(results.findings.first?.sentence == "first")
      #expect(results.failed == 4)
      #expect(results.seeds.ranges == [1...511])
      #expect(results.events == 200)
    }
  }

  @Test func `seeds that were run twice count once`() {
    let one = record(1...255, [find("a", [7], "s")])
    let alone = record(7...7, [find("a", [7], "s")])
    let results = results([one, one, alone])

    #expect(results.failed == 1)
    #expect(results.seeds.count == 255)
    #expect(results.events == 100)
  }

  @Test func `chunks that differed on another machine are told`() {
    let results = results([record(1...255, hash: 1), record(1...255, hash: 2)])

    #expect(results.findings.map(\.signature) == ["determinism mismatch"])
    #expect(
      results.findings.map(\.sentence) == [
        "the seeds 1..255 differed between two processes or machines"
      ])
  }

  @Test func `faults add up, those of chunks that were run twice once`() {
    let results = results([record(1...255), record(1...255), record(256...511)])

    #expect(results.faults["cut"] == .init(asked: 6, happened: 4, mattered: 2))
    #expect(results.faults["drop"] == .init())
    #expect(results.ineffective == FaultCounts.names.filter { $0 != "cut" })
  }

  @Test func `the shortest run of a failure is kept, and told when there is one`() {
    var results = HuntResults()

    #expect(results.add(record(1...9, [find("a", [7, 8], "s", events: 30)])) == ["a"])
    #expect(results.add(record(10...19, [find("a", [11], "s", events: 30)])) == [])
    #expect(results.add(record(20...29, [find("a", [22], "s", events: 29)])) == ["a"])
    #expect(results["a"]?.shortest == .init(seed: 22, events: 29))
    #expect(results["a"]?.first == 7)
    #expect(results["b"] == nil)
  }

  @Test func `a hunter tells the seeds, what they came to and which of them fail`() throws {
    let hunter = Hunter(HuntSettings(profile: "firebase")) { seed in
      ScenarioRunner(seed: seed) { _, profile in
        Mutant.examples[0].makeClient(profile)
      }
    }
    var reported: [UInt64] = []

    let record = hunter.run(60...66) { seed, _ in reported.append(seed) }

    #expect(reported == Array(60...66))
    #expect(record == hunter.run(60...66))
    #expect(record.samples == [.init(seed: 64, hash: hunter.hash(of: 64))])
    #expect(record.events > 300)
    #expect(record.finds.contains { $0.signature.hasPrefix("inv-4 listener") })
  }
}
