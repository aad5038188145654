import Document
import Testing
import Tree

@Test func `a small mapping is read`() throws {
  let read = DocumentReader.readYAML(Array("a: 1".utf8))
  #expect(read.problems.map(\.description) == [])
  #expect(read.root?["a"]?.json.number == 1)
}
