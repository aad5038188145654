import Document
import Testing
import Tree

@Suite struct DocumentNodeTests {
  @Test func `places are ordered as one reads`() {
    let positions = [(2, 1), (1, 9), (1, 10), (10, 1)].map { Position(line: $0, column: $1) }

    #expect(positions.sorted().map(\.description) == ["1:9", "1:10", "2:1", "10:1"])
  }

  @Test func `a member is found by exactly its key`() {
    let root = yaml("é: 1\nb: {c: 2}\nd: [3]").root

    #expect(root?["é"]?.json == 1)
    #expect(root?["e\u{301}"] == nil)
    #expect(root?["b"]?["c"]?.json == 2)
    #expect(root?["d"]?["3"] == nil)
    #expect(root?["x"] == nil)
  }

  @Test func `a value without locations is JSON`() {
    let position = Position(line: 1, column: 1)
    let node = DocumentNode(
      .mapping([
        .init(key: "b", keyPosition: position, value: DocumentNode(.bool(true), at: position)),
        .init(
          key: "a", keyPosition: position,
          value: DocumentNode(
            .list([DocumentNode(.null, at: position), DocumentNode(.number(1.5), at: position)]),
            at: position)),
      ]), at: position)

    #expect(node.json.text == #"{"b":true,"a":[null,1.5]}"#)
  }

  @Test func `a problem is one line with its location in front`() {
    let problem = DocumentError(at: Position(line: 3, column: 7), "wrong; right; correct")

    #expect(problem.description == "3:7: wrong; right; correct")
  }
}
