import Testing

/// What people write who know the field's other interfaces.
@Suite struct SpellingTests {
  @Test(arguments: mistakes)
  func `a name in another spelling is recognised`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  private static let operations = """
    expected listen, once, get, unlisten, unlisten-all, set, remove, set-priority, update, push, \
    transaction, on-disconnect-set, on-disconnect-remove, on-disconnect-update, \
    on-disconnect-cancel, go-offline, go-online, inspect, keep-synced, auth, unauth, on, kill, start, \
    clock or storage
    """

  static let mistakes = [
    Mistake(
      steps: ["alice.onDisconnect: {path: a, value: 1}"],
      """
      6:5: unknown operation "onDisconnect"; did you mean on-disconnect-set, \
      on-disconnect-remove or on-disconnect-update?; \(operations)
      """),
    Mistake(
      steps: ["alice.onDisconnectRemove: a"],
      """
      6:5: unknown operation "onDisconnectRemove"; did you mean on-disconnect-remove?; \
      \(operations)
      """),
    Mistake(
      steps: ["alice.keep_synced: a"],
      "6:5: unknown operation \"keep_synced\"; did you mean keep-synced?; \(operations)"),
    Mistake(
      steps: [
        "alice.listen: {path: a, as: feed}",
        "expect: {alice.feed: [{child_added: a, prevKey: b}]}",
      ],
      """
      7:44: unknown key "prevKey"; expected child_added, child_changed, child_moved, \
      child_removed, value, cancelled, prev, at or within; did you mean prev?
      """),
    Mistake(
      setup: "latency: 5ms",
      """
      5:1: latency is in the wrong location; expected it under another key; did you mean \
      network: {latency: ...}?
      """),
    Mistake(
      setup: "cache: 5KB",
      """
      5:1: cache is in the wrong location; expected it under another key; did you mean \
      persistence: {cache: ...}?
      """),
    Mistake(
      setup: "deny: [read]",
      """
      5:1: deny is in the wrong location; expected it under another key; did you mean \
      security: [{path: ..., deny: ...}]?
      """),
    Mistake(
      steps: ["alice.listen: {path: a, limitToLast: 2}"],
      """
      6:29: limitToLast is in the wrong location; expected it under another key; did you mean \
      query: {limitToLast: ...}?
      """),
    Mistake(
      setup: "network: {latency: 10..60ms}",
      """
      5:20: latency is "10..60ms"; expected a unit at both ends; did you mean 10ms..60ms?
      """),
    Mistake(
      setup: "network: {latency: 10..x}",
      """
      5:20: latency is "10"; expected a duration such as 30ms, 5s or 1m, at most 1000h
      5:20: latency is "x"; expected a duration such as 30ms, 5s or 1m, at most 1000h
      """),
  ]

  @Test(arguments: named)
  func `a mistake in something with a name is told once`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  static let named = [
    Mistake(
      steps: ["alice.set: {path: a, value: 1, as: w}", "expect: {alice.w: ok}"],
      "7:23: alice.w is a string; expected the outcome of a call, such as {ok: true}"),
    Mistake(
      steps: ["alice.set: {path: a, value: 1, as: write}", "expect: {alice.wirte: {ok: true}}"],
      """
      7:14: unknown listener or call of alice "wirte"; expected write; did you mean write?
      """),
    Mistake(
      steps: ["alice.set: {path: a, value: 1, as: w}", "expect: {alcie.w: {ok: true}}"],
      "7:14: unknown client \"alcie\"; expected alice or bob; did you mean alice?"),
    Mistake(
      steps: ["alcie.set: {path: a, value: 1, as: w}", "expect: {alice.w: {ok: true}}"],
      """
      6:5: unknown client "alcie"; expected alice, bob, network or server; did you mean alice?
      """),
    Mistake(
      steps: ["alice.set: {path: a, value: 1, as: w}", "expect: [{alice.w: {ok: true}}]"],
      "7:13: expect is a list; expected a mapping with what may have been observed"),
  ]
}
