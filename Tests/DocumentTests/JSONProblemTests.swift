import Document
import TestKit
import Testing
import Tree

@testable import Document

@Suite struct JSONProblemTests {
  @Test(arguments: try Mistake.files(of: "json"))
  func `every mistake is told, and one in the structure ends the reading`(
    mistake: Mistake
  ) throws {
    let text = try mistake.text
    let read = json(text)

    try mistake.check(read.texts)
    #expect(thrown(by: text) == read.texts.first)
    #expect((read.root == nil) == mistake.file.contains("/structure/"))
  }

  @Test(arguments: [
    (" \n", "2:1: the text is empty; expected a JSON value; write one, at least null"),
    (
      "[\u{B}1]",
      "1:2: found \"\\u000B\"; expected a JSON value; write one here, or remove what asks for it"
    ),
    (
      "[1,\0]",
      "1:4: found \"\\u0000\"; expected a JSON value; write one here, or remove what asks for it"
    ),
    (
      "1\0",
      "1:2: found \"\\u0000\" after the end of the value; expected nothing more; remove it, or make "
        + "one list of all"
    ),
    (
      "\"\\\t\"",
      "1:2: \"\\\\u0009\" is no escape; expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u; write "
        + "a backslash as \\\\"
    ),
    ("\"a\tb\"", "1:3: \(control("0009"))"), ("\"\0\"", "1:2: \(control("0000"))"),
    (
      "\u{2028}",
      "1:1: \"\\u2028\" is no JSON value; expected true, false, null, a number or a string; put a "
        + "string in double quotes"
    ),
  ])
  func `characters that cannot be seen are told by their codes`(text: String, problem: String) {
    #expect(json(text).texts == [problem])
    #expect(thrown(by: text) == problem)
  }

  @Test(arguments: [" \n", "[\u{B}1]", "[1,\0]"])
  func `characters that cannot be seen end the reading in the structure`(text: String) {
    #expect(json(text).root == nil)
  }

  private static func control(_ code: String) -> String {
    "found the control character U+\(code) in a string; expected an escape; write it as \\u\(code)"
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
