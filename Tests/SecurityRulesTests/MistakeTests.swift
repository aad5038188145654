import TestKit
import Testing

@testable import ReferenceServer

@Suite struct MistakeTests {
  @Test(arguments: try Mistake.files(of: "security-rules"))
  func `mistakes in rules are told with their places`(mistake: Mistake) throws {
    try mistake.check(Harness.mistakes(mistake.text))
  }

  @Test func `a set of characters without an end is a mistake of the pattern too`() {
    #expect(
      throws: ExpressionError(
        at: 2, "a set of characters has no end; expected ] behind it; add it")
    ) { try Pattern("[a", ignoresCase: false) }
  }

  @Test func `what is nested too deep or goes on too long is refused`() {
    func mistake(_ expression: String) -> String? {
      Harness.mistakes("{\"rules\":{\".write\":\"\(expression)\"}}").first.map {
        String($0.split(separator: ": ", maxSplits: 2)[2])
      }
    }
    func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    #expect(
      mistake(many("(", 201))
        == "the expression is nested deeper than 200 levels; expected a flatter one")
    #expect(
      mistake(many("!", 201))
        == "the expression is nested deeper than 200 levels; expected a flatter one")
    #expect(
      mistake("true" + many("||true", 200))
        == "more than 200 operators follow each other; expected less; use parentheses")
    #expect(
      mistake("auth" + many(".a", 200)) == "more than 200 members follow each other")
    #expect(
      mistake(many(" ", 16_385))
        == "the expression is longer than 16384 characters; expected a shorter one; move parts of it"
        + " to rules of their own")
    #expect(
      mistake("'a'.matches(/\(many("(", 51))/)")
        == "groups are nested deeper than 50 levels; expected less")
  }
}
