import RunModel
import TestKit
import Testing

/// Whether the list of checks is that of the specification.
@Suite struct CheckTests {
  @Test func `numbers ascend`() {
    let numbers = WireCheck.all.map(\.number)
    #expect(numbers == Set(numbers).sorted())
  }

  @Test func `each check is in the specification with its rule, and no other`() throws {
    let rows = try SourceTree.text(of: "Specs/wire-monitor.md").split(separator: "\n").filter {
      $0.hasPrefix("| MON-")
    }
    #expect(rows.count == WireCheck.all.count)
    for (row, check) in zip(rows, WireCheck.all) {
      #expect(row.hasPrefix("| \(check.id) | "), "\(row)")
      #expect(row.hasPrefix("| \(check.id) | Note: ") == check.isNote, "\(row)")
      #expect(row.contains(check.rule), "\(row)")
    }
  }
}
