import Document
import Testing
import Tree

@Suite struct JSONReaderTests {
  @Test func `every value and key has its place`() {
    let read = json("{\"é😀\": [1, -0,\r\n true], \"b\\n\" : {\"c\":\n\"\\u00e9\"} , \"d\":null}")

    #expect(read.texts == [])
    #expect(
      read.root?.outline == """
        1:1 {1:2 é😀: 1:8 [1:9 1, 1:12 -0, 2:2 true], 2:9 b\n: 2:17 {2:18 c: 3:1 "é"}, \
        3:13 d: 3:17 null}
        """)
  }

  @Test(arguments: [
    ("null", "null"), ("true", "true"), (" [ ] ", "[]"), ("{}", "{}"), ("\"\"", "\"\""),
    ("-0", "-0"), ("-0.0", "-0"), ("1e3", "1000"), ("1E-2", "0.01"), ("1e-400", "0"),
    ("123456789012345678901234567890", "1.2345678901234568e+29"),
    ("9007199254740993", "9007199254740992"),
    ("\"\\u0000\"", "\"\\u0000\""), ("\"\\ud83d\\ude00\"", "\"😀\""), ("\"\\/\"", "\"/\""),
    ("\"\\\\\"", "\"\\\\\""), ("\"\\\"\"", "\"\\\"\""), ("\u{FEFF}[1]", "[1]"),
    ("{\"b\":1,\"a\":2,\"c\":3}", "{\"b\":1,\"a\":2,\"c\":3}"),
    ("{\"é\":1,\"e\u{301}\":2}", "{\"é\":1,\"e\u{301}\":2}"), ("{\"\":1}", "{\"\":1}"),
  ])
  func `both ways of reading give the same value`(text: String, value: String) throws {
    #expect(json(text).texts == [])
    #expect(json(text).root?.json.text == value)
    #expect(try JSON(parsing: text).text == value)
    #expect(try JSON(parsing: Array(text.utf8)).text == value)
  }

  @Test func `many members keep the order of the text`() throws {
    let names = (0..<5000).map { "k\(($0 * 7919) % 5000)" }
    let text = "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}"

    #expect(try JSON(parsing: text).members?.map(\.name) == names)
  }

  @Test func `a mistake is thrown with its place`() {
    let error = #expect(throws: DocumentError.self) { try JSON(parsing: "{\"a\":\n}") }

    #expect(
      error?.description
        == "2:1: found \"}\"; expected a JSON value; write one here, or remove what asks for it")
    #expect(error?.position == Position(line: 2, column: 1))
  }
}
