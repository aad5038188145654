import ClientInterface
import Conformance
import Faults
import ReferenceClient
import Scenario
import Testing
import Trace
import Tree

@testable import Hunting

@Suite struct GeneratorTests {
  private func drawn(_ seeds: ClosedRange<UInt64>, size: Int = 120) -> [Generator.Drawn] {
    seeds.map { Generator(profile: .firebase, size: size).scenario(seed: $0) }
  }

  @Test func `the same seed gives the same scenario`() {
    let hashes = (0..<2).map { _ in
      ScenarioRunner(seed: 7) { _, profile in ReferenceClient(profile: profile) }
        .run(drawn(7...7)[0].scenario, in: .firebase).hash
    }

    #expect(hashes[0] == hashes[1])
  }

  @Test func `everything that can happen happens`() {
    let all = drawn(1...400).reduce(into: StepKindSet()) { $0.formUnion($1.marks) }

    #expect(all == .all)
  }

  @Test func `every rare situation comes up, and most scenarios have none`() {
    let found = (UInt64(1)...400).compactMap { RareSituation(seed: $0) }

    #expect(Set(found) == Set(RareSituation.allCases))
    #expect(found.count < 400 / 3)
  }

  @Test func `in each scenario some kinds are missing`() {
    let counts = drawn(1...400).map(\.marks.ingredients.count)

    #expect((counts.max() ?? 0) < StepKind.allCases.count * 3 / 4)
  }

  @Test func `a scenario has about as many events as was asked for`() {
    for size in [120, 300, 600] {
      let events = drawn(1...60, size: size).map { drawn in
        ScenarioRunner(seed: 1) { _, profile in ReferenceClient(profile: profile) }
          .run(drawn.scenario, in: .firebase).trace.count
      }
      let mean = events.reduce(0, +) / events.count

      #expect((size * 2 / 3...size * 3 / 2).contains(mean), "\(mean) events in place of \(size)")
    }
  }

  @Test func `every scenario rests, heals and is probed`() {
    for drawn in drawn(1...100) {
      let steps = drawn.scenario.steps
      let rests = steps.indices.filter {
        if case .settle = steps[$0].action { true } else { false }
      }

      #expect(rests.last == steps.count - 1)
      #expect(rests.count >= 2)
      #expect(drawn.scenario.judging == .invariants)
    }
  }

  @Test func `an isolated client stays so`() {
    let plans = (UInt64(1)...200).map { Plan(seed: $0, profile: .firebase, size: 120) }
    let isolated = plans.filter { $0.isolated != nil }

    #expect(!isolated.isEmpty && isolated.count < 60)
    for plan in isolated {
      guard let client = plan.isolated else { continue }
      let name = plan.clients[client]
      let steps = drawn(plan.seed...plan.seed)[0].scenario.steps
      let last = steps.last { step in
        switch step.action {
        case let .fault(.heal(client)), let .fault(.cut(client)), let .fault(.refuse(client)):
          client == name
        default: false
        }
      }
      if case .fault(.heal)? = last?.action { Issue.record("\(plan.seed): \(name) was healed") }
    }
  }

  @Test func `only Firebase clients are sent away`() {
    let shutdown = StepKind.fault(.shutdown)
    for profile in Profile.all {
      let plans = (UInt64(1)...100).map { Plan(seed: $0, profile: profile, size: 120) }
      #expect(plans.contains { $0.allows(shutdown) } == (profile == .firebase))
    }
  }

  @Test func `no two keys of a scenario have an order that is left open`() {
    for plan in (UInt64(1)...100).map({ Plan(seed: $0, profile: .firebase, size: 120) }) {
      let numbers = plan.vocabulary.keys.compactMap { key in
        Int32(key.string).map { [Int($0), key.string.utf8.count] }
      }
      #expect(Set(numbers).count == numbers.count)
    }
  }
}
