import Conformance
import Invariants
import Scenario
import TestKit
import Testing

/// Which invariants clients with a clock of their own are held to.
@Suite struct InvariantTests {
  @Test func `those that the documentation says are judged, and no others`() throws {
    let lines = try SourceTree.text(of: "Specs/invariants.md").split(separator: "\n")
    let table = lines.drop { !$0.hasPrefix("| Judged |") }.prefix {
      !$0.hasPrefix("| Not judged |")
    }
    let reported = table.filter { $0.hasPrefix("| INV-") }.flatMap {
      ($0.split(separator: "|").first ?? "").split { ", ".contains($0) }
    }

    #expect(reported.map(String.init) == Invariant.judgedOnRealClock.map(\.id).inOrderOfNumber)
  }
}

extension [String] {
  fileprivate var inOrderOfNumber: [String] {
    sorted { $0.count == $1.count ? $0 < $1 : $0.count < $1.count }
  }
}
