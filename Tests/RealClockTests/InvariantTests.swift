import Conformance
import Foundation
import Invariants
import Scenario
import Testing

/// Which invariants clients with a clock of their own are held to.
@Suite struct InvariantTests {
  @Test func `those that the documentation says are judged, and no others`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Specs/invariants.md")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
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
