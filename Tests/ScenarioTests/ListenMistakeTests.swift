import Testing

struct ListenMistakeTests {
  @Test(arguments: listens)
  func `mistakes in listens and queries are told with their places`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  static let listens = [
    Mistake(
      steps: ["alice.unlisten: feed"],
      "6:21: unknown listener \"feed\"; expected one that alice has named before"),
    Mistake(
      steps: ["alice.listen: {path: room, as: feed}", "alice.unlisten: fed"],
      "7:21: unknown listener \"fed\"; expected feed; did you mean feed?"),
    Mistake(
      steps: [
        "alice.set: {path: a, value: 1, as: w}",
        "alice.unlisten: w",
        "expect: {alice.w: {ok: true}}",
      ],
      "7:21: w is a call; expected the name of a listener"),
    Mistake(
      steps: ["alice.listen: {path: room, as: feed}", "alice.listen: {path: other, as: feed}"],
      "7:37: alice has named another feed at 6:36; expected each name once"),
    Mistake(
      steps: ["alice.listen: {path: room, as: L1}"],
      "6:36: L1 is the name of a listener without one; expected another name"),
    Mistake(
      steps: ["alice.listen: {path: room, as: a b}"],
      "6:36: \"a b\" cannot be a name; expected a letter, then letters, digits, - and _"),
    Mistake(
      steps: ["alice.listen: {path: room, event: child_add}"],
      """
      6:39: unknown event "child_add"; expected child_removed, child_added, child_moved, \
      child_changed or value; did you mean child_added?
      """),
    Mistake(
      steps: ["alice.listen: {path: room, events: []}"],
      "6:40: events is an empty list; expected at least one element"),
    Mistake(
      steps: ["alice.listen: {path: room, event: value, events: [value]}"],
      "6:46: event and events are both given; expected one of them"),
    Mistake(
      steps: ["alice.listen: {path: room, query: {orderby: .key}}"],
      """
      6:40: unknown key "orderby"; expected orderBy, startAt, startAfter, endAt, endBefore, \
      equalTo, limitToFirst or limitToLast; did you mean orderBy?
      """),
    Mistake(
      steps: ["alice.listen: {path: room, query: {}}"],
      """
      6:39: query is empty; expected orderBy, startAt, startAfter, endAt, endBefore, equalTo, \
      limitToFirst or limitToLast
      """),
    Mistake(
      steps: ["alice.listen: {path: room, query: {orderBy: .keys}}"],
      "6:49: unknown ordering \".keys\"; expected .key, .value or .priority; did you mean .key?"),
    Mistake(
      steps: ["alice.listen: {path: room, query: {limitToFirst: 1, limitToLast: 2}}"],
      "6:57: limitToFirst and limitToLast exclude each other; expected one of them"),
    Mistake(
      steps: ["alice.listen: {path: room, query: {startAt: 1, equalTo: 2}}"],
      "6:52: startAt and equalTo exclude each other; expected one of them"),
    Mistake(
      steps: ["alice.listen: {path: room, query: {orderBy: a, orderBy: b}}"],
      """
      6:52: key "orderBy" occurs twice, first at 6:40; expected each key once; remove or rename \
      one of the two
      """),
    Mistake(
      steps: ["alice.listen: {path: room, query: {orderBy: .key, startAt: 5}}"],
      "6:64: startAt is a number; expected a string under orderBy .key"),
    Mistake(
      steps: ["alice.listen: {path: room, query: {orderBy: .key, startAt: {value: a, key: b}}}"],
      "6:80: startAt names a key under orderBy .key; expected a string alone"),
    Mistake(
      steps: ["alice.listen: {path: room, query: {startAt: true}}"],
      "6:49: startAt is a boolean; expected a number, a string or null, since priorities order"),
    Mistake(
      steps: ["alice.listen: {path: room, query: {orderBy: .value, startAt: {value: 1}}}"],
      "6:66: startAt has no key; expected key: ..."),
    Mistake(
      steps: ["alice.listen: {path: room, query: {limitToFirst: 0}}"],
      "6:54: limitToFirst is 0; expected a whole number from 1 up"),
    Mistake(
      steps: ["alice.listen: {path: room, query: {orderBy: a.b, limitToLast: 1.5}}"],
      """
      6:49: key "a.b" contains "."; keys may not contain . # $ [ ] /
      6:67: limitToLast is 1.5; expected a whole number from 1 up
      """),
  ]
}
