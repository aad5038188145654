import Reports
import Testing
import Tree

@Suite struct SummaryPartsTests {
  @Test func `texts are counted in the order in which they came up`() {
    var counts = TextCounts(["b", "a", "b"])
    counts.add("a", 3)

    #expect(counts.entries.map(\.text) == ["b", "a"])
    #expect(counts.entries.map(\.count) == [2, 4])
  }

  @Test func `a summary is a line with the time before what was added late`() {
    #expect(
      summaryLine([.init("runs", 1)], milliseconds: 2.6, after: [.init("stopped", "x")])
        == "{\"summary\":{\"runs\":1,\"milliseconds\":3,\"stopped\":\"x\"}}\n")
    #expect(summaryLine([], milliseconds: nil) == "{\"summary\":{\"milliseconds\":null}}\n")
    #expect(elapsed(3149) == "   3.1 s")
    #expect(elapsed(nil).isEmpty)
  }
}
