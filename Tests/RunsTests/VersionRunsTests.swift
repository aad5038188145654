import AdapterSessions
import ClientInterface
import Conformance
import Reports
import Runs
import Scenario
import Search
import TestKit
import Testing

@Suite struct VersionRunsTests {
  private let reference = ClientUnderTest { Kit.reference("", $0) }

  /// A version that marks what it stores, and knows nothing of what has no mark.
  private let marking = ClientUnderTest { profile in
    ChangedClient(
      profile,
      input: { input in
        guard case var .open(opening) = input else { return input }
        opening.storage = opening.storage.compactMap { item in
          item.text.hasPrefix("2 ") ? .init(item.key, String(item.text.dropFirst(2))) : nil
        }
        return .open(opening)
      },
      output: { _, output in
        if case let .store(key, text) = output {
          .store(key: key, text: "2 " + text)
        } else {
          output
        }
      })
  }

  private func compared(_ new: ClientUnderTest, in id: String) throws -> [VersionComparison] {
    let scenario = try Kit.projectScenario(id)
    let runs = try VersionRuns(reference, new)
    return runs.compare(scenario, in: .firebase, seed: 0)
  }

  @Test func `equal versions are equal where they open what the other has stored`() throws {
    let runs = try compared(reference, in: "persistence/kept-writes-are-sent")

    #expect(runs.map(\.isUpgrade) == [false])
    #expect(runs.map { $0.isEqual() } == [true])
  }

  @Test
  func `another form of what is stored is found where a version opens what another has stored`()
    throws
  {
    let runs = try compared(marking, in: "persistence/kept-writes-are-sent")
    let groups = VersionGroup.groups(of: runs)

    #expect(runs.map(\.ruling) == [.open, .against])
    #expect(groups.first?.cause.hasPrefix("upgrade: ") == true)
    #expect(groups.filter(\.isRed).allSatisfy { $0.shortest.run.isUpgrade })
    #expect(groups.first?.rules == ["OFF-12"])
    #expect(groups.contains { !$0.isRed && $0.shortest.difference?.aspect == .storage })
  }

  @Test func `drawn scenarios are the same each time, and the same with equal versions`() throws {
    let runs = try VersionRuns(reference, reference)
    for seed: UInt64 in 1...20 {
      let compared = runs.compare(drawn: seed)
      #expect(compared.map { $0.isEqual(withOrders: true) } == [true], "seed \(seed)")
    }
  }

  @Test func `what a seed shows is different with another version`() throws {
    let runs = try VersionRuns(reference, try ClientUnderTest(named: "lost-echo"))
    let compared = (18...24).flatMap { runs.compare(drawn: $0) }

    #expect(compared.contains { $0.ruling == .against })
  }
}
