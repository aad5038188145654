import Testing

struct CallbackMistakeTests {
  @Test(arguments: [
    Mistake(
      steps: ["alice.on: {do: [go-offline]}"],
      "6:15: no callback is named; expected listener, cancel, completion or function"),
    Mistake(
      steps: ["alice.listen: {path: a, as: feed}", "alice.on: {listener: feed}"],
      "7:15: alice.on has no do; expected do: ..."),
    Mistake(
      steps: [
        "alice.listen: {path: a, as: feed}",
        "alice.on: {listener: feed, cancel: feed, do: [go-offline]}",
      ],
      "7:32: listener and cancel are both given; expected one of them"),
    Mistake(
      steps: [
        "alice.listen: {path: a, as: feed}",
        "alice.on: {cancel: feed, event: value, do: [go-offline]}",
      ],
      "7:30: event is given beside cancel; expected it beside listener alone"),
    Mistake(
      steps: [
        "alice.listen: {path: a, as: feed}", "alice.on: {listener: feed, nth: 0, do: [go-offline]}",
      ],
      "7:37: nth is 0; expected a whole number from 1 up"),
    Mistake(
      steps: ["alice.listen: {path: a, as: feed}", "alice.on: {listener: feed, do: []}"],
      "7:36: do is an empty list; expected at least one element"),
    Mistake(
      steps: [
        "alice.listen: {path: a, as: feed}",
        "alice.on: {listener: feed, do: [{alice.set: {path: a, value: 1}}]}",
      ],
      """
      7:38: alice.set names a client; expected set alone, since a callback calls its own
      """),
    Mistake(
      steps: [
        "alice.listen: {path: a, as: feed}",
        "alice.on: {listener: feed, do: [{set: {path: a, value: 1}, remove: a}]}",
      ],
      """
      7:37: a call is {set: {path: a, value: 1}, remove: a}; expected a mapping with one operation \
      such as {set: {...}}
      """),
    Mistake(
      steps: [
        "alice.listen: {path: a, as: feed}",
        "alice.on: {listener: feed, do: [{on: {listener: feed, do: [go-offline]}}]}",
      ],
      """
      7:38: do states another reaction; expected a step of its own for it, before this one
      """),
    Mistake(
      steps: [
        "alice.listen: {path: a, as: feed}", "alice.on: {listener: fed, do: [{unlisten: fed}]}",
      ],
      """
      7:26: unknown listener "fed"; expected feed; did you mean feed?
      7:47: unknown listener "fed"; expected feed; did you mean feed?
      """),
    Mistake(
      steps: [
        "alice.set: {path: a, value: 1, as: w}\n    expect: {alice.w: {ok: true}}",
        "alice.on: {listener: w, do: [go-offline]}", "alice.on: {function: w, do: [go-offline]}",
      ],
      """
      8:26: w is a call; expected the name of a listener
      9:26: w is a call; expected the name of a transaction
      """),
    Mistake(
      steps: [
        "alice.push: {path: a, as: key}\n    expect: {alice.key: {key: $pushId}}",
        "alice.listen: {path: a, as: feed}", "alice.on: {completion: key, do: [go-offline]}",
        "alice.on: {completion: feed, do: [go-offline]}",
      ],
      """
      9:28: key is a push without a value, which has no callback; expected the name of a call
      10:28: feed is a listener; expected the name of a call
      """),
    Mistake(
      steps: [
        "alice.inspect: {path: a, ask: key, as: it}\n    expect: {alice.it: {answer: a}}",
        "alice.on: {completion: it, do: [go-offline]}",
      ],
      "8:28: it is an inspection, which has no callback; expected the name of a call"),
  ])
  func `mistakes in reactions are reported with their positions`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  @Test func `a callback may have its name from a later step, and its calls give names`() {
    let steps = [
      "alice.on: {listener: feed, do: [{unlisten: feed}, {set: {path: b, value: 1, as: w}}]}",
      "alice.listen: {path: a, as: feed}\n    expect: {alice.w: {ok: true}}",
    ]
    #expect(Mistake(steps: steps, "").found == "")
  }
}
