import Testing

struct CallMistakeTests {
  @Test(arguments: calls)
  func `mistakes in calls of clients are told with their places`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  static let calls = [
    Mistake(
      steps: ["alice.sett: {path: a, value: 1}"],
      """
      6:5: unknown operation "sett"; did you mean set?; expected \
      listen, once, get, unlisten, unlisten-all, set, remove, \
      set-priority, update, push, transaction, on-disconnect-set, on-disconnect-remove, \
      on-disconnect-update, on-disconnect-cancel, go-offline, go-online, inspect, \
      keep-synced, auth, unauth, on, kill, start, clock or storage
      """),
    Mistake(
      steps: ["alicia.set: {path: a, value: 1}"],
      """
      6:5: unknown client "alicia"; expected alice, bob, network or server; did you mean alice?
      """),
    Mistake(
      steps: ["sleep: 5s"],
      """
      6:5: unknown step "sleep"; expected wait, settle, disarm, together, expect, expect-now, \
      alice.OPERATION or bob.OPERATION
      """),
    Mistake(
      steps: ["wate: 5s"],
      """
      6:5: unknown step "wate"; expected wait, settle, disarm, together, expect, expect-now, \
      alice.OPERATION or bob.OPERATION
      """),
    Mistake(
      steps: ["7"],
      "6:5: a step is a number; expected a mapping such as {alice.set: {...}}"),
    Mistake(
      steps: ["{}"],
      "6:5: a step is an empty mapping; expected a mapping such as {alice.set: {...}}"),
    Mistake(
      steps: ["alice.set: {path: a, value: 1}\n    bob.set: {path: a, value: 1}"],
      "7:5: a step does a second thing, bob.set; expected a step of its own for it"),
    Mistake(
      steps: ["settle\n  - settle: 5s"],
      "7:13: settle takes no arguments; expected {} or nothing behind it"),
    Mistake(
      steps: ["wait: 5"],
      "6:11: wait is a number; expected a duration such as 30ms, 5s or 1m"),
    Mistake(
      steps: ["wait: 5 minutes"],
      "6:11: wait is \"5 minutes\"; expected a duration such as 30ms, 5s or 1m, at most 1000h"),
    Mistake(
      steps: ["alice.set: {path: a}"],
      "6:16: alice.set has no value; expected value: ..."),
    Mistake(
      steps: ["alice.set: {path: a, valeu: 1}"],
      """
      6:16: alice.set has no value; expected value: ...
      6:26: unknown key "valeu"; expected path, value, priority or as; did you mean value?
      """),
    Mistake(
      steps: ["alice.set: {path: 5, value: 1}"],
      "6:23: path is a number; expected a string; put it in quotes"),
    Mistake(
      steps: ["alice.set: a"],
      "6:16: alice.set is a string; expected a mapping with the keys path, value, priority, as"),
    Mistake(
      steps: ["alice.set: {path: a, value: {.value: 1, b: 2}}"],
      "6:45: child \"b\" is beside .value; expected .priority alone beside it"),
    Mistake(
      steps: ["alice.set: {path: a, value: {.foo: 1}}"],
      "6:34: unknown key \".foo\"; expected .value, .priority or .sv"),
    Mistake(
      steps: ["alice.set: {path: a, value: {.sv: time}}"],
      """
      6:33: {.sv: time} is no server value; expected {.sv: timestamp} or {.sv: {increment: \
      NUMBER}}
      """),
    Mistake(
      steps: ["server.set: {path: a, value: null, priority: 1}"],
      "6:40: null has a priority; expected a value with it"),
    Mistake(
      steps: ["alice.set: {path: a, value: {.value: 1, .priority: 2}, priority: 1}"],
      "6:60: the value has a priority too; expected it in one location"),
    Mistake(
      steps: ["alice.set: {path: a, value: {b: {$ref: x}}}"],
      "6:38: $ref is a matcher; expected a plain value, matchers are for expectations"),
    Mistake(
      steps: ["alice.set: {path: a, value: 1, priority: [1]}"],
      "6:46: the priority is a list; expected a scalar"),
    Mistake(
      steps: ["alice.update: {path: a, value: 1}"],
      "6:36: value is a number; expected a mapping from children or paths to values"),
    Mistake(
      steps: ["alice.transaction: {path: a, update: {increment: 1, set: 2}}"],
      """
      6:42: update has 2 functions; expected one of increment, set, setIfNull, merge, abort, \
      fail, setIfNullOrFail, keep or setThenAbort
      """),
    Mistake(
      steps: ["alice.transaction: {path: a, update: {fail: 2}}"],
      "6:49: fail is a number; expected true"),
    Mistake(
      steps: ["alice.listen: {path: a, as: feed}", "alice.unlisten: {listener: feed}"],
      "7:21: alice.unlisten has no path; expected path: ..."),
    Mistake(
      steps: ["alice.transaction: {path: a, update: {increment: one}}"],
      "6:54: increment is a string; expected a number"),
    Mistake(
      steps: ["alice.transaction: {path: a, update: {incremnt: 1}}"],
      """
      6:43: unknown key "incremnt"; expected increment, set, setIfNull, merge, abort, fail, \
      setIfNullOrFail, keep or setThenAbort; did you mean increment?
      """),
    Mistake(
      steps: ["alice.transaction: {path: a, update: {abort: false}, localEvents: no}"],
      """
      6:50: abort is a boolean; expected true
      6:71: localEvents is a string; expected true or false
      """),
    Mistake(
      steps: ["alice.go-offline: {path: a}"],
      "6:23: alice.go-offline takes no arguments; expected {} or nothing behind it"),
  ]
}
