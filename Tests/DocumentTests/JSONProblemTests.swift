import Document
import Testing
import Tree

@testable import Document

private let value = "expected a JSON value; write one here, or remove what asks for it"
private let key = "expected a key in double quotes; write it as \"key\": value"
private let more = "expected nothing more; remove it, or make one list of all"
private let end = "expected its end; add the closing bracket"
private let add = "add the one that is missing"
private let quote = "found a single quote; expected strings in double quotes; replace it"
private let comment =
  "found a comment; expected only values, because JSON has no comments; remove it"
private let unclosed =
  "the string does not end on its line; expected a double quote; "
  + "add it, or write a line break as \\n"
private let escapes =
  "is no escape; expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u; write a backslash as \\\\"
private let digits =
  "\\u has too few digits; expected four hexadecimal digits; fill up with zeros, as in \\u000A"
private let half =
  "this is half of a surrogate pair; expected both halves in order; "
  + "write the character itself, or the other half next to it"
private let word =
  "is no JSON value; expected true, false, null, a number or a string; "
  + "put a string in double quotes"
private let number =
  "is no JSON number; expected digits as in -1.5e3; "
  + "write it without plus sign, leading zeros or a bare point"
private let infinite =
  "is too large or no number; numbers must be finite; write a finite one, or a string in quotes"
private let nul = "the key contains the character U+0000; expected a key without it; rename the key"

private func control(_ code: String) -> String {
  "found the control character U+\(code) in a string; expected an escape; write it as \\u\(code)"
}

private func twice(_ key: String, _ first: String) -> String {
  "key \"\(key)\" occurs twice, first at \(first); expected each key once; "
    + "remove or rename one of the two"
}

@Suite struct JSONProblemTests {
  @Test(arguments: [
    ("", "1:1: the text is empty; expected a JSON value; write one, at least null"),
    (" \n", "2:1: the text is empty; expected a JSON value; write one, at least null"),
    ("[1,2", "1:5: the text ends inside the list that begins at 1:1; \(end)"),
    ("[[]", "1:4: the text ends inside the list that begins at 1:1; \(end)"),
    ("[1,", "1:4: the text ends inside the list that begins at 1:1; \(end)"),
    ("{\"a\":{", "1:7: the text ends inside the mapping that begins at 1:6; \(end)"),
    ("{\"a\"", "1:5: the text ends inside the mapping that begins at 1:1; \(end)"),
    ("{\"a\":", "1:6: the text ends inside the mapping that begins at 1:1; \(end)"),
    ("{\"a\":1,", "1:8: the text ends inside the mapping that begins at 1:1; \(end)"),
    ("]", "1:1: found \"]\"; \(value)"),
    ("[,1]", "1:2: found \",\"; \(value)"),
    ("{\"a\":}", "1:6: found \"}\"; \(value)"),
    ("[\u{B}1]", "1:2: found \"\\u000B\"; \(value)"),
    ("[1,\0]", "1:4: found \"\\u0000\"; \(value)"),
    ("[1,]", "1:4: found \"]\" after a comma; expected another value; remove the comma"),
    ("{\"a\":1,}", "1:8: found \"}\" after a comma; expected another value; remove the comma"),
    ("{a:1}", "1:2: found \"a\"; \(key)"),
    ("{,}", "1:2: found \",\"; \(key)"),
    (
      "{\"a\" 1}",
      "1:6: found \"1\" after the key \"a\"; expected a colon; write it between key and value"
    ),
    ("[1 2]", "1:4: found \"2\" after a value; expected a comma or \"]\"; \(add)"),
    ("{\"a\":[1,2}", "1:10: found \"}\" after a value; expected a comma or \"]\"; \(add)"),
    ("{\"a\":1]", "1:7: found \"]\" after a value; expected a comma or \"}\"; \(add)"),
    ("\"é\" x1", "1:5: found \"x1\" after the end of the value; \(more)"),
    ("[]]", "1:3: found \"]\" after the end of the value; \(more)"),
    ("{'a':1}", "1:2: \(quote)"),
    ("[1,'a']", "1:4: \(quote)"),
    ("// c\n1", "1:1: \(comment)"),
    ("[1,/*x*/2]", "1:4: \(comment)"),
    ("1 # c", "1:3: \(comment)"),
    ("\"abc", "1:1: \(unclosed)"),
    ("[\"a\nb\"]", "1:2: \(unclosed)"),
    ("\"\\\"", "1:1: \(unclosed)"),
    ("\"\\", "1:1: \(unclosed)"),
  ])
  func `a mistake in the structure ends the reading`(text: String, problem: String) {
    #expect(json(text).texts == [problem])
    #expect(json(text).root == nil)
    #expect(thrown(by: text) == problem)
  }

  @Test(arguments: [
    ("\"é\\q\"", ["1:3: \"\\q\" \(escapes)"]),
    ("\"\\\t\"", ["1:2: \"\\\\u0009\" \(escapes)"]),
    ("\"\\é\"", ["1:2: \"\\é\" \(escapes)"]),
    ("\"\\u12\"", ["1:2: \(digits)"]),
    ("\"\\u+123\"", ["1:2: \(digits)"]),
    ("\"\\u12x4\"", ["1:2: \(digits)"]),
    ("\"\\n\\ud800\"", ["1:4: \(half)"]),
    ("\"\\ud800\\u0041\"", ["1:2: \(half)"]),
    ("\"\\ud800\\ud800\"", ["1:2: \(half)"]),
    ("\"\\ud800x\\q\"", ["1:2: \(half)"]),
    ("\"\\u0041\\udc00\"", ["1:8: \(half)"]),
    ("\"a\tb\"", ["1:3: \(control("0009"))"]),
    ("\"\0\"", ["1:2: \(control("0000"))"]),
    ("{\"a\\u0000\":1}", ["1:2: \(nul)"]),
    ("nul", ["1:1: \"nul\" \(word)"]),
    ("True", ["1:1: \"True\" \(word)"]),
    ("é", ["1:1: \"é\" \(word)"]),
    ("\u{2028}", ["1:1: \"\\u2028\" \(word)"]),
    (
      "a" + String(repeating: "b", count: 50),
      ["1:1: \"a\(String(repeating: "b", count: 39))…\" \(word)"]
    ),
    ("01", ["1:1: \"01\" \(number)"]),
    ("+1", ["1:1: \"+1\" \(number)"]),
    ("1.", ["1:1: \"1.\" \(number)"]),
    (".5", ["1:1: \".5\" \(number)"]),
    ("-", ["1:1: \"-\" \(number)"]),
    ("1e", ["1:1: \"1e\" \(number)"]),
    ("0x10", ["1:1: \"0x10\" \(number)"]),
    ("1\0", ["1:2: found \"\\u0000\" after the end of the value; \(more)"]),
    (
      "[NaN,Infinity,-Infinity]",
      [
        "1:2: \"NaN\" \(infinite)", "1:6: \"Infinity\" \(infinite)",
        "1:15: \"-Infinity\" \(infinite)",
      ]
    ),
    (
      "[1e400,\"\\q\",tru]",
      [
        "1:2: \"1e400\" \(infinite)", "1:9: \"\\q\" \(escapes)", "1:13: \"tru\" \(word)",
      ]
    ),
    (
      "{\"a\":1,\"\\u0061\":2,\"b\":0,\"a\":3}",
      [
        "1:8: \(twice("a", "1:2"))", "1:25: \(twice("a", "1:2"))",
      ]
    ),
  ])
  func `bad tokens and keys are all told`(text: String, problems: [String]) {
    #expect(json(text).texts == problems)
    #expect(thrown(by: text) == problems.first)
  }

  @Test func `what jansson alone refuses is passed on`() {
    let outcomes: [Jansson.Outcome] = [.refused("out of memory"), .tooDeep]
    let errors = outcomes.map { outcome in
      #expect(throws: DocumentError.self) { try outcome.value(of: Array("1".utf8)) }
    }

    #expect(
      errors.map { $0?.description } == [
        "1:1: the text was not accepted (out of memory); expected JSON; "
          + "write it in its plainest form",
        "1:1: the text was not accepted (tooDeep); expected JSON; write it in its plainest form",
      ])
  }

  private func thrown(by text: String) -> String? {
    do throws(DocumentError) {
      _ = try JSON(parsing: text)
      return nil
    } catch {
      return error.description
    }
  }
}
