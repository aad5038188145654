import Testing

struct PatternMistakeTests {
  @Test(arguments: patterns)
  func `mistakes in matchers are told with their places`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  static let patterns = [
    Mistake(
      steps: ["expect: {server: $anny}"],
      """
      6:22: unknown matcher "$anny"; expected $any, $pushId, $serverTime, $type, $oneOf, $not, \
      $subset, $unordered, $each, $gte, $lte, $approx, $bind, $ref or $exactly, or {$exactly: \
      TEXT} for a text like this; did you mean $any?
      """),
    Mistake(
      steps: ["expect: {server: $gte}"],
      "6:22: $gte has no argument; expected {$gte: ARGUMENT}"),
    Mistake(
      steps: ["expect: {server: {$gtee: 1}}"],
      """
      6:23: unknown matcher "$gtee"; expected $any, $pushId, $serverTime, $type, $oneOf, $not, \
      $subset, $unordered, $each, $gte, $lte, $approx, $bind, $ref or $exactly, or {$exactly: \
      TEXT} for a text like this; did you mean $gte?
      """),
    Mistake(
      steps: ["expect: {server: {$any: 1}}"],
      "6:29: $any takes no arguments; expected {} or nothing behind it"),
    Mistake(
      steps: ["expect: {server: {$any: {}, a: 1}}"],
      "6:33: child \"a\" is beside a matcher; expected matchers alone, or $subset"),
    Mistake(
      steps: ["expect: {server: {$gte: many}}"],
      "6:29: $gte is a string; expected a number"),
    Mistake(
      steps: ["expect: {server: {$type: text}}"],
      "6:30: unknown $type \"text\"; expected null, boolean, number, string or mapping"),
    Mistake(
      steps: ["expect: {server: {$oneOf: [1]}}"],
      "6:31: $oneOf is [1]; expected a list of at least two values"),
    Mistake(
      steps: ["expect: {server: {$unordered: 1}}"],
      "6:35: $unordered is 1; expected a list of values"),
    Mistake(
      steps: ["expect: {server: {$subset: {}}}"],
      "6:32: $subset is {}; expected a mapping with children"),
    Mistake(
      steps: ["expect: {server: {$approx: 5}}"],
      "6:32: $approx is a number; expected a mapping with the keys value, tolerance"),
    Mistake(
      steps: ["expect: {server: {$approx: {value: 5}}}"],
      "6:32: $approx has no tolerance; expected tolerance: ..."),
    Mistake(
      steps: ["expect: {server: {$approx: {value: 5, tolerance: -1}}}"],
      "6:54: the tolerance is negative; expected a number from 0 up"),
    Mistake(
      steps: ["expect: {server: {$ref: id}}"],
      "6:29: nothing has the name id yet; expected {$bind: id} before"),
    Mistake(
      steps: ["alice.remove: a/$ref(id)"],
      "6:19: nothing has the name id yet; expected {$bind: id} before"),
    Mistake(
      steps: ["expect: {server: {a: {$bind: time}, b: {$ref: tim}}}"],
      "6:51: nothing has the name tim yet; expected {$bind: tim} before; did you mean time?"),
    Mistake(
      steps: ["expect: {server: {a: {$bind: x}, b: {$bind: x}}}"],
      "6:49: $bind names x again; expected $ref"),
    Mistake(
      steps: ["expect: {server: {$bind: 'a b'}}"],
      "6:30: \"a b\" cannot be a name; expected a letter, then letters, digits, - and _"),
    Mistake(
      steps: ["expect: {server: {a: {.sv: timestamp}}}"],
      "6:27: clients never show a server value; expected $serverTime or a number"),
    Mistake(
      steps: ["expect: {server: {a: {.valeu: 1}}}"],
      "6:27: unknown key \".valeu\"; expected .value or .priority; did you mean .value?"),
    Mistake(
      steps: ["expect: {server: {a.b: 1}}"],
      "6:23: key \"a.b\" contains \".\"; keys may not contain . # $ [ ] /"),
  ]

  @Test(arguments: matrix)
  func `mistakes in a matrix are told with their places`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  static let matrix = [
    Mistake(
      setup: "matrix: {}",
      "5:9: the matrix is empty; expected names with lists of values"),
    Mistake(
      setup: "matrix: [1]",
      "5:9: matrix is a list; expected a mapping from names to lists of values"),
    Mistake(
      setup: "matrix: {limit: []}",
      """
      5:10: parameter limit is not used; expected $(limit) in some string
      5:17: parameter limit is an empty list; expected a list of values
      """),
    Mistake(
      setup: "matrix: {limit: [1, 2]}",
      "5:10: parameter limit is not used; expected $(limit) in some string"),
    Mistake(
      setup: """
        matrix: {limit: [1, 1]}
        why: at $(limit)
        """,
      "5:21: 1 is given twice for limit; expected each value once"),
    Mistake(
      setup: """
        matrix: {limit: [[1]]}
        why: at $(limit)
        """,
      "5:18: a value of limit is a list; expected a scalar"),
    Mistake(
      setup: "why: $(limit)",
      "5:6: unknown parameter $(limit); expected a matrix with it"),
    Mistake(
      setup: """
        matrix: {limit: [1]}
        why: $(limit) $(limt)
        """,
      "6:6: unknown parameter $(limt); expected limit; did you mean limit?"),
    Mistake(
      setup: "matrix: {a b: [1]}",
      """
      5:10: "a b" cannot be the name of a parameter; expected a letter, then letters, digits, - \
      and _
      """),
    Mistake(
      setup: """
        matrix: {n: [1, 2]}
        data: {$(n): 1, '2': 2}
        """,
      "6:17: key \"2\" occurs twice; expected each key once"),
  ]
}
