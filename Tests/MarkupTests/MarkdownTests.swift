import Document
import Testing

@Suite struct MarkdownTests {
  @Test func `a table has a line below its head`() {
    #expect(Markdown.table(["a", "b"], [["1", "2"]]) == "| a | b |\n|---|---|\n| 1 | 2 |\n")
    #expect(
      Markdown.table(["a", "b"], [], ruler: .spaced) == "| a | b |\n| --- | --- |\n")
  }

  @Test func `a fence is longer than any within it`() {
    #expect(Markdown.fenced("a", "text") == "```text\na\n```\n")
    #expect(Markdown.fenced("````\n") == "`````\n````\n`````\n")
  }

  @Test func `the marks of a code span are longer than any in it`() {
    #expect(Markdown.code("a`b") == "``a`b``")
    #expect(Markdown.code("`") == "`` ` ``")
  }
}
