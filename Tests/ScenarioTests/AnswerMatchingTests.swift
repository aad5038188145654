import Scenario
import Testing
import Tree

struct AnswerMatchingTests {
  static let matches: [(Pattern, JSON)] = [
    (.exactly(.null), .null), (.exactly([1, .null]), [1, .null]), (.any, .null),
    (.exactly(["a": 1, "b": 2]), ["b": 2, "a": 1]), (.exactly(["a": .object([])]), ["a": [:]]),
    (.list([.any, .gte(1)]), ["x", 1]), (.list([]), []), (.mapping([.init("a", .any)]), ["a": 1]),
    (.subset([.init("a", .lte(1))]), ["a": 1, "b": 2]),
    (.unordered([.gte(1), .exactly(1)]), [1, 2]),
    (.each(.type(.string)), ["a", "b"]), (.each(.type(.number)), ["a": 1]),
    (.oneOf([.exactly(.null), .exactly("")]), ""), (.not(.exactly(.null)), 0),
    (.all([.gte(1), .lte(2)]), 2), (.type(.null), .null), (.type(.mapping), ["a": 1]),
    (.type(.boolean), false), (.approx(1, tolerance: 0.5), 1.5),
    (.pushID, "-KdzI7I-AsBST9NlasJM"), (.list([.bind("x"), .ref("x")]), ["a", "a"]),
  ]

  @Test(arguments: matches)
  func `an answer matches`(pattern: Pattern, answer: JSON) {
    var bindings = Bindings()

    #expect(pattern.matches(answer: answer, bindings: &bindings))
  }

  static let mismatches: [(Pattern, JSON)] = [
    (.exactly([1, 2]), ["0": 1, "1": 2]), (.exactly(.null), [:]), (.exactly(["a": .null]), [:]),
    (.list([.any]), ["0": 1]), (.list([.any]), []), (.mapping([.init("a", .any)]), [:]),
    (.mapping([.init("a", .any)]), ["a": 1, "b": 2]), (.mapping([]), []),
    (.subset([.init("a", .any)]), ["b": 1]), (.unordered([.gte(1)]), [1, 2]), (.unordered([]), 5),
    (.each(.any), []), (.each(.any), 5), (.oneOf([.exactly(1), .exactly(2)]), 3),
    (.not(.exactly(.null)), .null), (.all([.gte(1), .lte(2)]), 3), (.type(.mapping), []),
    (.type(.null), []), (.gte(1), [".value": 1]), (.serverTime, "now"), (.pushID, "short"),
    (.list([.bind("x"), .ref("x")]), ["a", "b"]), (.ref("y"), 1),
  ]

  @Test(arguments: mismatches)
  func `an answer does not match`(pattern: Pattern, answer: JSON) {
    var bindings = Bindings()

    #expect(!pattern.matches(answer: answer, bindings: &bindings))
    #expect(bindings == Bindings())
  }

  @Test func `a list matches a node as the mapping from its indices`() {
    var bindings = Bindings()

    #expect(Pattern.list([.gte(1), .any]).matches([1, 2], bindings: &bindings))
    #expect(Pattern.list([.gte(1), .any]).matches(["0": 1, "1": 2], bindings: &bindings))
    #expect(!Pattern.list([.gte(1)]).matches([1, 2], bindings: &bindings))
  }
}
