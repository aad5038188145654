import ClientInterface
import Testing
import Tree

/// What is said of a line in which a word is misspelt, in either direction.
@Suite struct SlipTests {
  private static let event: [JSON.Member] = [
    .init("listener", "l"), .init("type", "value"), .init("key", "a"), .init("value", 1),
  ]

  /// An event in which one key, or the value of one, is another.
  private static func event(_ name: String, _ slip: String, is value: JSON? = nil) -> JSON {
    ["event": .object(event.map { $0.name == name ? .init(slip, value ?? $0.value) : $0 })]
  }

  static let outputs: [(JSON, String)] = [
    (event("value", "val"), "\"value\" is missing; found \"val\": did you mean \"value\"?"),
    (
      event("listener", "Listener"),
      "\"listener\" is missing; found \"Listener\": did you mean \"listener\"?"
    ),
    (event("type", "typ"), "\"type\" is missing; found \"typ\": did you mean \"type\"?"),
    (event("key", "name"), "\"key\" is missing"),
    (event("type", "type", is: "vlaue"), "\"vlaue\" is not an event type; did you mean \"value\"?"),
    (
      event("type", "type", is: "moved"),
      "\"moved\" is not an event type; expected child_removed, child_added, child_moved, "
        + "child_changed or value"
    ),
    (["evnt": .object(event)], "\"evnt\" is not an output; did you mean \"event\"?"),
    (
      ["completed": ["calls": "w", "error": .null]],
      "\"call\" is missing; found \"calls\": did you mean \"call\"?"
    ),
    (
      ["setTimer": ["timer": 1, "after": 1, "label": "backoff"]],
      "\"backoff\" is not a purpose of a timer; did you mean \"back-off\"?"
    ),
  ]

  @Test(arguments: outputs)
  func `a slip of an adapter is named with what was meant`(line: JSON, message: String) {
    let error = #expect(throws: VocabularyError.self) { try ClientOutput(json: line) }

    #expect(error?.description == message)
  }

  static let inputs: [(JSON, String)] = [
    (
      ["open": ["hots": "h", "seed": "1"]],
      "\"host\" is missing; found \"hots\": did you mean \"host\"?"
    ),
    (["opend": [:]], "\"opend\" is not an input; did you mean \"open\" or \"opened\"?"),
    (
      ["call": ["id": "c", "op": "sett", "path": "a"]],
      "\"sett\" is not an operation; did you mean \"set\"?"
    ),
    (
      [
        "call": [
          "id": "l", "op": "listen", "path": "a", "listener": "l", "query": ["limitToFrist": 1],
        ]
      ],
      "\"limitToFrist\" is not an argument of a query; did you mean \"limitToFirst\" or \"limitToLast\"?"
    ),
    (
      ["call": ["id": "t", "op": "transaction", "path": "a", "update": ["incremnt": 1]]],
      "\"incremnt\" is not a transaction function; did you mean \"increment\"?"
    ),
  ]

  @Test(arguments: inputs)
  func `so is one of a recording`(line: JSON, message: String) {
    let error = #expect(throws: VocabularyError.self) { try ClientInput(json: line) }

    #expect(error?.description == message)
  }
}
