import ClientInterface
import TestKit
import Testing
import Tree

@Suite struct InspectionSentenceTests {
  /// The key of a/b, of which this outcome is expected.
  private static func key(
    _ expected: String, _ outputs: [ClientOutput], _ sentence: String
  ) -> SentenceCase {
    SentenceCase(
      """
        - alice.inspect: {path: a/b, ask: key, as: x}
          expect-now: {alice.x: {\(expected)}}
      """, ["x": outputs], sentence + "\non  alice.x = inspect key of /a/b")
  }

  static let sentences: [SentenceCase] = [
    key("answer: b", [.answered("x", "a")], "the client answered \"a\", expected \"b\""),
    key("answer: null", [.answered("x", "")], "the client answered \"\", expected null"),
    key("answer: [1]", [.answered("x", ["0": 1])], "the client answered {\"0\":1}, expected [1]"),
    key(
      "answer: {$type: string}", [.answered("x", 5)],
      "the client answered 5, expected {\"$type\":\"string\"}"),
    key("answer: $pushId", [.answered("x", 5)], "the client answered 5, expected $pushId"),
    key("answer: b", [], "the call did not end, expected answer \"b\""),
    key(
      "answer: b", [.threw("x", "invalid_path")],
      "the call ended with invalid_path thrown, expected answer \"b\""),
    key(
      "threw: invalid_path", [.answered("x", "b")],
      "the call ended with answer \"b\", expected invalid_path thrown"),
    key(
      "answer: b", [.answered("x", "b"), .answered("x", "b")],
      "the call ended a second time, with answer \"b\""),
  ]

  @Test(arguments: sentences) func `a difference in an answer is told`(
    example: SentenceCase
  ) throws {
    try example.check()
  }

  @Test(arguments: [
    (Inspection(.reference("a/b"), "key"), "inspect key of /a/b"),
    (Inspection(.reference("a"), of: "b/c", "url"), "inspect url of b/c in /a"),
    (Inspection(.address("https://h/a"), "root"), "inspect root of https://h/a"),
    (
      Inspection(.snapshot("feed"), of: "a", "hasChild", "b"),
      "inspect hasChild \"b\" of a in the snapshot of feed"
    ),
    (Inspection(.mutableData(1, changes: []), "value"), "inspect value of mutable data 1"),
    (
      Inspection(.mutableData(1, changes: [["value": 2]]), "value"),
      "inspect value of mutable data 1 after [{\"value\":2}]"
    ),
    (
      Inspection(.query("a", steps: [["limitToFirst": 1]]), "valid"),
      "inspect valid of the query [{\"limitToFirst\":1}] at /a"
    ),
  ])
  func `an inspection is named by what it asks of what`(inspection: Inspection, text: String) {
    #expect(inspection.description == text)
  }

  @Test func `an answer that nobody expects here is told`() throws {
    let sentence = try Kit.sentence(
      """
      clients: [alice]
      steps:
        - alice.inspect: {path: a, ask: key, as: x}
          expect-now: {}
        - expect: {alice.x: {answer: a}}
      """, script: ["x": [.answered("x", "a")]])

    #expect(
      sentence == """
        the call ended with answer "a", but no end was expected here
        on  alice.x = inspect key of /a
        """)
  }
}
