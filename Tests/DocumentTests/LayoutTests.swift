import Document
import Foundation
import Testing
import YAML

@Suite struct LayoutTests {
  private func yaml(_ text: String) -> String {
    switch DocumentLayout.yaml(Array(text.utf8)) {
    case let .text(text): text
    case let .problems(problems): "\(problems)"
    case .refused: "refused"
    }
  }

  @Test(arguments: [
    ("a:   1\nb:\n    - x\n    -   y\n", "a: 1\nb:\n  - x\n  - y\n"),
    ("a:\n- b:  1\n  c: 2\n- d\n", "a:\n  - b: 1\n    c: 2\n  - d\n"),
    ("a: {b: 1,c: [ 1,2 ], d: { } , e: []}", "a: {b: 1, c: [1, 2], d: {}, e: []}\n"),
    ("a: {b: 1,\n    c: 2}\n", "a: {b: 1, c: 2}\n"),
    ("a:\n  {b: 1}\n", "a: {b: 1}\n"),
    ("a: 1   \n\n\n\nb: 2\n\n\n", "a: 1\n\nb: 2\n"),
    ("\n\na:\n\n  b: 1\n", "a:\n  b: 1\n"),
    ("a:\nb: ~\n", "a:\nb: ~\n"),
    ("a: 'x'\nb: \"y\\n\"\n'c d': 1\n? e\n: 2\n", "a: 'x'\nb: \"y\\n\"\n'c d': 1\ne: 2\n"),
    ("a: one\n    two\n  three\n", "a: one two three\n"),
    ("a: 'one\n\n  two'\n", "a: 'one\n\n  two'\n"),
    ("a: \"one\\\n     two\"\n", "a: \"one\\\n  two\"\n"),
    ("a: |\n     one\n       two\n\n\nb: 1\n", "a: |\n  one\n    two\n\nb: 1\n"),
    ("a:\n - >-\n  one\n\n  two\n", "a:\n  - >-\n    one\n\n    two\n"),
    ("a: |+\n  one\n\nb: 1\n", "a: |+\n  one\n\nb: 1\n"),
    ("x:\n    a: |2\n         one\n      two\n", "x:\n  a: |2\n       one\n    two\n"),
    ("a: &n {b: 1}\nc: *n\nd: &s x\n", "a: &n {b: 1}\nc: *n\nd: &s x\n"),
    ("a: &n\n    b: 1\nc: [*n, *n]\n", "a: &n\n  b: 1\nc: [*n, *n]\n"),
    ("- - 1\n  -   2\n- [3]\n", "- - 1\n  - 2\n- [3]\n"),
    ("--- # x\na: 1\n...\n", "# x\na: 1\n"),
    ("a: 1\r\nb: 2\r\n", "a: 1\nb: 2\n"),
    ("\u{FEFF}a: 1\n", "a: 1\n"),
    ("just a word", "just a word\n"),
    ("[{a: 1},   x]", "- {a: 1}\n- x\n"),
  ])
  func `what means the same looks the same`(text: String, expected: String) {
    #expect(yaml(text) == expected)
    #expect(yaml(expected) == expected)
  }

  private let withComments = """
    # head

    a:    # of a
        # of b

        b: 1      # of 1
        c: [x,    # of x
            y]    # of y
        # end of a
    # of d
    d:
    -  e   # of e
      # end of d
    f: {g: 1} # of f
    # tail

    # last
    """

  private let commentsInPlace = """
    # head

    a:  # of a
      # of b

      b: 1  # of 1
      c:
        - x  # of x
        - y  # of y
      # end of a
    # of d
    d:
      - e  # of e
      # end of d
    f: {g: 1}  # of f
    # tail

    # last

    """

  @Test func `comments stay where they belong`() {
    #expect(yaml(withComments) == commentsInPlace)
    #expect(yaml(commentsInPlace) == commentsInPlace)
  }

  @Test func `what does not fit on a line stands below each other`() {
    let long = String(repeating: "x", count: 40)
    let text = "- a: {b: \(long), c: [\(long), \(long)], d: {e: 1}}\n"
    let expected = "- a:\n    b: \(long)\n    c: [\(long), \(long)]\n    d: {e: 1}\n"

    #expect(yaml(text) == expected)
    #expect(yaml(expected) == expected)
  }

  @Test func `a text of several lines is broken again between its words`() {
    let words = Array(repeating: "word", count: 30).joined(separator: " ")
    let text = "a: \(words)\n  \(words)\nb: 1\n"
    let lines = yaml(text).split(separator: "\n").map(String.init)

    #expect(lines.count == 5)
    #expect(lines.allSatisfy { $0.count <= 100 })
    #expect(lines[1].hasPrefix("  word word"))
    #expect(yaml(yaml(text)) == yaml(text))
  }

  @Test func `a file that cannot be read gets its problems, and one with odd breaks stays`() {
    #expect(yaml("a: [").hasPrefix("[1:"))
    #expect(yaml("a: 1\na: 2\n").contains("occurs twice"))
    #expect(yaml("a: \"x\u{2028}y\"\n") == "refused")
    #expect(yaml("a: 1\rb: 2\r") == "refused")
  }

  @Test func `JSON stands on one line where it fits, but the outermost`() {
    func json(_ text: String) -> String {
      guard case let .text(text) = DocumentLayout.json(Array(text.utf8)) else { return "none" }
      return text
    }
    let long = String(repeating: "x", count: 90)
    let expected = """
      {
        "a": [1, {"b": null}],
        "c": [
          "\(long)",
          {}
        ]
      }

      """

    #expect(json("{\"a\":[1,{\"b\":null}],\n\"c\":[\"\(long)\",{}]}") == expected)
    #expect(json(expected) == expected)
    #expect(json("[]") == "[]\n")
    #expect(json("{") == "none")
  }
}
