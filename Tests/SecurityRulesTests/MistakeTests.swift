import Testing

@testable import SecurityRules

@Suite struct MistakeTests {
  @Test func `a mistake in an expression is located inside it`() {
    let text = """
      {
        // who may write
        "rules": {
          "room": {".write": "auth != null &&
                    atuh.uid == 'x'", /* and
                    so on */ ".read": "a\\"\\u00e9 b"}
        }
      }
      """

    #expect(
      Harness.mistakes(text) == [
        "5:15: .write, character 31: unknown variable \"atuh\"; did you mean \"auth\"?",
        "6:35: .read, character 2: this string has no end; expected \" behind it; add it",
      ])
  }

  @Test(
    arguments: [
      ("newDta.exists()", 1, "unknown variable \"newDta\"; did you mean \"newData\"?"),
      (
        "$other == 'a'", 1,
        "unknown variable \"$other\"; expected one of auth, now, root, data, newData, $room"
      ),
      (
        "query.limitToFirst == 1", 1,
        "a .write rule has no query; expected one of auth, now, root, data, newData, $room"
      ),
      (
        "1 +", 4,
        "unexpected the end of the expression; expected a variable or a value; add it, or remove this"
      ),
      (
        "(true", 6,
        "unexpected the end of the expression; expected \")\" behind what is in parentheses; add it"
      ),
      (
        "true true", 6,
        "unexpected \"true\"; expected an operator or the end; remove it, or join the parts with && or"
          + " ||"
      ),
      ("data.exits()", 6, "unknown method \"exits\"; did you mean \"exists\"?"),
      (
        "true ? true", 12,
        "unexpected the end of the expression; expected \":\" between the two"
          + " outcomes of a condition; add it"
      ),
      ("auth[1] == 2", 6, "the name of a member is a number; expected a string"),
      (
        "data.", 6,
        "unexpected the end of the expression; expected the name of a member behind the dot"
      ),
      ("12a > 1", 1, "\"12\" begins no number; expected one such as 12 or 0.5"),
      (
        "'\\\\u00g'", 2, "\\u00 names no character; expected 4 hexadecimal digits"
      ),
      ("'abc", 1, "this string has no end; expected ' behind it; add it"),
      (
        "#", 1,
        "unexpected character \"#\"; expected a variable, a value or an operator; remove it,"
          + " or put text in quotes"
      ),
      ("'a'.matches(/a", 13, "this regular expression has no end; expected / behind it; add it"),
      ("'a'.matches(/a/g)", 16, "unknown flag \"g\" of a regular expression; expected i, or none"),
      ("'a'", 1, "the .write rule is a string; expected a boolean"),
      ("data", 1, "the .write rule is a location; expected a boolean; use val() for what is there"),
      (
        "data == 1", 1,
        "the left side of == is a location; expected a value; use val() for what is there"
      ),
      ("1 && true", 1, "the left side of && is a number; expected a boolean"),
      ("true || 'a'", 9, "the right side of || is a string; expected a boolean"),
      ("!1", 2, "what follows ! is a number; expected a boolean"),
      ("-'a' > 1", 2, "what follows - is a string; expected a number"),
      ("true < 1", 1, "the left side of < is a boolean; expected a number or a string"),
      ("'a' * 2 > 1", 1, "the left side of * is a string; expected a number"),
      ("1 ? true : false", 1, "what precedes ? is a number; expected a boolean"),
      (
        "data.matches(/a/)", 6,
        "matches() is a method of a string, and this is a location; use val()"
          + " for what is there"
      ),
      ("data.child(1).exists()", 12, "the argument of child() is a number; expected a string"),
      ("data.child().exists()", 6, "child() has 0 arguments; expected 1"),
      ("data.hasChildren([1])", 19, "an element of this list is a number; expected a string"),
      ("now.length > 1", 5, "a number has no member \"length\""),
    ] as [(String, Int, String)])
  func `a mistake in an expression is explained`(
    expression: String, character: Int, message: String
  ) {
    let text = "{\"rules\":{\"$room\":{\".write\":\"\(expression)\"}}}"

    #expect(
      Harness.mistakes(text) == [
        "1:\(29 + character): .write, character \(character): \(message)"
      ])
  }

  @Test(
    arguments: [
      ("(a", 3, "a group has no end; expected ) behind it; add it"),
      ("a)", 2, "a ) without (; expected none; add \\ before it"),
      ("[z-a]", 5, "the range z-a runs backwards; expected the smaller one first"),
      ("*a", 1, "nothing to repeat before *; expected a character; add \\ before it"),
      (
        "a^", 2,
        "^ is not at the beginning of the pattern; expected it there only; add \\ before it"
      ),
      ("a$b", 3, "$ is not at the end of the pattern; expected it there only; add \\ before it"),
      ("a{x}", 3, "{ begins no repetition; expected {2}, {2,} or {2,5}; add \\ before it"),
      ("a{3,2}", 6, "this is no repetition; expected {2}, {2,} or {2,5}"),
      ("(a{999}){9}", 12, "the pattern has more than 5000 steps; expected a smaller one"),
    ] as [(String, Int, String)])
  func `a mistake in a regular expression is explained`(
    pattern: String, character: Int, message: String
  ) {
    let text = "{\"rules\":{\".write\":\"'a'.matches(/\(pattern)/)\"}}"
    let offset = 13 + character

    #expect(
      Harness.mistakes(text) == [
        "1:\(20 + offset): .write, character \(offset): \(message)"
      ])
  }

  @Test(
    arguments: [
      ("[]", "1:1: there are no rules; expected {\"rules\": {...}}"),
      ("{\"rules\":{},\"x\":1}", "1:13: unknown key \"x\"; expected \"rules\" alone"),
      (
        "{\"rules\":1}",
        "1:10: the rules of a location are no mapping; expected {\".read\": ..., \"KEY\": {...}}"
      ),
      ("{\"rules\":{\".raed\":true}}", "1:11: unknown rule \".raed\"; did you mean \".read\"?"),
      (
        "{\"rules\":{\".read\":1}}",
        "1:19: a .read rule is true, false or an expression in quotes"
      ),
      (
        "{\"rules\":{\".indexOn\":1}}",
        "1:22: .indexOn is the path of a child or \".value\", or a list of such texts"
      ),
      (
        "{\"rules\":{\"$a\":{},\"$b\":{}}}",
        "1:19: a location has one key that begins with $, and $a is there already; remove one of them"
      ),
      (
        "{\"rules\":{\"$a\":{\"$a\":{}}}}",
        "1:17: $a is the name of a key above too; expected another name"
      ),
    ] as [(String, String)])
  func `a mistake in the tree of rules is explained`(text: String, message: String) {
    #expect(Harness.mistakes(text) == [message])
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
