import Testing

struct InspectionMistakeTests {
  @Test(arguments: subjects + questions + outcomes)
  func `mistakes in inspections are told with their places`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  /// The mistakes of an inspection named x, whose arguments begin at column 20 of line 7.
  private static func inspect(_ arguments: String, _ expected: String) -> Mistake {
    Mistake(
      steps: [
        "alice.listen: {path: room, as: feed}", "alice.inspect: {\(arguments), as: x}",
        "expect: {alice.x: {answer: 1}}",
      ], expected)
  }

  static let subjects = [
    inspect(
      "ask: key", "7:20: nothing is inspected; expected path, url, snapshot, completion or mutable"),
    inspect(
      "path: a, snapshot: feed, ask: key",
      "7:30: path and snapshot are both given; expected one of them"),
    inspect("path: 5, ask: key", "7:27: path is a number; expected a string; put it in quotes"),
    inspect("url: [a], ask: key", "7:26: url is a list; expected a string"),
    inspect(
      "snapshot: fed, ask: key",
      "7:31: unknown listener \"fed\"; expected feed or x; did you mean feed?"),
    inspect(
      "path: a, nth: 2, ask: key",
      "7:30: nth stands beside path; expected it beside snapshot alone"),
    inspect(
      "snapshot: feed, nth: 0, ask: key", "7:42: nth is 0; expected a whole number from 1 up"),
    inspect("completion: feed, ask: key", "7:33: feed is a listener; expected the name of a call"),
    inspect(
      "completion: y, ask: key", "7:33: unknown call \"y\"; expected feed or x; did you mean x?"),
    inspect("snapshot: x, ask: key", "7:31: x is a call; expected the name of a listener"),
    inspect(
      "mutable: {.foo: 1}, ask: key",
      "7:31: unknown key \".foo\"; expected .value, .priority or .sv"
    ),
    inspect(
      "mutable: 1, changes: [{child: a}], ask: key",
      "7:43: a change has neither value nor priority; expected one of them"),
    inspect(
      "mutable: 1, changes: [{value: 1, priority: 2}], ask: key",
      "7:54: value and priority are both given; expected one of them"),
    inspect(
      "mutable: 1, changes: [{valeu: 1, value: 2}], ask: key",
      "7:44: unknown key \"valeu\"; expected child, value or priority; did you mean value?"),
    inspect(
      "path: a, changes: [{value: 1}], ask: key",
      "7:30: changes stands beside path; expected it beside mutable alone"),
    inspect(
      "snapshot: feed, query: [{limitToFirst: 1}], ask: key",
      "7:37: query stands beside snapshot; expected it beside path alone"),
    inspect(
      "path: a, query: {limitToFirst: 1}, ask: valid",
      "7:37: query is a mapping; expected a list of conditions such as {limitToFirst: 2}"),
    inspect(
      "path: a, query: [{limitToFrist: 1}], ask: valid",
      """
      7:39: unknown key "limitToFrist"; expected orderBy, startAt, startAfter, endAt, endBefore, \
      equalTo, limitToFirst or limitToLast; did you mean limitToFirst or limitToLast?
      """),
    inspect(
      "path: a, query: [{orderBy: x, limitToFirst: 1}], ask: valid",
      "7:38: a condition has 2 keys; expected one in each element"),
    inspect(
      "path: a, query: [{orderBy: x}], of: b, ask: valid",
      "7:53: of is given with query; expected none, a query has no parts"),
  ]

  static let questions = [
    inspect("path: a", "7:20: alice.inspect has no ask; expected ask: ..."),
    inspect(
      "path: a, ask: kye",
      """
      7:35: unknown question "kye"; expected key, parent, root, child, equals, url or description; \
      did you mean key?
      """),
    inspect(
      "snapshot: feed, ask: childCount",
      """
      7:42: unknown question "childCount"; expected value, export, key, priority, hasChild, \
      hasChildren, childrenCount, children, exists or ref; did you mean childrenCount?
      """),
    inspect("path: a, ask: child", "7:20: child has no with; expected with: PATH"),
    inspect(
      "path: a, ask: key, with: b", "7:40: key has a with; expected none with this question"),
    inspect("path: a, ask: child, with: [b]", "7:48: with is a list; expected a string"),
    inspect(
      "snapshot: feed, ask: children, with: valeu",
      """
      7:58: unknown question "valeu"; expected key, value, export, priority, hasChildren or \
      childrenCount; did you mean value?
      """),
  ]

  static let outcomes = [
    Mistake(
      steps: ["alice.inspect: {path: a, ask: key}"],
      "6:20: alice.inspect has no as; expected as: ..."),
    Mistake(
      steps: ["alice.inspect: {path: a, ask: key, as: x}"],
      """
      6:44: no expectation lists the outcome of x; expected it where the call completes, or no \
      name
      """),
    Mistake(
      steps: ["alice.inspect: {path: a, ask: key, as: x}", "expect: {alice.x: {ok: true}}"],
      "7:24: x is an inspection and has no ok; expected answer or threw"),
    Mistake(
      steps: ["alice.set: {path: a, value: 1, as: w}", "expect: {alice.w: {answer: 1}}"],
      "7:24: w is a write and has no answer; expected ok, error or threw"),
    Mistake(
      steps: [
        "alice.inspect: {path: a, ask: key, as: x}", "expect: {alice.x: {answer: {$any1: 1}}}",
      ],
      """
      7:33: unknown matcher "$any1"; expected $any, $pushId, $serverTime, $type, $oneOf, $not, \
      $subset, $unordered, $each, $gte, $lte, $approx, $bind, $ref or $exactly, or {$exactly: \
      TEXT} for a text like this; did you mean $any?
      """),
  ]
}
