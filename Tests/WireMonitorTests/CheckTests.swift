import TestKit
import Testing
import WireMonitor

/// Whether the list of checks is that of the specification.
@Suite struct CheckTests {
  @Test func `numbers ascend`() {
    let numbers = WireCheck.allCases.compactMap { Int($0.id.dropFirst(4)) }
    #expect(numbers == Set(numbers).sorted())
    #expect(numbers.count == WireCheck.allCases.count)
  }

  @Test func `each check is in the specification with its rule, and no other`() throws {
    let rows = try SourceTree.text(of: "Specs/wire-monitor.md").split(separator: "\n").filter {
      $0.hasPrefix("| MON-")
    }
    #expect(rows.count == WireCheck.allCases.count)
    for (row, check) in zip(rows, WireCheck.allCases) {
      #expect(row.hasPrefix("| \(check.id) | "), "\(row)")
      #expect(row.hasPrefix("| \(check.id) | Note: ") == check.isNote, "\(row)")
      #expect(row.contains(check.rule), "\(row)")
    }
  }
}
