import Document
import Testing

@testable import YAML

private let tab = "found a tab where YAML indents; expected spaces; replace the tab with spaces"

/// Characters that cannot be seen; other mistakes in the syntax are in files.
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
