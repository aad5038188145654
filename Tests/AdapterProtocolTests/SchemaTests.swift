import AdapterProtocol
import ClientInterface
import Document
import Foundation
import TestKit
import Testing
import Tree

@Suite struct SchemaTests {
  @Test func `the published schema is what lines are checked against`() throws {
    let published = try SourceTree.text(of: "Specs/adapter-protocol.schema.json")

    #expect(
      published == AdapterSchema.json.indentedText,
      "write it again: kennel adapter --schema > Specs/adapter-protocol.schema.json")
  }

  /// `"log": {"text", "level"?}`, as the pages write it.
  private static func text(of field: Shape.Field) -> String {
    let name = "\"\(field.name)\"" + (field.isRequired ? "" : "?")
    return switch field.shape {
    case let .object(fields): "\(name): {\(fields.map(text).joined(separator: ", "))}"
    case .named("call", _): "\(name): {\"id\", \"op\", …}"
    case .mapping where field.isRequired: "\(name): MESSAGE"
    case .list(.mapping) where field.isRequired: "\(name): [MESSAGE, …]"
    case .whole where field.name == "idle": "\(name): ID"
    default: name
    }
  }

  @Test(arguments: [AdapterSchema.request, AdapterSchema.answer])
  func `the page about the protocol has each line`(lines: Shape) throws {
    let page = try SourceTree.text(of: "Specs/adapter-protocol.md")
    guard case let .named(direction, .verb(cases, _)) = lines else {
      Issue.record("no lines with verbs")
      return
    }

    // A hello is written with its version, and its lists as lists.
    for line in cases where line.name != "hello" {
      let fields = line.fields.filter { direction == "request" || $0.name == line.name }
      let text = "`{\(fields.map(Self.text).joined(separator: ", "))}`"
      #expect(page.contains(text), "Specs/adapter-protocol.md does not have \(text)")
    }
  }

  @Test func `the page about traces has each verb`() throws {
    let page = try SourceTree.text(of: "Specs/trace-format.md")

    for verbs in [
      ClientInput.Verb.allCases.map(\.rawValue), ClientOutput.Verb.allCases.map(\.rawValue),
    ] {
      let text =
        verbs.dropLast().map { "`\($0)`" }.joined(separator: ", ") + " or `\(verbs.last ?? "")`"
      #expect(page.contains(text), "Specs/trace-format.md does not have \(text)")
    }
  }

  static let answers: [(JSON, String)] = [
    (["wave": [:]], "there is no verb in the line, expected one of \(verbs)"),
    (["connect": [:], "idle": 3], "there is 2 verbs in the line, expected one of \(verbs)"),
    (5, "the line is 5, expected a mapping"),
    (["idle": "three"], "\"idle\" of a line \"idle\" is \"three\", expected a whole number"),
    (["connect": 5], "connect is 5, expected a mapping"),
    (["setTimer": ["timer": 1]], "\"after\" is missing in setTimer"),
    (
      ["setTimer": ["timer": 1.5, "after": 1]],
      "\"timer\" of setTimer is 1.5, expected a whole number"
    ),
    (
      ["setTimer": ["timer": 1, "after": 1, "label": "nap"]],
      "\"label\" of setTimer is \"nap\", expected one of back-off, keep-alive, idle, other"
    ),
    (["log": ["text": "a", "at": 1]], "\"at\" is no member of log, which has text, level"),
    (["disconnect": ["why": "x"]], "\"why\" is no member of disconnect, which has no members"),
    (
      ["completed": ["call": "w", "error": 7]],
      "\"error\" of completed is 7, expected a string or null"
    ),
    (
      ["event": ["listener": "l", "type": "value", "key": "a", "value": 1, "children": ["a", 2]]],
      "an element of \"children\" of event is 2, expected a string"
    ),
    (["send": "hello"], "\"send\" of a line \"send\" is \"hello\", expected a mapping"),
    (
      ["event": ["listener": "l", "type": "value", "key": "a", "val": 1]],
      "\"value\" is missing in event; found \"val\": did you mean \"value\"?"
    ),
    (
      ["event": ["listener": "l", "type": "value", "key": "a", "value": 1, "previous": "b"]],
      "\"previous\" is no member of event, which has listener, type, key, value, prev, children, "
        + "sorted; did you mean \"prev\"?"
    ),
    (
      ["event": ["listener": "l", "type": "vlue", "key": "a", "value": 1]],
      "\"type\" of event is \"vlue\", expected one of child_removed, child_added, child_moved, "
        + "child_changed, value; did you mean \"value\"?"
    ),
    (
      ["from": "me", "connect": [:]],
      "\"from\" is no member of a line \"connect\", which has client, connect"
    ),
  ]

  private static let verbs =
    "hello, connect, send, disconnect, setTimer, cancelTimer, event, cancelled, completed, answered, "
    + "threw, updateRan, calling, returned, store, erase, uncaught, log, next, error, idle"

  @Test(arguments: answers)
  func `a line of an adapter that is wrong is told with what was expected`(
    line: JSON, message: String
  ) {
    #expect(AdapterSchema.answer.mismatch(to: line) == message)
  }

  static let calls: [(JSON, String?)] = [
    (["id": "w", "op": "set", "path": "/a", "value": 1], nil),
    (
      ["id": "w", "op": "set", "path": "/a"],
      "\"value\" is missing in \"call\" of a request \"call\" set"
    ),
    (["id": "w", "path": "/a"], "\"op\" is missing in \"call\" of a request \"call\""),
    (["id": "w", "op": "push", "path": "/a"], nil),
    (
      [
        "id": "l", "op": "listen", "listener": "l", "path": "/", "query": ["startAt": ["key": "a"]],
      ],
      nil
    ),
    (
      ["id": "l", "op": "listen", "listener": "l", "path": "/", "query": ["startAt": [1]]],
      "\"startAt\" of \"query\" of \"call\" of a request \"call\" listen is [1], expected a string or"
        + " a number or true or false or null or a mapping"
    ),
  ]

  @Test(arguments: calls)
  func `calls are checked by their operation`(call: JSON, message: String?) {
    let line: JSON = ["id": 1, "client": "alice", "now": 0, "call": call]

    #expect(AdapterSchema.request.mismatch(to: line) == message)
  }
}
