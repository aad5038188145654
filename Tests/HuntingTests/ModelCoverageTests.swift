import ClientInterface
import Conformance
import Document
import ReferenceClient
import Scenario
import Testing
import Tree

@testable import Hunting

@Suite struct ModelCoverageTests {
  private func states(_ seed: UInt64) -> Set<UInt32> {
    let profile = HuntSettings().profile(of: seed)
    let scenario = Generator(profile: profile).scenario(seed: seed).scenario
    let runner = ScenarioRunner(seed: seed) { ReferenceClient(profile: $1) }
    let trace = runner.run(scenario, in: profile).trace
    var states: Set<UInt32> = []
    trace.readStates(clients: scenario.clients.count) { states.insert($0) }
    return states
  }

  @Test func `fields do not overlap`() {
    let names: [ModelField.Name] = [
      .connection, .knowledge, .query, .pending, .transaction, .overlap, .input, .fault,
    ]

    #expect(ModelField.all.map { UInt32($0.shift) } == names.map(\.rawValue))
    #expect(ModelField.all.reduce(0) { $0 + $1.bits } <= 32)
  }

  @Test func `a run reaches the same states each time`() {
    #expect(states(7) == states(7))
    #expect(states(7) != states(8))
  }

  @Test func `every value of every field is reached by drawn scenarios`() {
    var reached: Set<String> = []
    for seed in UInt64(1)...600 {
      for code in states(seed) {
        for field in ModelField.all {
          let number = field.number(in: code)
          let value = field.values.indices.contains(number) ? field.values[number].name : "?"
          reached.insert("\(field.name) \(value)")
        }
      }
    }
    let missing = ModelField.all.flatMap { field in field.values.map { "\(field.name) \($0.name)" }
    }
    .filter { !reached.contains($0) }

    #expect(!reached.contains { $0.hasSuffix("?") })
    #expect(missing == [], "\(missing)")
  }

  @Test func `tables can be put together in any order and more than once`() {
    let entries = [
      StateTable.Entry(state: 5, seeds: [3, 9]),
      .init(state: 5, seeds: [1, 3, 4]),
      .init(state: 70_000, seeds: [2]),
    ]
    var forward = StateTable()
    var backward = StateTable()
    for entry in entries { forward.add(entry) }
    for entry in entries.reversed() + entries { backward.add(entry) }

    #expect(forward.entries == backward.entries)
    #expect(forward.entries.map(\.text) == ["5:1,3,4", "11170:2"])
    let texts = forward.entries.map { Substring($0.text) }
    #expect(forward.entries == texts.compactMap { StateTable.Entry(text: $0) })
    let isNews = forward.add(entries[0])
    #expect(!isNews)
    #expect(forward.count == 2)
  }

  @Test(arguments: ["", "5", "5:", "x:1", "5:1,2,3,4", "5:-1", "ffffffff:1"])
  func `what is no state is not read`(text: String) {
    #expect(StateTable.Entry(text: Substring(text)) == nil)
  }

  @Test func `the estimate is close to what more runs reach`() {
    var random = RandomNumbers(seed: 4)
    var table = StateTable()
    func run(_ seed: UInt64) {
      for _ in 0..<10 { table.record(UInt32(random.next() % 1_000), run: seed) }
    }
    for seed in UInt64(1)...100 { run(seed) }
    let estimate = CoverageEstimate(table, runs: 100)
    let before = table.count
    for seed in UInt64(101)...200 { run(seed) }
    let grown = Double(table.count - before)

    #expect(abs(estimate.expected(in: 100) - grown) < 0.15 * grown, "\(grown)")
    #expect(!estimate.isSaturated)
    for seed in UInt64(201)...2000 { run(seed) }
    #expect(CoverageEstimate(table, runs: 2000).isSaturated)
  }

  @Test func `a report lists what was never reached by its rules`() throws {
    var table = StateTable()
    for seed in UInt64(1)...20 { for code in states(seed) { table.record(code, run: seed) } }
    let report = CoverageReport(table, runs: 20)

    #expect(report.summary.count == 2)
    #expect(report.growth.count == 10)
    #expect(report.growth.last?.states == table.count)
    let missing = report.missing.first { $0.rule == "CON-7" }
    #expect(missing?.pairs.contains("connection offline, input hello") == true)
    #expect(report.missing.contains { $0.rule == "TXN-10" })
    #expect(report.text(for: "a").contains("never reached, by rule; some of it cannot be"))
    #expect(try JSON(parsing: report.text(for: "a.json"))["states"]?.integer == table.count)
    #expect(report.text(for: "a.html").hasPrefix("<!doctype html>"))
    #expect(CoverageReport(StateTable(), runs: 0).summary == [])
  }
}
