import Document
import Testing

@Suite struct GroupsTests {
  private static let words = ["b1", "a1", "b2", "a2", "c1"]

  @Test func `groups come in the order of their first elements`() {
    let groups = [["b1", "b2"], ["a1", "a2"], ["c1"]]

    #expect(Self.words.grouped { $0.first } == groups)
    #expect(Self.words.grouped { $0.first == $1.first } == groups)
  }

  @Test func `what is compared is the first of a group`() {
    #expect([1, 2, 3, 4].grouped { $1 - $0 < 2 } == [[1, 2], [3, 4]])
  }

  @Test func `of equal elements the first stays`() {
    #expect([2, 1, 2, 3, 1].unique() == [2, 1, 3])
    #expect([Int]().unique() == [])
  }
}
