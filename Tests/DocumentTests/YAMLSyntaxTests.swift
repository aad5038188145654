import Testing

@testable import Document

private let entry = "indented like the first; correct the indentation, or quote the value before it"
private let colon =
  "a colon is not allowed here; expected one key to a line, indented like its neighbours; "
  + "correct the indentation, or put a text with a colon in quotes"
private let list =
  "a list cannot begin here; expected its first \"- \" on a line of its own; "
  + "begin a new line, or put a text with a hyphen in quotes"
private let behind =
  "after the end of the document; expected nothing more; "
  + "remove it, or correct the indentation or the quotes before it"
private let value = "expected a value; write one here, or put this in quotes"
private let quotes = "with which no value can begin; expected a value; put the text in quotes"
private let unclosed =
  "the string that begins here never ends; expected the same quote again; "
  + "add it, or double a single quote inside the string"
private let name =
  "expected letters, digits, - and _; correct the name, or put the text in quotes"
private let header =
  "behind \"|\" or \">\"; expected at most +, - and one digit from 1 to 9; "
  + "begin the text on the next line, or put it in quotes"
private let tag =
  "this tag is malformed; expected none, or !!str before a scalar; "
  + "remove it, or put the text in quotes"
private let directive =
  "this directive is not understood; expected none, or %YAML 1.2 before \"---\"; remove it"
private let tab = "found a tab where YAML indents; expected spaces; replace the tab with spaces"
private let digits =
  "this escape has too few digits; expected two hexadecimal digits after \\x, four after \\u, "
  + "eight after \\U; fill up with zeros"

@Suite struct YAMLSyntaxTests {
  @Test(arguments: [
    ("\ta: 1", "1:1: \(tab)"),
    ("a:\n\tb: 1", "2:1: \(tab)"),
    ("a:\n  b: 1\n\tc: 2", "3:1: \(tab)"),
    ("a: b\n\tc: 1", "2:1: \(tab)"),
    ("-\ta: 1", "1:2: \(tab)"),
    ("a: |\n\tx", "2:1: \(tab)"),
    ("a: >\n  x\n\ty", "3:1: \(tab)"),
  ])
  func `a tab in the indentation is called a tab`(text: String, problem: String) {
    #expect(yaml(text).texts == [problem])
  }

  @Test(arguments: [
    ("]", "1:1: found \"]\"; \(value)"),
    ("a: ]", "1:4: found \"]\"; \(value)"),
    ("[a,,b]", "1:4: found \",\"; \(value)"),
    ("a: [\n- b]", "2:1: found \"-\"; \(value)"),
    (
      "a: 1\n- b",
      "2:1: found \"-\" in the mapping that begins at 1:1; expected the next key, \(entry)"
    ),
    (
      "a: 'x' y",
      "1:8: found \"y\" in the mapping that begins at 1:1; expected the next key, \(entry)"
    ),
    (
      "k: 'it's'",
      "1:8: found \"s\" in the mapping that begins at 1:1; expected the next key, \(entry)"
    ),
    (
      "a:\n  - b\n - c",
      "3:2: found \"-\" in the mapping that begins at 1:1; expected the next key, \(entry)"
    ),
    (
      "- a\nb: 1",
      "2:1: found \"b\" in the list that begins at 1:1; expected the next \"- \", "
        + "indented like the first; correct the indentation"
    ),
    (
      "a: [1, 2",
      "1:9: found the end of the text in the collection that begins at 1:4; "
        + "expected a comma or \"]\"; add the one that is missing"
    ),
    (
      "a: {b: 1\nc: 2}",
      "2:2: found \":\" in the collection that begins at 1:4; "
        + "expected a comma or \"}\"; add the one that is missing"
    ),
    (
      "{a]",
      "1:3: found \"]\" in the collection that begins at 1:1; "
        + "expected a comma or \"}\"; add the one that is missing"
    ),
    ("...", "1:1: found \".\"; \(value)"),
    ("[1,2]x", "1:6: found \"x\" \(behind)"),
    ("\"a\" \"b\"", "1:5: found \"\\\"\" \(behind)"),
    ("  a: 1\nbee: 2", "2:1: found \"bee\" \(behind)"),
    ("a\n...\nb", "3:1: found \"b\" \(behind)"),
    (
      "a: 1\nb",
      "2:1: this line has no colon; expected \"key: value\" like its neighbours; "
        + "add the colon, or indent the line to continue the value above"
    ),
    ("a: b: c", "1:5: \(colon)"),
    ("a: 1\n b: 2", "2:3: \(colon)"),
    ("a: - b", "1:4: \(list)"),
    (
      "a: ? b",
      "1:4: \"? \" is not allowed here; expected a value; put a text with a question mark in quotes"
    ),
  ])
  func `a mistake in the structure is explained`(text: String, problem: String) {
    #expect(yaml(text).texts == [problem])
    #expect(yaml(text).root == nil)
  }

  @Test(arguments: [
    ("a: @x", "1:4: found \"@\", \(quotes)"),
    ("a: `x", "1:4: found \"`\", \(quotes)"),
    ("[%a]", "1:2: found \"%\", \(quotes)"),
    ("a: 'x", "1:4: \(unclosed)"),
    ("a: \"x\n y\n", "1:4: \(unclosed)"),
    ("\"a\n---\nb\"", "1:1: \(unclosed)"),
    (
      "a: \"\\q\"",
      "1:5: this backslash begins no escape; expected one of YAML's, such as \\n or \\\"; "
        + "write a backslash as \\\\, or use single quotes"
    ),
    ("a: \"\\xZZ\"", "1:7: \(digits)"),
    (
      "a: \"\\uD800\"",
      "1:7: this escape is no character; expected a Unicode scalar value; "
        + "write the character itself, or one escape for all of it"
    ),
    ("a: |x\n", "1:5: found \"x\" \(header)"),
    ("a: |0\n x", "1:5: found \"0\" \(header)"),
    ("a: >10\n x", "1:6: found \"0\" \(header)"),
    ("a: &x!", "1:6: found \"!\" in a name after \"&\"; \(name)"),
    ("a: *\nb: 1", "1:5: found the end of the line in a name after \"*\"; \(name)"),
    ("a: &", "1:5: found the end of the text in a name after \"&\"; \(name)"),
    ("a: !<x", "1:7: \(tag)"),
    ("a: !<x>y", "1:8: \(tag)"),
    ("a: !%zz", "1:5: \(tag)"),
    (
      "a: !x!y z",
      "1:4: this tag has a prefix that is not defined; expected none, or !!str before a scalar; "
        + "remove it, or put the text in quotes"
    ),
  ])
  func `a mistake in a scalar or a name is explained`(text: String, problem: String) {
    #expect(yaml(text).texts == [problem])
    #expect(yaml(text).root == nil)
  }

  @Test(arguments: [
    ("%FOO 1\n---\na", "1:5"), ("%YAML 2.0\n---\na", "1:1"), ("%YAML\n---\n", "1:6"),
    ("%YAML 1.1\n%YAML 1.1\n---\na", "2:1"), ("%TAG\n", "1:5"), ("%YAML 1.1\na", "2:1"),
    ("%TAG !a! t:\n%TAG !a! t:\n---\na", "2:1"), ("%YAML 1.1 x\n---\n", "1:11"),
    ("%TAG !x t\n---\n", "1:8"), ("%TAG !x! %\n---\n", "1:10"), ("%\n---\n", "1:2"),
  ])
  func `a directive that is not understood is one problem`(text: String, position: String) {
    #expect(yaml(text).texts == ["\(position): \(directive)"])
  }

  @Test(arguments: [
    ("a: \u{1}", "1:4", "0001"), ("é: \"\u{7F}\"", "1:5", "007F"), ("a:\n  \0", "2:3", "0000"),
    ("\u{FFFE}", "1:1", "FFFE"), ("a\r\n\u{1B}", "2:1", "001B"),
  ])
  func `a character that YAML forbids is named`(text: String, position: String, code: String) {
    #expect(
      yaml(text).texts == [
        "\(position): the character U+\(code) is not allowed in YAML; expected printable text; "
          + "remove it, or write it as an escape in a string in double quotes"
      ])
  }

  @Test func `what another version of libyaml may say is passed on`() {
    let message = YAMLSyntaxError.message(
      "found a fish", context: "while scanning the sea", found: "x", start: .start)

    #expect(
      message == "this is not YAML (found a fish); expected a scalar, a list or a mapping; "
        + "put texts in quotes")
  }
}
