import Scenario
import Testing
import Tree

struct PatternMatchingTests {
  struct Match: Sendable {
    var pattern: Pattern
    var value: JSON

    init(_ pattern: Pattern, _ value: JSON) {
      self.pattern = pattern
      self.value = value
    }
  }

  @Test(arguments: matches)
  func `a value matches`(match: Match) {
    var bindings = Bindings()

    #expect(match.pattern.matches(match.value, bindings: &bindings))
  }

  struct Difference: Sendable {
    var match: Match
    var reason: String

    init(_ pattern: Pattern, _ value: JSON, _ reason: String) {
      match = Match(pattern, value)
      self.reason = reason
    }
  }

  @Test(arguments: differences)
  func `a mismatch says where and why`(difference: Difference) {
    var bindings = Bindings()
    let node = Node(json: difference.match.value)

    let mismatch = difference.match.pattern.mismatch(with: node, bindings: &bindings)

    #expect(mismatch?.description == difference.reason)
    #expect(bindings == Bindings())
  }

  @Test func `a name keeps the value of its first match`() {
    var bindings = Bindings()

    #expect(Pattern.bind("id").matches("a", bindings: &bindings))
    #expect(Pattern.ref("id").matches("a", bindings: &bindings))
    #expect(!Pattern.ref("id").matches("b", bindings: &bindings))
    #expect(bindings.values == ["id": Node("a")])
  }

  @Test func `names of an assignment that fails are forgotten`() {
    let pattern = Pattern.unordered([.all([.bind("x"), .gte(1)]), .all([.ref("x"), .lte(2)])])
    var bindings = Bindings()

    #expect(pattern.matches(["a": 3, "b": 2, ".priority": 1], bindings: &bindings) == false)
    #expect(pattern.matches(["a": 2, "b": 2], bindings: &bindings))
    #expect(bindings.values == ["x": Node(2)])
  }

  @Test func `server times lie in the time of the run`() {
    var bindings = Bindings(serverTimes: [1000...2000])

    #expect(Pattern.serverTime.matches(1500, bindings: &bindings))
    #expect(!Pattern.serverTime.matches(2001, bindings: &bindings))
  }
}

extension PatternMatchingTests {
  static let matches: [Match] = [
    Match(.exactly(1), 1.0),
    Match(.exactly(["a": 1, "b": .null]), ["a": 1]),
    Match(.exactly(.null), [:]),
    Match(.exactly([1, 2]), ["0": 1, "1": 2]),
    Match(.any, .null),
    Match(.any, 5),
    Match(.mapping([.init("a", .any), .init("b", .any)]), ["a": 1]),
    Match(.mapping([.init(".value", .gte(1)), .init(".priority", .any)]), 2),
    Match(
      .mapping([.init(".value", .any), .init(".priority", .exactly(3))]),
      [".value": 2, ".priority": 3]),
    Match(.type(.mapping), ["a": 1]),
    Match(.type(.null), .null),
    Match(.type(.boolean), false),
    Match(.type(.string), "a"),
    Match(.oneOf([.exactly(1), .exactly(2)]), 2),
    Match(.not(.exactly(1)), 2),
    Match(.subset([.init("a", .exactly(1))]), ["a": 1, "b": 2]),
    Match(.unordered([.any, .exactly(1)]), ["a": 1, "b": 2]),
    Match(.each(.gte(1)), ["a": 1, "b": 2]),
    Match(.gte(1), 1),
    Match(.lte(1), 1),
    Match(.approx(1, tolerance: 0.5), 1.5),
    Match(.serverTime, 1_480_000_000_000),
    Match(.pushID, "-JRHTHaIs-jNPLXOQivY"),
    Match(.all([.gte(1), .lte(2)]), 1.5),
    Match(.mapping([.init("a", .bind("x")), .init("b", .ref("x"))]), ["a": 1, "b": 1]),
  ]

  static let differences: [Difference] = [
    Difference(.exactly(1), 2, "expected 1, observed 2"),
    Difference(
      .exactly(["a": ["b": 1, "c": 2]]), ["a": ["b": 1, "c": 3]],
      "at a/c: expected 2, observed 3"),
    Difference(.exactly(["a": 1]), ["a": 1, "b": 2], "at b: expected nothing, observed 2"),
    Difference(
      .exactly(["a": 1, ".priority": 2]), ["a": 1], "at .priority: expected 2, observed nothing"),
    Difference(.exactly(["a": 1]), 5, #"expected {"a":1}, observed 5"#),
    Difference(.mapping([.init("a", .any)]), ["b": 1], "at b: expected nothing, observed 1"),
    Difference(.mapping([.init("a", .any)]), 1, "expected a mapping, observed 1"),
    Difference(
      .mapping([.init("a", .any)]), ["a": 1, ".priority": 1],
      "at .priority: expected nothing, observed 1"),
    Difference(.type(.mapping), 1, "expected a mapping, observed 1"),
    Difference(.oneOf([.exactly(1), .exactly(2)]), 3, #"expected {"$oneOf":[1,2]}, observed 3"#),
    Difference(.not(.exactly(.null)), .null, "expected anything but nothing, observed nothing"),
    Difference(.subset([.init("a", .exactly(1))]), ["b": 1], "at a: expected 1, observed nothing"),
    Difference(
      .unordered([.exactly(1)]), ["a": 1, "b": 2], #"expected 1 child, observed {"a":1,"b":2}"#),
    Difference(
      .unordered([.exactly(1), .exactly(3)]), ["a": 1, "b": 2],
      #"expected {"$unordered":[1,3]}, observed {"a":1,"b":2}"#),
    Difference(.each(.gte(1)), ["a": 1, "b": 0], "at b: expected a number >= 1, observed 0"),
    Difference(.each(.any), .null, "expected children, observed nothing"),
    Difference(.lte(1), "a", #"expected a number <= 1, observed "a""#),
    Difference(.approx(1, tolerance: 0.5), 2, "expected 1 within 0.5, observed 2"),
    Difference(.pushID, "short", #"expected a push id, observed "short""#),
    Difference(.serverTime, 0.5, "expected a time by the server's clock, observed 0.5"),
    Difference(.ref("x"), 1, "expected the value named x, which nothing has yet, observed 1"),
    Difference(
      .mapping([.init("a", .bind("x")), .init("b", .ref("x"))]), ["a": 1, "b": 2],
      "at b: expected 1 (named x), observed 2"),
  ]
}
