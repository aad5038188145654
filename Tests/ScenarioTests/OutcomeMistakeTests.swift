import Testing

struct OutcomeMistakeTests {
  @Test(arguments: labels)
  func `mistakes in labels and outcomes are told with their places`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  static let labels = [
    Mistake(
      steps: ["expect: []"],
      "6:13: expect is a list; expected a mapping with what may have been observed"),
    Mistake(
      steps: ["expect: {sever: {}}"],
      """
      6:14: unknown key "sever"; expected rules, server, frames, order, converged, one-of, alice.NAME or \
      bob.NAME; did you mean server?
      """),
    Mistake(
      steps: ["expect: {alice: {}}"],
      """
      6:14: unknown key "alice"; expected rules, server, frames, order, converged, one-of, alice.NAME or \
      bob.NAME; did you mean alice.NAME?
      """),
    Mistake(
      steps: ["expect: {carol.feed: []}"],
      "6:14: unknown client \"carol\"; expected alice or bob"),
    Mistake(
      steps: ["expect: {alice.feed: []}"],
      """
      6:14: unknown listener or call of alice "feed"; expected one that a step before has named
      """),
    Mistake(
      steps: ["alice.listen: {path: room, as: feed}", "expect: {alice.fed: []}"],
      "7:14: unknown listener or call of alice \"fed\"; expected feed; did you mean feed?"),
    Mistake(
      steps: ["expect: {alice.feed: []}", "alice.listen: {path: room, as: feed}"],
      """
      6:14: unknown listener or call of alice "feed"; expected one that a step before has named
      """),
    Mistake(
      steps: ["alice.listen: {path: room, as: feed}", "expect: {alice.feed: {ok: true}}"],
      "7:27: feed is a listener and has no ok; expected threw"),
    Mistake(
      steps: ["alice.listen: {path: room, as: feed}", "expect: {alice.feed: yes}"],
      "7:26: alice.feed is a string; expected a list of events"),
    Mistake(
      steps: [
        "alice.set: {path: a, value: 1, as: w}",
        "expect: {alice.w: [{value: 1}]}",
        "expect: {alice.w: {ok: true}}",
      ],
      "7:23: alice.w is a list; expected the outcome of a call, such as {ok: true}"),
    Mistake(
      steps: ["alice.set: {path: a, value: 1, as: w}"],
      """
      6:40: no expectation lists the outcome of w; expected it where the call completes, or no \
      name
      """),
    Mistake(
      steps: [
        "alice.set: {path: a, value: 1, as: w}",
        "expect: {alice.w: {ok: true}}",
        "expect: {alice.w: {ok: true}}",
      ],
      "8:14: the outcome of w is listed at 7:14 already; expected it once"),
    Mistake(
      steps: ["alice.set: {path: a, value: 1, as: w}", "expect: {alice.w: {ok: false}}"],
      "7:28: ok is a boolean; expected true, or error with a code"),
    Mistake(
      steps: ["alice.set: {path: a, value: 1, as: w}", "expect: {alice.w: {okay: true}}"],
      """
      7:24: unknown key "okay"; expected ok, error, threw, committed, answer, value, key, inputs, \
      at or within
      """),
    Mistake(
      steps: ["alice.set: {path: a, value: 1, as: w}", "expect: {alice.w: {ok: true, error: x}}"],
      "7:34: an outcome has ok and error; expected one of them"),
    Mistake(
      steps: [
        "alice.set: {path: a, value: 1, as: w}",
        "expect: {alice.w: {error: PERMISSION_DENIED}}",
      ],
      """
      7:31: "PERMISSION_DENIED" is no error code; expected lower case such as permission_denied
      """),
    Mistake(
      steps: ["alice.set: {path: a, value: 1, as: w}", "expect: {alice.w: {committed: true}}"],
      "7:24: w is a write and has no committed; expected ok, error or threw"),
    Mistake(
      steps: ["alice.set: {path: a, value: 1, as: w}", "expect: {alice.w: {}}"],
      "7:23: the outcome is empty; expected ok, error or threw"),
    Mistake(
      steps: [
        "alice.transaction: {path: a, update: {set: 1}, as: t}",
        "expect: {alice.t: {error: set, value: 1}}",
      ],
      "7:36: value is given without committed; expected both or neither"),
    Mistake(
      steps: ["alice.push: {path: a, as: p}", "expect: {alice.p: {ok: true}}"],
      "7:24: p is a push without a value and has no ok; expected threw or key"),
  ]
}
