import Scenario
import Testing

@Suite struct SourceTableTests {
  @Test func `rows are read with their document, rules and exclusions`() throws {
    let table = SourceTable(
      """
      # Sources

      The | in a sentence is no row.

      ## 004 Guide

      | heading | states | rules |
      |---|:---|---:|
      | Reading | Once \\| twice, see EVT-9. | OBS-9, EVT-2 (not UTF-8) |
      |Installing|A package.|Excluded: no behaviour|
      | Writing | Nothing yet. | |

      ## 001 Guide
      | Events | EVT-1 |
      """)

    #expect(table.entries.map(\.heading) == ["Reading", "Installing", "Writing", "Events"])
    #expect(table.entries.map(\.document) == ["004 Guide", "004 Guide", "004 Guide", "001 Guide"])
    #expect(table.entries.map(\.isExcluded) == [false, true, false, false])
    #expect(table.entries.map(\.line) == [9, 10, 11, 14])
    #expect(
      table.entries.map { $0.rules.map(\.description) } == [
        ["OBS-9", "EVT-2", "UTF-8"], [], [], ["EVT-1"],
      ])
  }

  @Test(arguments: ["", "# Sources\n\nNothing.\n", "|---|---|\n"])
  func `a file without rows has no entries`(text: String) {
    #expect(SourceTable(text).entries.isEmpty)
  }
}
