import Document
import Testing

@Suite struct EscapingTests {
  @Test func `HTML has nothing that ends an element or an attribute`() {
    #expect(Escaping.html("<a b='c'>\"&\n") == "&lt;a b=&#39;c&#39;&gt;&quot;&amp;\\u{a}")
    #expect(Escaping.htmlLines("<\n\u{202E}>") == "&lt;\n\\u{202e}&gt;")
  }

  @Test func `XML keeps the lines of a text and none of an attribute`() {
    #expect(Escaping.xml("a\n<\"\r\u{1B}") == "a\n&lt;\"&#13;\\u001b")
    #expect(Escaping.xmlAttribute("a", "\"<\n\t") == " a=\"&quot;&lt;&#10;&#9;\"")
  }

  @Test func `Markdown has a backslash before what means something`() {
    #expect(Escaping.markdown("a_b*<$@", also: "$") == "a\\_b\\*&lt;\\$@")
  }

  @Test func `a path in an address has nothing but plain characters`() {
    #expect(Escaping.address("a/b c\u{E9}.md") == "a/b%20c%C3%A9.md")
  }
}
