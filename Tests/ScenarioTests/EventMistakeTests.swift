import Testing

struct EventMistakeTests {
  @Test(arguments: events)
  func `mistakes in events, order and alternatives are told with their places`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  static let events = [
    Mistake(
      steps: [
        "alice.listen: {path: room, as: feed}",
        "expect: {alice.feed: [{child_added: a, child_removed: b}]}",
      ],
      "7:44: an event is both child_added and child_removed; expected one kind in each item"),
    Mistake(
      steps: ["alice.listen: {path: room, as: feed}", "expect: {alice.feed: [{child_aded: a}]}"],
      """
      7:28: unknown key "child_aded"; expected child_added, child_changed, child_moved, \
      child_removed, value, cancelled, prev, at or within; did you mean child_added or \
      child_moved?
      """),
    Mistake(
      steps: ["alice.listen: {path: room, as: feed}", "expect: {alice.feed: [{prev: a}]}"],
      """
      7:27: an event has no kind; expected child_added, child_changed, child_moved, \
      child_removed, value or cancelled
      """),
    Mistake(
      steps: ["alice.listen: {path: room, as: feed}", "expect: {alice.feed: [5]}"],
      """
      7:27: an event is a number; expected a mapping with the keys child_added, child_changed, \
      child_moved, child_removed, value, cancelled, prev, at, within
      """),
    Mistake(
      steps: [
        "alice.listen: {path: room, as: feed}",
        "expect: {alice.feed: [{child_added: 5, value: 1}]}",
      ],
      "7:41: the key is a number; expected a string; put it in quotes"),
    Mistake(
      steps: [
        "alice.listen: {path: room, as: feed}",
        "expect: {alice.feed: [{child_added: a/b, value: 1}]}",
      ],
      "7:41: key \"a/b\" contains \"/\"; keys may not contain . # $ [ ] /"),
    Mistake(
      steps: [
        "alice.listen: {path: room, as: feed}",
        "expect: {alice.feed: [{child_removed: a, prev: b}]}",
      ],
      "7:46: child_removed has a prev; expected none with this kind of event"),
    Mistake(
      steps: [
        "alice.listen: {path: room, as: feed}",
        "expect: {alice.feed: [{cancelled: permission_denied, value: 1}]}",
      ],
      "7:58: cancelled has a value; expected none with this kind of event"),
    Mistake(
      steps: [
        "alice.listen: {path: room, event: value, as: feed}",
        "expect: {alice.feed: [{child_added: a}]}",
      ],
      "7:28: feed does not receive child_added; expected value"),
    Mistake(
      steps: [
        "alice.listen: {path: room, as: feed}",
        "expect: {alice.feed: [{value: 1, at: 5, within: [0s, 1s]}]}",
      ],
      """
      7:42: at is a number; expected a duration such as 30ms, 5s or 1m
      7:45: at and within are both given; expected one of them
      """),
    Mistake(
      steps: [
        "alice.listen: {path: room, as: feed}",
        "expect: {alice.feed: [{value: 1, within: [2s, 1s]}]}",
      ],
      "7:46: within is a reversed range; expected the shorter duration first"),
    Mistake(
      steps: [
        "alice.listen: {path: room, as: feed}",
        "expect: {alice.feed: [{value: 1, within: 5s}]}",
      ],
      "7:46: within is 5s; expected a list of two durations"),
    Mistake(
      steps: ["alice.listen: {path: room, as: feed}", "expect: {alice.feed: [{each-gap: {}}]}"],
      "7:38: each-gap is empty; expected min, max or growth"),
    Mistake(
      steps: [
        "alice.listen: {path: room, as: feed}",
        "expect: {alice.feed: [{each-gap: {growth: 0}}]}",
      ],
      "7:47: growth is 0; expected a number above 0"),
    Mistake(
      steps: [
        "alice.listen: {path: room, as: feed}",
        "expect: {alice.feed: [{child_added: {a: 1}}]}",
      ],
      "7:41: the key is a mapping; expected a string or a matcher"),
    Mistake(
      steps: ["expect: {frames: {alice: {puts: 1}}}"],
      """
      6:31: unknown key "puts"; expected listen, unlisten, put, merge, on-disconnect-put, \
      on-disconnect-merge, on-disconnect-cancel, get, stats, auth or unauth; did you mean put?
      """),
    Mistake(
      steps: ["expect: {frames: {alice: {put: -1}}}"],
      "6:36: the count of put is -1; expected a whole number from 0 up"),
    Mistake(
      steps: ["expect: {converged: yes}"],
      "6:25: converged is a string; expected true"),
    Mistake(
      steps: [
        "alice.listen: {path: room, as: feed}",
        "expect: {alice.feed: [{value: 1}], order: [alice.feed]}",
      ],
      "7:48: \"alice.feed\" is no constraint; expected one such as feed#1 < w"),
    Mistake(
      steps: [
        "alice.listen: {path: room, as: feed}",
        "expect: {alice.feed: [{value: 1}], order: [feed#2 < feed#1]}",
      ],
      "7:48: \"feed#2\" is not listed; expected an index within one observation of feed"),
    Mistake(
      steps: [
        "alice.listen: {path: room, as: feed}",
        "expect: {alice.feed: [{value: 1}], order: [feed#1 < fed]}",
      ],
      "7:48: unknown place in the order \"fed\"; expected alice.feed"),
    Mistake(
      steps: [
        "alice.listen: {path: room, as: feed}",
        "expect: {alice.feed: [{value: 1}], order: [feed#x < feed]}",
      ],
      "7:48: \"feed#x\" is no place in the order; expected NAME, CLIENT.NAME or NAME#1"),
    Mistake(
      steps: [
        "alice.listen: {path: room, as: feed}",
        "bob.listen: {path: room, as: feed}",
        "expect: {alice.feed: [{value: 1}], bob.feed: [{value: 1}], order: [feed < alice.feed]}",
      ],
      "8:72: \"feed\" is listed for several clients; expected CLIENT.NAME"),
    Mistake(
      steps: ["expect: {one-of: [{}]}"],
      "6:22: one-of has one alternative; expected at least two"),
    Mistake(
      steps: ["expect: {one-of: {}}"],
      "6:22: one-of is a mapping; expected a list of at least two alternatives"),
    Mistake(
      steps: [
        "alice.listen: {path: room, as: feed}",
        "expect: {alice.feed: [], one-of: [{alice.feed: [{value: 1}]}, {}]}",
      ],
      "7:40: alice.feed is stated outside of one-of too; expected it once"),
    Mistake(
      steps: ["expect: {}\n    expect-now: {}"],
      "7:5: a step does a second thing, expect-now; expected a step of its own for it"),
  ]
}
