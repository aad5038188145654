import ClientInterface
import Conformance
import Foundation
import Scenario
import TestKit
import Testing

@testable import Mutants
@testable import MutationAnalysis

@Suite struct SubtleMutantTests {
  /// What shows a defect: a drawn scenario, or one of the suite that is there for something else.
  enum Evidence: Sendable {
    case seed(UInt64)
    case scenario(String)
  }

  private static let evidence: [(name: String, evidence: Evidence)] = [
    ("windows-hide-covers", .seed(8426)),
    ("ranges-hold-everything", .seed(6528)),
    ("emptied-children-are-unknown", .scenario("limits/emptied-child-that-is-known-by-itself")),
    ("unseen-counts-as-empty", .seed(188)),
    ("writes-outside-stay", .seed(1723)),
    ("covers-reach-nothing", .scenario("regressions/window-beside-a-listener-to-everything")),
    ("third-listeners-miss-moves", .scenario("events/listeners-of-one-query-change-by-change")),
    ("updates-go-child-by-child", .scenario("regressions/update-overtakes-several-at-once")),
    ("sent-as-they-were", .seed(3823)),
    ("hashes-vouch-for-less", .seed(27704)),
    ("refused-stay-synchronized", .scenario("observers/refused-synchronisation")),
    ("refusals-beside-queries-are-silent", .seed(2155)),
    ("third-connections-drop-a-write", .seed(114)),
    ("listened-again-offline-is-not-sent", .seed(1344)),
    ("watches-count-as-listeners", .seed(249)),
    ("refused-updates-end-silently", .seed(214)),
    ("single-reads-miss-transactions", .seed(13091)),
    ("third-results-are-those-before", .seed(1592)),
    ("kept-data-miss-writes", .seed(1172)),
  ]

  @Test func `each subtle mutant has a scenario that shows it`() {
    #expect(Self.evidence.map(\.name) == Mutant.subtle.map(\.name))
    #expect(Set(Mutant.all).isDisjoint(with: Mutant.subtle))
  }

  @Test(arguments: evidence)
  func `the scenario fails with the defect and passes without`(
    name: String, evidence: Evidence
  ) throws {
    let mutant = try Kit.mutant(name)
    let (scenario, profiles, seed) = try read(evidence, for: mutant)
    let reference = ScenarioRunner(seed: seed, client: Kit.reference)
    let runner = Detector.hunter(of: mutant, seed: seed)

    #expect(profiles.contains { runner.run(scenario, in: $0).verdict.count == .failed })
    #expect(profiles.allSatisfy { reference.run(scenario, in: $0).verdict == .pass })
  }

  private func read(
    _ evidence: Evidence, for mutant: Mutant
  ) throws -> (Scenario, [Profile], seed: UInt64) {
    switch evidence {
    case let .seed(seed):
      let (scenario, profile) = Kit.detector([]).drawn(for: mutant, seed)
      return (scenario, [profile], seed)
    case let .scenario(id):
      let scenario = try Kit.projectScenario(id)
      return (scenario, scenario.profiles.filter(mutant.profiles.contains), 0)
    }
  }
}

@Suite struct GuidedComparisonTests {
  @Test func `both ways are compared by states and by what they notice`() throws {
    var comparison = GuidedComparison()
    (comparison.limit, comparison.scenarios) = (12, 24)
    comparison.mutants = [try Kit.mutant("value-first"), try Kit.mutant("windows-hide-covers")]
    comparison.subtleLimit = 12
    var lines: [String] = []
    comparison.run { (line: String) throws(Never) in lines.append(line) }

    #expect(lines.count == 8)
    #expect(lines[0].hasPrefix("states            blind "))
    #expect(lines[2].hasSuffix(" blind 1, guided 1\n"))
    #expect(
      lines[3] == "1 mutant of 2 that a hunt can notice; blind ones missed 0 of them, "
        + "guided ones 0\n")
    #expect(lines[4].hasPrefix("median            blind 1            guided 1            100 %"))
    #expect(lines[4].hasSuffix("missed: at most half\n"))
    #expect(comparison.detection(of: comparison.mutants[1]).scenarios == [.blind: 13, .guided: 13])
  }
}
